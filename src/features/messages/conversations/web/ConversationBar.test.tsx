import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { addDays, dayOf, instantAt } from '../../../../shared/dates.ts'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import { ConversationBar, untilLabel } from './ConversationBar.tsx'

const zone = 'America/New_York'
const me = '01a202c7-f2af-717a-8cad-ef17944daa01'
const state = {
  phase: 'signedIn',
  user: { _id: me, role: 'Owner', permissions: [], business: { timeZone: zone, subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const customerId = '01a202c7-f2af-717a-8cad-ef17944daa02'
const record = {
  can: { assign: true, snooze: true, close: true, reopen: false },
  customerId,
  address: null,
  state: 'open',
  assignee: null as { id: string; name: string } | null,
  leftName: null as string | null,
  snoozedUntil: null,
  snoozedByName: null,
  closedAt: null,
  closedByName: null,
  version: 3,
}

const opened = (changes: Partial<typeof record>, fails = { now: false }) => {
  const asked = answerWith((request) => {
    if (request.url.endsWith('/people')) return { body: { items: [{ id: me, name: 'Olive Owner' }] } }
    return fails.now ? { status: 500, body: { code: 'internal', message: 'x' } } : { body: { ...record, ...changes } }
  })
  return {
    asked,
    ...show(
      <SessionContext value={session}>
        <ConversationBar who={customerId} name="Ann Lee" />
      </SessionContext>,
    ),
  }
}

it('the name of the button begins with what stands on it', async () => {
  opened({ assignee: { id: me, name: 'Olive Owner' } })
  const button = await screen.findByRole('button', { name: 'You: change who answers' })
  expect(button.textContent).toBe('You')
})

it('what somebody who left still has by name can be given to nobody', async () => {
  const { user, asked } = opened({ leftName: 'Priya Raman' })
  await screen.findByText('Priya Raman had it and left')
  await user.click(screen.getByRole('button', { name: 'Assign' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Nobody' }))
  await waitFor(() =>
    expect(asked.some((one) => one.startsWith('POST') && one.endsWith('/conversation/assign'))).toBe(true),
  )
})

it('what did not load is said and asked for again', async () => {
  const fails = { now: true }
  const { user } = opened({}, fails)
  await screen.findByText(/did not load/)
  fails.now = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('button', { name: 'Assign' })
})

it('a snooze names its year where it is another one', () => {
  const today = dayOf(new Date(), zone)
  const next = Number(today.slice(0, 4)) + 1
  const at = instantAt(`${next}-06-15`, 480, zone)
  expect(untilLabel(at, zone)).toMatch(new RegExp(`^\\w+, Jun 15, ${next}, 8:00 AM$`))
  expect(untilLabel(instantAt(today, 900, zone), zone)).toBe('3:00 PM')
  const other = addDays(today, today.slice(5) > '06-30' ? -1 : 1)
  expect(untilLabel(instantAt(other, 900, zone), zone)).not.toContain(today.slice(0, 4))
})
