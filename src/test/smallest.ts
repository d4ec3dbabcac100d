import { z } from 'zod'
import { newId } from '../platform/ids.ts'

/** The parts of a JSON Schema that zod writes for our contracts. */
type Schema = {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  minItems?: number
  minLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

const samples: Record<string, string> = {
  date: '2026-06-12',
  'date-time': '2026-06-12T12:00:00.000Z',
  time: '12:00:00',
  email: 'somebody@test.swath.test',
  uri: 'https://test.swath.test',
}

/** Texts of which one fits each pattern that a contract asks for. */
const texts = [
  '2026-06-12',
  '2026-06-12T12:00:00.000Z',
  '12:00',
  '(912) 555-0145',
  '482135',
  '31419',
  'GA',
  '06-12',
  'price_pro_month',
  'a',
  'A1',
]

/** What a field of this name holds, where the contract says it in code and not in the schema. */
const namedTexts: readonly [RegExp, string][] = [
  [/^(day|from|to)$|On$/, '2026-06-12'],
  [/^email$/, 'somebody@test.swath.test'],
  [/^path$/, '/somewhere'],
]

export type Fill = (name: string) => string

const textOf = (schema: Schema, name: string, idFor: Fill): string => {
  if (schema.format === 'uuid') return idFor(name)
  const sample = schema.format ? samples[schema.format] : undefined
  if (sample) return sample
  const fits = schema.pattern ? texts.find((text) => new RegExp(schema.pattern ?? '', 'u').test(text)) : undefined
  const named = namedTexts.find(([names]) => names.test(name))?.[1]
  return (fits ?? named ?? 'Text').padEnd(schema.minLength ?? 0, 'x')
}

const smallestValue = (schema: Schema, root: Schema, name: string, idFor: Fill): unknown => {
  const inner = (one: Schema, as = name) => smallestValue(one, root, as, idFor)
  if (schema.$ref) return inner(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? root)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return inner(first)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => inner(one)))
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([key]) => schema.required?.includes(key))
        .map(([key, value]) => [key, inner(value, key)]),
    )
  if (schema.type === 'array') {
    if (schema.prefixItems) return schema.prefixItems.map((one) => inner(one))
    return Array.from({ length: schema.minItems ?? 0 }, () => inner(schema.items ?? {}))
  }
  if (schema.type === 'string') return textOf(schema, name, idFor)
  if (schema.type === 'boolean') return false
  if (schema.type === 'number' || schema.type === 'integer')
    return Math.max(schema.minimum ?? (schema.exclusiveMinimum ?? -1) + 1, 0) || Math.min(1, schema.maximum ?? 1)
  return null
}

/**
 * The smallest value that a schema describes: what it requires and nothing else. What only a rule in code asks for is not in it.
 * @param idFor gives the id for a field of this name
 */
export const smallestOf = (schema: z.ZodType, idFor: Fill = newId): unknown => {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  return smallestValue(root, root, '', idFor)
}
