import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { CalendarEvent } from '../events/contract.ts'
import { EventDialog } from './EventDialog.tsx'

const state = {
  phase: 'signedIn',
  user: {
    role: 'Owner',
    permissions: [],
    business: { timeZone: 'America/New_York', subscription: { active: true } },
  },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const event: CalendarEvent = {
  id: '01a202c7-f2af-717a-8cad-ef17944daadf',
  kind: 'shop',
  title: 'Sharpen blades',
  note: '',
  firstDay: '2026-06-12',
  lastDay: '2026-06-12',
  startMinute: null,
  endMinute: null,
  userId: null,
  userName: null,
  crewId: null,
  payKind: null,
  paidMinutes: null,
  version: 1,
  can: { update: true, remove: true },
}

type Server = { now: CalendarEvent }

const Screen = ({ server, theirs }: { server: Server; theirs: Partial<CalendarEvent> }) => {
  const [shown, setShown] = useState<CalendarEvent | null>(event)
  const news = () => {
    server.now = { ...event, ...theirs, version: 2 }
    // who moved it to other days takes it out of what the calendar shows
    setShown(theirs.firstDay ? null : server.now)
  }
  return (
    <SessionContext value={session}>
      <EventDialog event={shown} day="2026-06-12" onClose={() => undefined} />
      <button type="button" onClick={news} data-testid="news" />
    </SessionContext>
  )
}

/** The dialog, into whose event somebody else's changes come live. */
const opened = (theirs: Partial<CalendarEvent>) => {
  const server: Server = { now: event }
  const sent: { version: number; title: string; note: string }[] = []
  answerWith(async (request) => {
    if (request.method === 'GET')
      return request.url.includes('/events/') ? { body: server.now } : { body: { items: [], crews: [] } }
    const body = (await request.json()) as CalendarEvent
    sent.push(body)
    if (body.version !== server.now.version)
      return { status: 409, body: { code: 'version_conflict', message: 'x', details: { version: server.now.version } } }
    server.now = { ...server.now, ...body, version: body.version + 1 }
    return { body: server.now }
  })
  const { user } = show(<Screen server={server} theirs={theirs} />)
  const type = async (name: RegExp, text: string) => {
    const field = screen.getByRole('textbox', { name })
    await user.clear(field)
    await user.type(field, text)
  }
  const save = async () => {
    screen.getByTestId('news').click()
    await user.click(screen.getByRole('button', { name: 'Save' }))
  }
  return { user, server, sent, type, save }
}

it('a note typed over a title that somebody changed meanwhile takes nothing back', async () => {
  const { server, sent, type, save } = opened({ title: 'Oil change' })
  await type(/Note/, 'Bring the grinder')
  await save()
  await waitFor(() => expect(server.now).toMatchObject({ version: 3, title: 'Oil change', note: 'Bring the grinder' }))
  expect(sent.map(({ version }) => version)).toEqual([1, 2])
})

it('two titles stand side by side, and nothing is written before one is chosen', async () => {
  const { user, server, type, save } = opened({ title: 'Oil change' })
  await type(/Title/, 'Blades and belts')
  await save()
  const answers = within(await screen.findByRole('group', { name: 'Title' })).getAllByRole('radio')
  expect(answers.map((one) => one.closest('label')?.textContent)).toEqual([
    'Saved Oil change',
    'Typed here Blades and belts',
  ])
  expect(server.now.title).toBe('Oil change')
  await user.click(screen.getByRole('radio', { name: /Typed here/ }))
  await user.click(screen.getByRole('button', { name: 'Save what I chose' }))
  await waitFor(() => expect(server.now).toMatchObject({ version: 3, title: 'Blades and belts' }))
})

it('an event that somebody moved off the screen is still changed, not made a second time', async () => {
  const { server, sent, type, save } = opened({ firstDay: '2026-08-01', lastDay: '2026-08-01' })
  await type(/Note/, 'Bring the grinder')
  await save()
  await waitFor(() =>
    expect(server.now).toMatchObject({ version: 3, firstDay: '2026-08-01', note: 'Bring the grinder' }),
  )
  expect(sent).toHaveLength(2)
})
