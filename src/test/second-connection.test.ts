import { beforeAll, beforeEach, expect, it } from 'vitest'
import { endpointPlugins } from '../app-endpoints.ts'
import { chatApi } from '../features/chat/contract.ts'
import { employeesApi } from '../features/employees/contract.ts'
import { database, onSecondConnection } from '../platform/db/database.ts'
import { takesAny } from '../shared/endpoint.ts'
import type { Person, TestBusiness } from './factories.ts'
import { aFullBusiness, answersTo } from './full-business.ts'

/** What screens open with; a record's own pages are asked for in the journeys of their features. */
const reads = endpointPlugins.flatMap((plugin) =>
  Object.entries(plugin.contract)
    .filter(
      ([name, endpoint]) =>
        endpoint.method === 'GET' &&
        !endpoint.path.includes(':') &&
        takesAny(endpoint, 'member', 'office', 'owner') &&
        `${plugin.feature}.${name}` !== 'system.stream',
    )
    .map(([, endpoint]) => endpoint),
)

let business: TestBusiness
let employee: Person
const seen: string[] = []
beforeAll(async () => {
  onSecondConnection((error) => seen.push(error.stack ?? error.message))
  ;({ business, employee } = await aFullBusiness())
})
beforeEach(() => {
  seen.length = 0
})

it('is noticed', async () => {
  await business.db(() => database().selectFrom('slugs').select('slug').limit(1).execute())
  expect(seen).toHaveLength(1)
})

it('is asked for by nothing that is read', async () => {
  for (const endpoint of reads) await answersTo(business.api, endpoint, [])
  expect(seen).toEqual([])
})

it('is asked for by no message, and by nothing about a person', async () => {
  await business.api.ok(chatApi.send, { params: { threadId: employee.userId }, body: { text: 'Which gate?' } })
  await business.api.ok(employeesApi.create, { body: { name: 'Rosa Diaz', role: 'Employee' } })
  expect(seen).toEqual([])
})
