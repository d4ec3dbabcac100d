import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { answersApi } from '../features/answers/contract.ts'
import { customersApi } from '../features/customers/contract.ts'
import { dashboardApi } from '../features/dashboard/contract.ts'
import { expensesApi } from '../features/expenses/contract.ts'
import { invoicesApi } from '../features/invoices/contract.ts'
import { jobsApi } from '../features/jobs/contract.ts'
import { messagesApi } from '../features/messages/contract.ts'
import { conversationsApi } from '../features/messages/conversations/contract.ts'
import { customerFactsApi } from '../features/messages/facts/contract.ts'
import { routesApi } from '../features/routes/contract.ts'
import { searchApi } from '../features/search/contract.ts'
import { visitsApi } from '../features/visits/contract.ts'
import { renewTestServer } from './api.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { rowsRead } from './rows-read.ts'

// how a read is planned goes by all that stands in its tables
beforeAll(async () => {
  await renewTestServer()
})

/** A customer with a job, and `customers` beside them that are found by other words, the first without a job. */
const people = (own: TestBusiness, customers: number) =>
  own.db(async (db) => {
    const business = sql`${own.id}::uuid`
    await sql`insert into customers (business_id, id, name)
      select ${business}, gen_random_uuid(), case when n = 0 then 'Rare Odom' else 'Customer ' || n end from generate_series(0, ${sql.lit(customers)}) n`.execute(
      db,
    )
    await sql`insert into properties (business_id, id, customer_id, street)
      select business_id, gen_random_uuid(), id, '1 Oak St' from customers where business_id = ${business}`.execute(db)
    await sql`insert into jobs (business_id, id, number, customer_id, property_id, title, start_on)
      select business_id, gen_random_uuid(), row_number() over (order by id), customer_id, id, 'Mowing', '2000-01-01' from properties
      where business_id = ${business} and customer_id not in (select id from customers where name = 'Customer 1')`.execute(
      db,
    )
    await sql`insert into crews (business_id, id, name, color) values (${business}, gen_random_uuid(), 'One', '#14432f')`.execute(
      db,
    )
  })

/** Days of history, oldest first: a visit, an invoice and a text for every customer, a route; Rare Odom and an unknown number only in the first three. */
const history = (own: TestBusiness, first: number, last: number) =>
  own.db(async (db) => {
    const business = sql`${own.id}::uuid`
    const days = sql`generate_series(${sql.lit(first)}, ${sql.lit(last)}) d`
    await sql`insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents, billable)
      select j.business_id, gen_random_uuid(), j.id, j.customer_id, j.property_id, date '2001-01-01' + d, date '2001-01-01' + d, 'completed', 45, 5500, false
      from jobs j join customers c on c.business_id = j.business_id and c.id = j.customer_id, ${days}
      where j.business_id = ${business} and (d <= 3 or c.name <> 'Rare Odom')`.execute(db)
    await sql`insert into invoices (business_id, id, number, customer_id, status, total_cents, paid_cents, issue_on, due_on, paid_on)
      select c.business_id, gen_random_uuid(), 100000 + d * 10 + row_number() over (partition by d order by c.name desc), c.id, 'paid', 5500, 5500,
        date '2001-01-01' + d, date '2001-01-15' + d, date '2001-01-20' + d
      from customers c, ${days} where c.business_id = ${business} and (d <= 3 or c.name <> 'Rare Odom')`.execute(db)
    await sql`insert into messages (business_id, id, channel, direction, customer_id, address, body_text, dedupe_key, status, opened_at)
      select c.business_id, gen_random_uuid(), 'sms', 'inbound', c.id, '+1912555' || d, 'Thank you!', gen_random_uuid(), 'received', now() from customers c, ${days}
      where c.business_id = ${business} and c.name <> 'Rare Odom'
      union all select ${business}, gen_random_uuid(), 'sms', 'inbound', null, '+19125550199', 'Are you free?', gen_random_uuid(), 'received', now() from ${days} where d <= 3`.execute(
      db,
    )
    await sql`with made as (
        insert into expenses (business_id, id, day, category_id, vendor, total_cents, source, method)
        select g.business_id, gen_random_uuid(), date '2001-01-01' + d, g.id, 'Vendor ' || d % 50, 4200, 'office', 'card'
        from expense_categories g, ${days} where g.business_id = ${business} and g.code in ('fuel', 'other') returning business_id, id, total_cents)
      insert into expense_parts (business_id, id, expense_id, position, amount_cents, crew_id)
        select m.business_id, gen_random_uuid(), m.id, 0, m.total_cents, c.id from made m join crews c on c.business_id = m.business_id`.execute(
      db,
    )
    await sql`insert into routes (business_id, id, day, crew_id, status)
      select c.business_id, gen_random_uuid(), date '2001-01-01' + d, c.id, 'closed' from crews c, ${days} where c.business_id = ${business}`.execute(
      db,
    )
  })

