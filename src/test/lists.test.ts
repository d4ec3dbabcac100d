import { expect, it } from 'vitest'
import { z } from 'zod'
import { endpointPlugins } from '../app-endpoints.ts'
import { localEndpointPlugins } from '../local/endpoints.ts'
import { newId } from '../platform/ids.ts'
import { type Endpoint, takesAny } from '../shared/endpoint.ts'
import { aBusiness } from './factories.ts'

/** Every list of a business that goes on page by page. */
const lists = [...endpointPlugins, ...localEndpointPlugins]
  .flatMap((plugin) =>
    Object.entries<Endpoint>(plugin.contract).map(([name, endpoint]) => ({
      name: `${plugin.feature}.${name}`,
      endpoint,
    })),
  )
  .filter(({ endpoint }) => endpoint.query instanceof z.ZodObject && 'cursor' in endpoint.query.shape)
  .filter(({ endpoint }) => !endpoint.path.includes(':') && takesAny(endpoint, 'office', 'member'))

const cursor = (...values: unknown[]): string => Buffer.from(JSON.stringify(values)).toString('base64url')
const id = newId()
const broken = [
  '1e300',
  'x',
  "x' or 1=1",
  cursor(),
  cursor(id, id, id),
  cursor('Ann', 'not-an-id'),
  cursor(['Ann'], id),
  cursor('a\u0000b', id),
]

/** A text of one list may be no number, day or instant of another. */
const odd = [
  cursor('1e300', id),
  cursor('9'.repeat(40), id),
  cursor('2026-02-30', id),
  cursor('2026-02-03 25:00:00+00', id),
]

/** What some of them have to be asked for beside the page. */
const wanted: Record<string, Record<string, string>> = {
  '/api/quickbooks/months/records': { month: '2026-06', kind: 'invoice' },
}

const urlOf = ({ path }: Endpoint, text: string): string =>
  `${path}?${new URLSearchParams({ cursor: text, from: '2026-06-01', to: '2026-06-30', ...wanted[path] })}`

it.each(lists)('$name answers a broken cursor with 422 that names it', async ({ endpoint }) => {
  const { api } = await aBusiness()
  for (const text of broken) {
    const answer = await api.raw({ method: 'GET', url: urlOf(endpoint, text) })
    expect([text, answer.status, answer.error.errors?.[0]?.path]).toEqual([text, 422, 'cursor'])
  }
  for (const text of odd)
    expect([200, 422]).toContain((await api.raw({ method: 'GET', url: urlOf(endpoint, text) })).status)
})

it('there are lists to ask', () => expect(lists.length).toBeGreaterThan(6))
