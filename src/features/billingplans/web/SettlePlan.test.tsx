import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { Plan, Settlement } from '../contract.ts'
import { SettlePlan } from './SettlePlan.tsx'

const id = '01a202c7-f2af-717a-8cad-ef17944daadf'
const plan = { id, name: 'Season 2026', isOver: false, seasonCents: 100_000, listCents: 100_000 } as unknown as Plan
const owed = {
  planId: id,
  listCents: 100_000,
  deliveredCents: 0,
  fullCents: 0,
  visits: 0,
  carryCents: 0,
  billedCents: 10_000,
  netCents: -10_000,
  taxCents: -700,
  totalCents: -10_700,
  monthsLeft: { count: 0, cents: 0 },
  openCents: 0,
  refundableCents: 0,
  refunds: [],
  choices: ['credit'],
  reach: { mail: null, text: null, why: null },
} satisfies Settlement
const state = { phase: 'signedIn', user: { business: { timeZone: 'America/New_York' } } }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

it('keeps what was agreed to in sight while it is settled, also when others look anew', async () => {
  let settle = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  let sent = 0
  let closed = 0
  let seen = ''
  const asked = answerWith(async (request) => {
    if (request.method === 'GET')
      return { body: sent > 0 ? { ...owed, billedCents: 0, totalCents: 0, choices: ['none'] } : owed }
    sent++
    await settled
    return { body: { ...plan, settled: null, can: {} } }
  })
  const close = () => {
    closed++
    seen = document.body.textContent
  }
  const { client, user } = show(
    <SessionContext value={session}>
      <SettlePlan plan={plan} open onClose={close} />
    </SessionContext>,
  )
  await user.dblClick(await screen.findByRole('button', { name: 'Credit $107.00 and end the plan' }))
  await waitFor(() => expect(sent).toBe(1))
  // word of the change reaches every open screen before the answer
  await client.invalidateQueries({ queryKey: ['invoices'] })
  expect(asked.filter((one) => one.startsWith('GET'))).toHaveLength(1)
  settle()
  await waitFor(() => expect(closed).toBe(1))
  expect(sent).toBe(1)
  expect(seen).toContain('Credit $107.00')
  expect(seen).not.toContain('Nothing is left')
})
