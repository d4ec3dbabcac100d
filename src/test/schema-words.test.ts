import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { endpointPlugins } from '../app-endpoints.ts'
import { localEndpointPlugins } from '../local/endpoints.ts'
import type { Endpoint } from '../shared/endpoint.ts'

/** What no person should read: the validator's own words. */
const raw = /expected|received|invalid|too (big|small)|undefined|\bNaN\b|unrecognized|regex|pattern/i

const junk: readonly unknown[] = [
  undefined,
  null,
  '',
  'x'.repeat(30_000),
  -1,
  1e12,
  1.5,
  true,
  [],
  Array(5_000).fill('x'),
  {},
  { strange: 1 },
]

const shapeOf = (schema: z.ZodType): Record<string, unknown> =>
  (schema as unknown as { shape?: Record<string, unknown> }).shape ?? {}

/** Everything that a schema says about junk, whole and field by field. */
const wordsOf = (schema: z.ZodType): string[] => {
  const names = Object.keys(shapeOf(schema))
  const tries = [...junk, ...junk.map((value) => Object.fromEntries(names.map((name) => [name, value])))]
  return tries.flatMap((value) => {
    const parsed = schema.safeParse(value)
    return parsed.success ? [] : parsed.error.issues.map(({ message }) => message)
  })
}

const all = [...endpointPlugins, ...localEndpointPlugins].flatMap((plugin) =>
  Object.entries(plugin.contract as Record<string, Endpoint>).flatMap(([name, endpoint]) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = endpoint[part]
      return schema ? [{ name: `${plugin.feature}.${name} ${part}`, schema }] : []
    }),
  ),
)

describe('what a contract refuses is said in our own words', () => {
  it('walks them all', () => expect(all.length).toBeGreaterThan(250))

  it.each(all)('$name', ({ schema }) => {
    expect([...new Set(wordsOf(schema))].filter((words) => raw.test(words))).toEqual([])
  })
})
