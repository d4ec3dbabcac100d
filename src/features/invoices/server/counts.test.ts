import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { addDays } from '../../../shared/dates.ts'
import type { Api } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aLawn, aVisit, today } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { invoicesApi } from '../contract.ts'

/** Every page of a list. */
const listAll = async (own: TestBusiness, query: Record<string, string | undefined>) => {
  const first = await own.api.ok(invoicesApi.list, { query: { ...query, limit: 200 } as never })
  expect(first.nextCursor).toBeNull()
  return first
}
const sum = (cents: readonly number[]) => cents.reduce((a, b) => a + b, 0)

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

describe('the tiles', () => {
  beforeEach(() => {
    setClock(() => new Date('2026-06-10T16:00:00Z'))
    return resetClock
  })

  it('owed, overdue and days to pay are the sums of the lists that they open, of all and of one customer', async () => {
    const own = await aBusiness()
    const [a, b] = [await aLawn(own), await aLawn(own)]
    const issued = async (customerId: string, unitPriceCents: number, issueOn: string) => {
      const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents }]
      const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
      await own.api.ok(invoicesApi.issue, { params: { id } })
      await own.db((db) =>
        db
          .updateTable('invoices')
          .set({ issueOn, dueOn: addDays(issueOn, 14) })
          .where('id', '=', id)
          .execute(),
      )
      return id
    }
    const pay = (id: string, amountCents: number, receivedOn: string) =>
      own.api.ok(paymentsApi.recordPayment, { params: { id }, body: { amountCents, method: 'check', receivedOn } })
    await issued(a.customerId, 5001, '2026-06-01')
    const part = await issued(a.customerId, 7000, '2026-05-01')
    await pay(part, 999, '2026-06-09')
    await issued(b.customerId, 300, '2026-04-01')
    const [slow, quick, old, early] = [
      await issued(a.customerId, 100, '2026-05-01'),
      await issued(b.customerId, 200, '2026-06-08'),
      await issued(b.customerId, 400, '2025-06-08'),
      await issued(b.customerId, 500, '2026-06-10'),
    ]
    await pay(slow, 60, '2026-05-02')
    await pay(slow, 40, '2026-06-01')
    await pay(quick, 200, '2026-06-10')
    await pay(old, 400, '2026-03-12')
    // money that came before its invoice paid it on the day it was issued
    await pay(early, 500, '2026-06-01')
    const tilesOf = async (customerId?: string) => {
      const of = customerId ? { customerId } : {}
      const open = await listAll(own, { view: 'open', ...of })
      const overdue = await listAll(own, { view: 'overdue', ...of })
      const lately = await listAll(own, { view: 'paid_lately', ...of })
      const days = lately.items.map(({ daysToPay }) => daysToPay ?? Number.NaN)
      return {
        openCents: sum(open.items.map(({ balanceCents }) => balanceCents)),
        overdueCents: sum(overdue.items.map(({ balanceCents }) => balanceCents)),
        daysToPay: days.length ? Math.round(sum(days) / days.length) : null,
        days,
      }
    }
    const all = await tilesOf()
    expect(all).toMatchObject({ openCents: 11_302, overdueCents: 6301, daysToPay: 11 })
    expect([...all.days].sort((x, y) => x - y)).toEqual([0, 2, 31])
    const { money } = await own.api.ok(dashboardApi.get, {})
    expect(money).toMatchObject({
      owedCents: all.openCents,
      overdueCents: all.overdueCents,
      daysToPay: 11,
      paidLatelyCount: 3,
    })
    const tab = await own.api.ok(invoicesApi.list, {})
    expect(tab).toMatchObject({ owedCents: 11_302, overdueCents: 6301, daysToPay: 11, counts: { paid_lately: 3 } })
    for (const { customerId } of [a, b]) {
      const { days: _, ...tiles } = await tilesOf(customerId)
      expect((await own.api.ok(customersApi.get, { params: { id: customerId } })).invoices).toMatchObject(tiles)
    }
  })

  it('what is taken back is open again and no longer counts as paid; ninety days on it is in no list', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 900 }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    const body = { amountCents: 900, method: 'check' as const, receivedOn: '2026-06-10' }
    const paid = await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
    const days = async (api: Api = own.api) => (await api.ok(dashboardApi.get, {})).money?.daysToPay
    expect(await days()).toBe(0)
    await own.api.ok(correctionsApi.reversePayment, { params: { id: paid.id }, body: { reason: 'It bounced' } })
    expect(await days()).toBeNull()
    await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
    expect((await own.api.ok(invoicesApi.get, { params: { id } })).paidOn).toBe('2026-06-10')
    setClock(() => new Date('2026-09-07T16:00:00Z'))
    const later = await own.admin()
    expect(await days(later.api)).toBe(0)
    setClock(() => new Date('2026-09-08T16:00:00Z'))
    expect(await days((await own.admin()).api)).toBeNull()
  })
})
