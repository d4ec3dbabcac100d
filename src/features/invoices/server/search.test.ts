import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { renewTestServer } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { rowsRead } from '../../../test/rows-read.ts'
import { invoicesApi } from '../contract.ts'

beforeAll(async () => {
  await renewTestServer()
})

it('an invoice is found by its customer, their company and its number, and what that costs does not grow with the invoices', async () => {
  const own = await aBusiness()
  const customers = (from: number, to: number) =>
    own.db((db) =>
      sql`insert into customers (business_id, id, name, company)
        select ${own.id}::uuid, gen_random_uuid(), case when n = 7 then 'Zoe 50% Quill' else 'Customer ' || n end, case when n = 9 then 'Quillworks' end
        from generate_series(${from}::int, ${to}::int) n`.execute(db),
    )
  for (let from = 1; from <= 300; from += 100) await customers(from, from + 99)
  const invoices = (from: number, to: number) =>
    own.db((db) =>
      sql`insert into invoices (business_id, id, number, customer_id, terms_days, message, bill_to, subtotal_cents, discount_cents, tax_cents, total_cents)
        select ${own.id}::uuid, gen_random_uuid(), n, c.id, 14, '', '{}', 5000, 0, 0, 5000
        from generate_series(${from}::int, ${to}::int) n
        join (select id, row_number() over (order by id) - 1 as at from customers where business_id = ${own.id}::uuid) c on c.at = n % 300`.execute(
        db,
      ),
    )
  await invoices(1001, 4000)
  const find = (search: string) => own.api.ok(invoicesApi.list, { query: { search, limit: 100 } })
  const byName = await find('quill')
  expect(new Set(byName.items.map(({ customer }) => customer.name))).toEqual(new Set(['Zoe 50% Quill', 'Customer 9']))
  expect([byName.items.length, byName.total]).toEqual([20, 20])
  expect((await find('50%')).total).toBe(10)
  for (const typed of ['INV-1001', 'inv 1001', '#1001'])
    expect((await find(typed)).items.map(({ number }) => number)).toEqual([1001])
  expect((await find('100')).total).toBe((await find('inv-100')).total)
  expect((await find('no such name')).items).toEqual([])
  const cost = () =>
    rowsRead(own, ['customers', 'invoices'], () => own.api.ok(invoicesApi.list, { query: { search: 'quill' } }))
  const before = await cost()
  for (let from = 4001; from <= 10_000; from += 1500) await invoices(from, from + 1499)
  // three times the invoices: the customers are read as before, and of the invoices their own
  expect((await find('quill')).total).toBe(60)
  expect(await cost()).toBeLessThan(before * 2)
  expect(await cost()).toBeLessThan(2_000)
})