/** Days of one-time work that is over, for every customer. */
const jobsOver = (own: TestBusiness, first: number, last: number) =>
  own.db((db) =>
    sql`insert into jobs (business_id, id, number, customer_id, property_id, title, start_on, status)
      select business_id, gen_random_uuid(), d * 10 + row_number() over (partition by d), customer_id, id, 'Cleanup', date '2001-01-01' + d, 'completed'
      from properties, generate_series(${sql.lit(first)}, ${sql.lit(last)}) d where business_id = ${own.id}::uuid`.execute(
      db,
    ),
  )

type Reads = Record<string, (own: TestBusiness) => Promise<unknown>>

/** What is asked of customers and of the work that runs. */
const lists: Reads = {
  'the counts over the customers': async ({ api }) =>
    expect(await api.ok(customersApi.counts, {})).toMatchObject({ all: 4, withoutJob: 1, withoutPin: 4 }),
  'tags and places of the customers': async ({ api }) =>
    expect((await api.ok(customersApi.facets, {})).tags).toHaveLength(0),
  'the customers': async ({ api }) => expect((await api.ok(customersApi.list, {})).total).toBe(4),
  'the customers without a job': async ({ api }) =>
    expect((await api.ok(customersApi.list, { query: { hasJob: false } })).total).toBe(1),
  'the customers without a pin': async ({ api }) =>
    expect((await api.ok(customersApi.list, { query: { noPin: true, sort: 'city' } })).total).toBe(4),
  'the counts over the jobs': async ({ api }) =>
    expect(await api.ok(jobsApi.counts, {})).toMatchObject({ active: 3, requires_invoicing: 0 }),
  'the jobs that run': async ({ api }) => expect((await api.ok(jobsApi.list, {})).total).toBe(3),
  'the jobs that are late': async ({ api }) =>
    expect((await api.ok(jobsApi.list, { query: { view: 'late', sort: 'nextVisit' } })).total).toBe(0),
}

const someone = async ({ api }: TestBusiness) => ({
  id: (await api.ok(customersApi.list, { query: { q: 'Customer 2' } })).items[0]?.id ?? '',
})

