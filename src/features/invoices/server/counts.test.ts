import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aBusiness } from '../../../test/factories.ts'
import { aVisit, today } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { invoicesApi } from '../contract.ts'

it('counts and balances that are kept are those of the rows, whatever happens to an invoice', async () => {
  const own = await aBusiness()
  for (let n = 0; n < 4; n++) await aVisit(own, { status: 'completed', priceCents: 1000 + n })
  const before = (await own.api.ok(dashboardApi.get, {})).money
  expect(before?.invoiceableVisits).toBe(4)
  await own.api.ok(invoicesApi.createBatch, { body: { send: false, grouping: 'visit' } })
  expect((await own.api.ok(dashboardApi.get, {})).money?.invoiceableVisits).toBe(0)
  const ids = (await own.api.ok(invoicesApi.list, {})).items.map((invoice) => invoice.id)
  for (const id of ids.slice(1)) await own.api.ok(invoicesApi.issue, { params: { id } })
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id: ids[1] ?? '' },
    body: { amountCents: 2000, method: 'check', receivedOn: today() },
  })
  await own.api.ok(invoicesApi.voidInvoice, { params: { id: ids[2] ?? '' } })
  const { counts, total } = await own.api.ok(invoicesApi.list, {})
  expect([total, counts]).toMatchObject([
    4,
    { all: 4, drafts: 1, open: 1, overdue: 0, paid: 1, void: 1, written_off: 0 },
  ])
  const summed = await own.db(async (db) =>
    sql<{ id: string; cents: number }>`select customer_id as id, sum(amount_cents)::int8 as cents from ledger_entries
      where business_id = ${own.id} group by 1`.execute(db),
  )
  const { items } = await own.api.ok(customersApi.list, {})
  const balances = new Map(items.map((customer) => [customer.id, customer.balanceCents]))
  expect(summed.rows.length).toBeGreaterThan(0)
  for (const { id, cents } of summed.rows) expect(balances.get(id)).toBe(cents)
})
