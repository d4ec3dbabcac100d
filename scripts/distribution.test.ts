import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useDatabase } from '../src/test/database.ts'
import {
  delegatedKind,
  findingsOf,
  functionsOfShards,
  globalTables,
  tablesOfDatabase,
} from './structure/distribution.ts'

// What Citus would refuse in the migrated schema. What `npm run distribute` does not solve is mended.

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: (await useDatabase()).url })
  await client.connect()
})
afterAll(() => client.end())

const unsolved = async (): Promise<string[]> =>
  (await findingsOf(client)).flatMap(({ kind, name, solved }) => (solved === null ? [`${name}: ${kind}`] : []))

const names = async (): Promise<string[]> => (await unsolved()).map((text) => text.split(': a')[0] ?? text)

/** What is found in a schema that was changed, and changed back. */
const withSchema = async <T>(text: string, look: () => Promise<T>): Promise<T> => {
  await client.query('begin')
  try {
    await client.query(text)
    return await look()
  } finally {
    await client.query('rollback')
  }
}

it('every table is of businesses or named as global, with a reason', async () => {
  const { tenant, global } = await tablesOfDatabase(client)
  expect(global).toEqual(Object.keys(globalTables).sort())
  expect(Object.values(globalTables).filter((why) => !/^[A-Z].{20,}\.$/.test(why))).toEqual([])
  expect(tenant.length).toBeGreaterThan(200)
})

it('nothing of the schema is refused by Citus that is not solved', async () => {
  expect(await names()).toEqual([])
})

it.each([
  ['create table stray (id uuid primary key)', 'stray: a table without business_id'],
  ['create table stray (id uuid primary key)', 'stray: stray_pkey: a unique key'],
  ['alter table customers add constraint stray unique (id)', 'customers: stray: a unique key'],
  [
    'create table stray (business_id uuid, id uuid, other uuid, primary key (business_id, id)); alter table stray add constraint strays foreign key (other) references businesses',
    'stray: strays: a foreign key between tenant tables',
  ],
  [
    'alter table customers add code text; alter table customers add constraint strays foreign key (code) references coupons',
    'customers: strays: a foreign key from a tenant table',
  ],
  [
    "create function stray(business uuid) returns bigint language sql as 'select count(*) from customers where business_id = business'",
    'stray: an SQL function',
  ],
  [
    "create function stray() returns text language plpgsql as $$ begin return set_config('app.business_id', '', true); end $$",
    'stray: a function that names its business',
  ],
  [
    'create function stray() returns void language plpgsql as $$ begin insert into customers (business_id, id) values (null, null) on conflict (business_id, id) do update set updated_at = greatest(customers.updated_at, now()); end $$',
    'stray: a function whose upsert sets',
  ],
  [
    "create function stray() returns trigger language plpgsql as $$ begin if tg_table_name = 'jobs' then return null; end if; return new; end $$",
    'stray: a function that compares the name',
  ],
  [
    "create function stray() returns void language plpgsql as $$ begin update customers c set name = case c.name when 'a' then 'b' end; end $$",
    'stray: a function that writes by',
  ],
  [
    'create function stray(business uuid) returns void language plpgsql as $$ begin insert into customers (business_id, id) select business, p.id from properties p; end $$',
    'stray: a function that inserts what it selects',
  ],
  [
    'create function stray(customer uuid) returns void language plpgsql security definer as $$ begin delete from customers where id = customer; end $$',
    'stray(uuid): a function that runs as the owner: a second user',
  ],
])('%s is found', async (text, found) => {
  expect((await withSchema(text, unsolved)).join('\n')).toContain(found)
})

it('a function that runs as the owner for the business that it is given is handed to the node of that business', async () => {
  const found = await findingsOf(client)
  expect(found.filter(({ kind }) => kind === delegatedKind).map(({ name }) => name)).toEqual([
    'move_ledger(uuid,uuid,uuid)',
  ])
})

it('the functions that shards run are told apart', async () => {
  const functions = await functionsOfShards(client)
  expect(functions).toEqual(
    expect.arrayContaining(['current_business_id()', 'visit_to_analytics()', 'address_key(text,text,text,text)']),
  )
  // asked by triggers alone
  expect(functions).toEqual(expect.arrayContaining(['mark_day(uuid,date)', 'mark_days_of_plan(uuid,uuid,date)']))
  expect(functions.some((name) => name.startsWith('guard_tenant_table'))).toBe(false)
})
