import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { call } from '#src/shared/client.ts'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type OwnerSession, OwnerSessionContext } from '../../owner/web/session.ts'
import type { DeskSettings } from '../contract.ts'
import { CallSettings } from './CallSettings.tsx'
import { settingsQuery } from './data.ts'
import { NotifyContext } from './notice.ts'
import { SenderSettings } from './SenderSettings.tsx'
import { TemplateSettings } from './TemplateSettings.tsx'

const start: DeskSettings = {
  version: 1,
  timeZone: 'America/New_York',
  callHours: { 1: [[540, 1020]] },
  callNoticeMinutes: 90,
  callHorizonDays: 30,
  callBufferMinutes: 10,
  holidays: [],
  restsOnHolidays: true,
  callLink: 'https://meet.test/a',
  monthlyAdmissions: 5,
  fromName: 'Dana',
  postalAddress: '1 Mill Rd',
  holidayCalls: [],
}
const owner = { ask: call } as unknown as OwnerSession

const Screen = () => {
  const { data } = useQuery(settingsQuery(call))
  return data ? (
    <>
      <CallSettings settings={data} />
      <SenderSettings settings={data} />
    </>
  ) : null
}

const said: string[] = []
const around = (part: React.ReactNode) =>
  show(
    <OwnerSessionContext value={owner}>
      <NotifyContext value={(_, message) => said.push(message)}>{part}</NotifyContext>
    </OwnerSessionContext>,
  )

/** A server that refuses what was changed from an older version. */
const serverOf = <T extends { version: number }>(first: T, wrap: (now: T) => unknown = (now) => now) => {
  const server = { now: first, sent: [] as Partial<T>[] }
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: wrap(server.now) }
    const body = (await request.json()) as T
    server.sent.push(body)
    if (body.version !== server.now.version)
      return { status: 409, body: { code: 'version_conflict', message: 'x', details: { version: server.now.version } } }
    server.now = { ...server.now, ...body, version: body.version + 1 }
    return { body: server.now }
  })
  return server
}

it('hours removed in one tab take nothing back that another tab changed, and are all that is sent', async () => {
  const server = serverOf(start)
  const { user, client } = around(<Screen />)
  await user.click(await screen.findByRole('button', { name: 'Remove these hours of Monday' }))
  server.now = { ...start, version: 2, callLink: 'https://meet.test/b', fromName: 'Dana R' }
  client.setQueryData(settingsQuery(call).queryKey, server.now)
  const form = within(screen.getByRole('form', { name: 'Calls' }))
  await user.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.now).toMatchObject({ version: 3, callHours: { 1: [] } }))
  expect(server.now).toMatchObject({ callLink: 'https://meet.test/b', fromName: 'Dana R' })
  expect(server.sent).toEqual([
    { version: 1, callHours: { 1: [] } },
    { version: 2, callHours: { 1: [] } },
  ])
  expect(said.at(-1)).toBe('Settings saved, with what was changed elsewhere meanwhile')
})

it('two senders stand side by side, and nothing is written before one is chosen', async () => {
  const server = serverOf(start)
  const { user } = around(<Screen />)
  await user.type(await screen.findByRole('textbox', { name: 'Sender name' }), ' of Swath')
  server.now = { ...start, version: 2, fromName: 'Swath' }
  const form = within(screen.getByRole('form', { name: 'Sender and admissions' }))
  await user.click(form.getByRole('button', { name: 'Save' }))
  const answers = within(await screen.findByRole('group', { name: 'Sender name' })).getAllByRole('radio')
  expect(answers.map((one) => one.closest('label')?.textContent)).toEqual(['Saved Swath', 'Typed here Dana of Swath'])
  expect(server.now.fromName).toBe('Swath')
  await user.click(screen.getByRole('radio', { name: /Typed here/ }))
  await user.click(screen.getByRole('button', { name: 'Save what I chose' }))
  await waitFor(() => expect(server.now).toMatchObject({ version: 3, fromName: 'Dana of Swath' }))
})

it('hours that end before they begin are brought into sight and not sent', async () => {
  const server = serverOf({ ...start, callHours: { 1: [[1020, 540]] } } as DeskSettings)
  const { user } = around(<Screen />)
  const form = within(await screen.findByRole('form', { name: 'Calls' }))
  await user.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Monday: the end must come after the start.'))
  expect(server.sent).toEqual([])
})

it('what is typed into a template stays when another tab saves it, and both messages are shown', async () => {
  const entry = {
    channel: 'email' as const,
    key: 'initial_contact' as const,
    subject: 'Hello',
    message: 'First',
    isChanged: false,
    version: 0,
  }
  const server = serverOf(entry, (now) => ({ items: [now], schedulingLink: '' }))
  const { user, client } = around(<TemplateSettings />)
  await user.type(await screen.findByRole('textbox', { name: /Message/ }), ' words')
  server.now = { ...entry, message: 'Theirs', isChanged: true, version: 7 }
  await client.invalidateQueries({ queryKey: ['desk', 'templates'] })
  expect(screen.getByRole('textbox', { name: /Message/ })).toHaveProperty('value', 'First words')
  await user.click(screen.getByRole('button', { name: 'Save template' }))
  await screen.findByRole('group', { name: 'Message' })
  expect(server.now.message).toBe('Theirs')
})
