import { afterEach, beforeEach, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { dayOf, instantAt } from '../../../../shared/dates.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { withBooks } from '../../../../test/books.ts'
import { tellOf } from '../../../../test/cards.ts'
import {
  aPaid,
  books,
  dispute,
  first,
  invoiceOf,
  ledger,
  type Paid,
  step,
  titles,
  zone,
} from '../../../../test/disputes.ts'
import { quickbooksApi } from '../../../quickbooks/contract.ts'
import { syncDispute } from './sync.ts'

/** A bank that decided decides otherwise afterwards: the money is booked where the bank has it. */

beforeEach(() => {
  const start = new Date(instantAt(dayOf(clock.now(), zone), 600, zone))
  setClock(() => start)
})
afterEach(resetClock)

const decideOtherwise = (paid: Paid, bank: string) =>
  stranger.ok(localPaymentsApi.stepDispute, {
    params: { accountId: paid.account, disputeId: bank },
    body: { step: 'reverse' },
  })
const reverse = async (paid: Paid, bank: string) => {
  await decideOtherwise(paid, bank)
  await runTasks()
}
const taken = ['invoice 5500', 'payment -5500', 'dispute 5500']

it('won, then lost, then won: taken again and given back again, each once, and the month agrees with QuickBooks', async () => {
  const paid = await aPaid()
  const { own, api } = paid
  const quickbooks = await withBooks(own)
  const bank = await dispute(paid)
  await step(bank, 'win')
  expect(await invoiceOf(paid)).toMatchObject({ status: 'paid' })
  await reverse(paid, bank)
  expect(await invoiceOf(paid)).toMatchObject({
    status: 'issued',
    balanceCents: 5500,
    disputed: false,
    reminders: { stopped: 'The bank gave a payment of $55.00 back to them' },
  })
  expect((await first(paid)).state).toBe('Lost: the bank kept the money')
  expect(await ledger(own)).toEqual([...taken, 'adjustment -5500', 'dispute 5500'])
  expect(await books(own)).toEqual([])
  // told again, and looked at again, nothing moves twice
  for (let n = 0; n < 3; n++) await syncDispute(bank, paid.account)
  expect(await tellOf('charge.dispute.closed', { id: bank }, paid.account)).toBe(200)
  expect(await ledger(own)).toHaveLength(5)
  await reverse(paid, bank)
  expect(await invoiceOf(paid)).toMatchObject({ status: 'paid', reminders: { stopped: null } })
  expect(await ledger(own)).toEqual([...taken, 'adjustment -5500', 'dispute 5500', 'adjustment -5500'])
  expect(await books(own)).toEqual([])
  expect((await titles(api)).filter((title) => title.startsWith('Dispute')).sort()).toEqual([
    'Dispute lost: the bank gave $55.00 to Rebecca Odom',
    'Dispute won: $55.00 of Rebecca Odom is back',
    'Dispute won: $55.00 of Rebecca Odom is back',
  ])
  await quickbooks.send()
  expect(await quickbooks.failed()).toEqual([])
  const month = dayOf(clock.now(), zone).slice(0, 7)
  expect((await own.api.ok(quickbooksApi.checkMonth, { body: { month } })).differences).toEqual([])
})

it('lost, then won: the money is back on its invoice, and the office hears that it was decided once more', async () => {
  const paid = await aPaid()
  const { own, api } = paid
  const bank = await dispute(paid)
  await step(bank, 'lose')
  await reverse(paid, bank)
  expect(await invoiceOf(paid)).toMatchObject({ status: 'paid', reminders: { stopped: null } })
  expect(await ledger(own)).toEqual([...taken, 'adjustment -5500'])
  expect((await first(paid)).state).toBe('Won: the money is back')
  expect((await titles(api)).filter((title) => title.startsWith('Dispute'))).toContain(
    'Dispute won: $55.00 of Rebecca Odom is back',
  )
  expect(await books(own)).toEqual([])
})

it.each([1, 2])('seen only after all of it, and doubled, it ends in the same books (%i turns)', async (turns) => {
  const paid = await aPaid()
  const { own } = paid
  const back = setLocalPost(async () => 200)
  const bank = await dispute(paid)
  await step(bank, 'win')
  for (let n = 0; n < turns; n++) await decideOtherwise(paid, bank)
  back()
  for (let n = 0; n < 2; n++) await tellOf('charge.dispute.created', { id: bank }, paid.account)
  expect(await invoiceOf(paid)).toMatchObject({ status: turns === 1 ? 'issued' : 'paid' })
  expect(await ledger(own)).toEqual(turns === 1 ? taken : [...taken, 'adjustment -5500'])
  expect(await books(own)).toEqual([])
})

it('a look that began earlier is not booked over a later one', async () => {
  const paid = await aPaid()
  const bank = await dispute(paid)
  await step(bank, 'lose')
  // as if a later look had been booked already
  await paid.own.db((db) =>
    db
      .updateTable('disputes')
      .set({ lookedAt: new Date(clock.nowMs() + 60_000).toISOString() })
      .where('businessId', '=', paid.own.id)
      .execute(),
  )
  await decideOtherwise(paid, bank)
  await runTasks()
  expect((await first(paid)).status).toBe('lost')
  expect(await ledger(paid.own)).toEqual(taken)
})
