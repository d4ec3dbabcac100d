import { expect, it } from 'vitest'
import { ownerPool } from '../../../platform/db/database.ts'
import { aPlanBusiness } from '../../../test/billing-plans.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { lockInvoiceTx } from '../../invoices/server/commands.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'

const { api, of, on, bill, books, aCustomer, start, get, settlement, settle, invoice, pay } = aPlanBusiness()

const credits = (customerId: string) =>
  of().db((db) =>
    db
      .selectFrom('payments')
      .select(['amountCents', 'allocatedCents'])
      .where('businessId', '=', of().id)
      .where('customerId', '=', customerId)
      .where('method', '=', 'credit')
      .where('status', '=', 'succeeded')
      .execute(),
  )

it('what was written off was never paid: the settlement credits it first, and nobody gets it as money or credit', async () => {
  await on('2027-03-20')
  const { customerId } = await aCustomer()
  const plan = await start(customerId)
  await bill('2027-04-02')
  await bill('2027-05-02')
  const billed = await get(plan.id)
  await pay(billed, 1)
  const [paid = '', off = ''] = billed.months.map((month) => month.invoice?.id ?? '')
  await api.ok(invoicesApi.writeOff, { params: { id: off }, body: { reason: 'Bad debt' } })
  const [first, second] = [await invoice(paid), await invoice(off)]
  const left = await settlement(plan.id)
  expect(left).toMatchObject({
    totalCents: -(first.totalCents + second.totalCents),
    openCents: second.totalCents,
    refundableCents: first.totalCents,
  })
  expect((await settle(plan.id, 'credit')).status).toBe(200)
  expect(await invoice(off)).toMatchObject({ status: 'paid', balanceCents: 0 })
  const [note] = await credits(customerId)
  expect(Number(note?.amountCents) - Number(note?.allocatedCents)).toBe(first.totalCents)
  expect(await books()).toEqual([])
})

const waiting = async (count: number): Promise<void> => {
  await expect
    .poll(
      async () =>
        (
          await ownerPool().query(
            `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rows[0]?.n,
      { timeout: 20_000 },
    )
    .toBe(count)
}

it('a credit note in another tab and a settlement at once credit the same money once', async () => {
  await on('2027-03-20')
  const { customerId } = await aCustomer()
  const plan = await start(customerId)
  await bill('2027-04-02')
  const id = (await get(plan.id)).months[0]?.invoice?.id ?? ''
  const { totalCents } = await invoice(id)
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holder = of().db(async (db) => {
    await lockInvoiceTx(db, id)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const credit = api.call(correctionsApi.creditInvoice, {
    params: { id },
    body: { amountCents: totalCents, reason: 'Not mowed' },
  })
  await waiting(1)
  const settled = settle(plan.id, 'credit')
  await waiting(2)
  held.resolve()
  await holder
  expect([(await credit).status, (await settled).status]).toEqual([200, 409])
  expect((await credits(customerId)).map(({ amountCents }) => Number(amountCents))).toEqual([totalCents])
  expect(await books()).toEqual([])
}, 60_000)