const reads: Reads = {
  ...lists,

  'the open conversations': async ({ api }) =>
    expect((await api.ok(messagesApi.conversations, { query: { state: 'open' } })).items).toHaveLength(4),
  'the thread of a customer': async (own) =>
    expect((await own.api.ok(conversationsApi.thread, { params: await someone(own) })).items).toHaveLength(40),
  'what stands beside a conversation': async (own) =>
    expect((await own.api.ok(customerFactsApi.get, { params: await someone(own) })).jobCount).toBe(1),
  'what can be said to a customer': async (own) =>
    expect((await own.api.ok(answersApi.get, { params: await someone(own) })).suggestions).toHaveLength(1),

  'visits by words': async ({ api }) =>
    expect((await api.ok(visitsApi.list, { query: { q: 'Rare' } })).items).toHaveLength(3),
  'invoices by words': async ({ api }) =>
    expect(await api.ok(invoicesApi.list, { query: { search: 'rare' } })).toMatchObject({ total: 3 }),
  'an old invoice by its number': async ({ api }) =>
    expect((await api.ok(invoicesApi.list, { query: { search: 'INV-100011' } })).items[0]?.number).toBe(100011),
  'an old invoice in the palette': async ({ api }) =>
    expect((await api.ok(searchApi.find, { query: { q: '100011' } })).results[0]?.title).toBe('INV-100011'),
  'what waits for an invoice': async ({ api }) =>
    expect((await api.ok(invoicesApi.countInvoiceable, {})).visitCount).toBe(0),
  'the dashboard': async ({ api }) =>
    expect((await api.ok(dashboardApi.get, {})).money).toMatchObject({
      invoiceableVisits: 0,
      owedCents: 0,
      daysToPay: null,
    }),
  'what is owed, by its tiles': async ({ api }) =>
    expect((await api.ok(invoicesApi.list, { query: { view: 'paid_lately' } })).daysToPay).toBeNull(),
  'a customer with what they owe and how long they take': async ({ api }) => {
    const { items } = await api.ok(customersApi.list, { query: { q: 'Customer 2' } })
    expect((await api.ok(customersApi.get, { params: { id: items[0]?.id ?? '' } })).invoices?.daysToPay).toBeNull()
  },
  'what an unknown number wrote': async ({ api }) =>
    expect((await api.ok(messagesApi.list, { query: { address: '+19125550199' } })).total).toBe(3),
  'the visits': async ({ api }) => expect((await api.ok(visitsApi.list, {})).total).toBeNull(),
  'the expenses of this month': async ({ api }) => expect((await api.ok(expensesApi.list, {})).count).toBe(0),
  'the expenses that wait to be looked at': async ({ api }) =>
    expect((await api.ok(expensesApi.list, { query: { review: 'true' } })).reviewCount).toBe(0),
  'the expenses of a year': async ({ api }) =>
    expect((await api.ok(expensesApi.totals, {})).categories).toHaveLength(0),
  'the vendors of the last years': async ({ api }) =>
    expect((await api.ok(expensesApi.vendors, { query: { search: 'Vendor 7' } })).items).toHaveLength(0),
  'what fuel and the dump cost last': async ({ api }) =>
    expect((await api.ok(expensesApi.choices, {})).crews).toHaveLength(1),
  'the routes that were sent': async ({ api }) =>
    expect((await api.ok(routesApi.saved, { query: { limit: 5 } })).total).toBeNull(),
}

/** Which reads cost more after twice the years, with what they cost before and after. */
const grownAfter = async (reads: Reads, live: (own: TestBusiness, first: number, last: number) => Promise<unknown>) => {
  const own = await aBusiness()
  const tables = [
    'customers',
    'properties',
    'jobs',
    'job_totals',
    'visits',
    'invoices',
    'invoice_totals',
    'messages',
    'conversations',
    'conversation_notes',
    'expenses',
    'expense_parts',
    'routes',
  ]
  const costs = async () => {
    const rows: Record<string, number> = {}
    for (const [name, read] of Object.entries(reads)) rows[name] = await rowsRead(own, tables, () => read(own))
    return rows
  }
  // a hundred days at a time: an invoice changes the row that counts them
  const years = async (first: number, last: number) => {
    for (let day = first; day <= last; day += 100) await live(own, day, day + 99)
  }
  await people(own, 3)
  await years(1, 1_100)
  const before = await costs()
  await years(1_101, 2_200)
  const after = await costs()
  const grown = Object.keys(reads).filter((name) => (after[name] ?? 0) > (before[name] ?? 0) * 1.5)
  return { grown, before, after }
}

it('what is looked for in the past costs the same after twice the years', async () => {
  expect(await grownAfter(reads, history)).toMatchObject({ grown: [] })
}, 120_000)

it('what is counted and listed of customers and running work costs the same after twice the jobs that are over', async () => {
  expect(await grownAfter(lists, jobsOver)).toMatchObject({ grown: [] })
}, 120_000)
