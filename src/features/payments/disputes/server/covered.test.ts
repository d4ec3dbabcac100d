import { afterEach, beforeEach, expect, it } from 'vitest'
import { failLocalRefund } from '../../../../local/payments/checkout.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays, dayOf, instantAt } from '../../../../shared/dates.ts'
import { apiFor, runTasks } from '../../../../test/api.ts'
import { aPaid, books, dispute, invoiceOf, ledger, type Paid, step, titles, zone } from '../../../../test/disputes.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { processRefundEvent } from '../../corrections/server/tasks.ts'

/** A payment that was refunded and disputed, whose refund then does not go: what is in the account is in the books. */

let start = ''
const onDay = (ahead: number) => setClock(() => new Date(instantAt(addDays(start, ahead), 600, zone)))
beforeEach(() => {
  start = dayOf(clock.now(), zone)
  onDay(0)
})
afterEach(() => resetClock())

const refund = async (paid: Paid, amountCents: number) => {
  const api = await apiFor(paid.own.owner)
  const body = { amountCents, method: 'card' as const, onDay: start, reason: 'Sorry', creditInvoices: false }
  await api.ok(correctionsApi.refundPayment, { params: { id: (await paid.paymentId())?.id ?? '' }, body })
  await runTasks()
}
const fails = async (paid: Paid) => {
  const [made] = await paid.own.db((db) =>
    db.selectFrom('refunds').select('providerRefundId').where('businessId', '=', paid.own.id).execute(),
  )
  const id = made?.providerRefundId ?? ''
  await failLocalRefund(id)
  await processRefundEvent({
    provider: 'stripe',
    account: paid.account,
    eventId: 'evt_failed',
    type: 'refund.failed',
    payload: { data: { object: { id } } },
  })
}
const journal = async (paid: Paid, from: number, to = from) => {
  const api = await apiFor(paid.own.owner)
  const query = `kind=journal&from=${addDays(start, from)}&to=${addDays(start, to)}`
  return (await api.raw({ method: 'GET', url: `/api/books/csv?${query}` })).text
}

it('after the dispute was won: the money is in the account, so the invoice is paid again', async () => {
  const paid = await aPaid()
  await refund(paid, 5500)
  await step(await dispute(paid), 'win')
  await fails(paid)
  expect(await invoiceOf(paid)).toMatchObject({ status: 'paid', balanceCents: 0 })
  expect((await ledger(paid.own)).at(-1)).toBe('adjustment -5500')
  expect(await books(paid.own)).toEqual([])
})

it('two disputes that banks hold are both made up for', async () => {
  const paid = await aPaid()
  await refund(paid, 5500)
  await dispute(paid, { amountCents: 2000 })
  await dispute(paid, { amountCents: 3500 })
  await fails(paid)
  expect(await invoiceOf(paid)).toMatchObject({ status: 'issued', balanceCents: 5500 })
  const left = await paid.own.db((db) =>
    db.selectFrom('disputes').select('uncoveredCents').where('businessId', '=', paid.own.id).execute(),
  )
  expect(left.map(({ uncoveredCents }) => Number(uncoveredCents))).toEqual([0, 0])
  expect(await books(paid.own)).toEqual([])
})

it('changes nothing of the days before: what was a loss is one there, and is made up for on the day of the failure', async () => {
  const paid = await aPaid()
  await refund(paid, 5500)
  await dispute(paid)
  const before = await journal(paid, 0)
  expect(before).toContain('Chargeback Losses,55.00')
  onDay(3)
  await fails(paid)
  expect(await journal(paid, 0)).toBe(before)
  const after = await journal(paid, 3)
  expect(after).toContain('Chargeback Losses,,55.00')
  expect((await ledger(paid.own)).slice(-2)).toEqual(['adjustment -5500', 'dispute 5500'])
  expect(await books(paid.own)).toEqual([])
  expect(await titles(await apiFor(paid.own.owner))).toContain(
    'The refund of $55.00 to Rebecca Odom did not go through',
  )
})
