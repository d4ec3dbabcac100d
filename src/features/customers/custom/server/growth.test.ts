import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { renewTestServer } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { rowsRead } from '../../../../test/rows-read.ts'
import { customersApi } from '../../contract.ts'
import { customFieldsApi } from '../contract.ts'
import { type CustomFilter, writeCustomFilters } from '../rules.ts'

beforeAll(renewTestServer)

const customers = 2_000
const tables = [
  'customers',
  'properties',
  'custom_values',
  'custom_fields',
  'customer_balances',
  'invoices',
  'visits',
  'jobs',
]

it('a filter by a custom field is a look into an index: what a rare value costs does not grow with the customers', async () => {
  const business = await aBusiness({ tier: 'enterprise' })
  const { api } = business
  const brand = await api.ok(customFieldsApi.create, { body: { record: 'customer', name: 'Brand', type: 'text' } })
  const loads = await api.ok(customFieldsApi.create, { body: { record: 'customer', name: 'Loads', type: 'number' } })
  for (let from = 1; from <= customers; from += 250)
    await business.db((db) =>
      sql`insert into customers (business_id, id, name, custom)
      select ${business.id}, gen_random_uuid(), 'Customer ' || n, jsonb_build_object(${brand.id}::text, 'Brand ' || n % 500, ${loads.id}::text, n)
      from generate_series(${from}::int, ${from + 249}::int) n`.execute(db),
    )
  const ask = async (...filters: CustomFilter[]) => {
    let total = 0
    const read = await rowsRead(business, tables, async () => {
      total = (await api.ok(customersApi.list, { query: { custom: writeCustomFilters(filters) } })).total
    })
    return { total, read }
  }
  const whole = await ask({ fieldId: loads.id, op: 'filled', value: '' })
  expect(whole.total).toBe(customers)
  const word = await ask({ fieldId: brand.id, op: 'is', value: 'brand 7' })
  expect(word.total).toBe(4)
  const range = await ask(
    { fieldId: loads.id, op: 'from', value: '100' },
    { fieldId: loads.id, op: 'to', value: '105' },
  )
  expect(range.total).toBe(6)
  for (const { read } of [word, range]) expect(read).toBeLessThan(customers / 4)
  expect(whole.read).toBeGreaterThan(customers)
})
