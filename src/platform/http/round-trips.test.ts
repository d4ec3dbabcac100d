import pg from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import { meApi } from '../../features/accounts/me/contract.ts'
import { customersApi } from '../../features/customers/contract.ts'
import { aBusiness, type TestBusiness } from '../../test/factories.ts'
import { newId } from '../ids.ts'

// Each call of the driver's query is one message to the database and one wait for its answer.

afterEach(() => vi.restoreAllMocks())

const textOf = (query: unknown): string => {
  const text = typeof query === 'string' ? query : ((query as { text?: string }).text ?? '')
  return text.replace(/\s+/g, ' ').trim()
}

/** The statements of one request, in order; a request before it warms what is read once a process. */
const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  await work()
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  // notices of earlier changes leave when they are gathered, on a connection of their own
  return spy.mock.calls.map(([query]) => textOf(query)).filter((text) => !text.includes('pg_notify'))
}

/** Two statements, so that it is a transaction. */
const whoAsks = expect.stringMatching(/^select; select .* from who_asks\(/)

const create = ({ api }: TestBusiness) =>
  api.ok(customersApi.create, { body: { name: 'Rita Odom', allowDuplicate: true } }, { 'idempotency-key': newId() })

it.each([
  ['who I am', (business: TestBusiness) => business.api.ok(meApi.get, {}), 2],
  ['the list of customers', (business: TestBusiness) => business.api.ok(customersApi.list, {}), 3],
])('%s is three round trips and its queries', async (_, ask, queries) => {
  const business = await aBusiness()
  const sent = await statementsOf(() => ask(business))
  const [who, begin, ...rest] = sent
  expect([who, begin, rest.pop()]).toEqual([whoAsks, `begin; set local app.business_id = '${business.id}'`, 'commit'])
  expect(rest.length, rest.join('\n')).toBeLessThanOrEqual(queries)
})

it('a write is one transaction and the reading of who asks: the key first, its answer last', async () => {
  const business = await aBusiness()
  const sent = await statementsOf(() => create(business))
  const [who, begin, key, ...rest] = sent
  expect([who, begin, key]).toEqual([
    whoAsks,
    `begin; set local app.business_id = '${business.id}'`,
    expect.stringMatching(/^insert into idempotency_keys/),
  ])
  expect(rest.slice(-2)).toEqual([expect.stringMatching(/^update idempotency_keys/), 'commit'])
  expect(rest.filter((text) => /^(begin|commit|rollback|start)/.test(text))).toEqual(['commit'])
  expect(rest.length - 2, rest.join('\n')).toBeLessThanOrEqual(15)
})
