import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { speakPlainly } from './schemaWords.ts'

speakPlainly()

const wordsFor = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map((one) => one.message)

describe('a limit', () => {
  it('of money is said in dollars, as it was typed, also inside of a list', () => {
    const schema = z.object({
      amountCents: z.number().max(100_000_000),
      parts: z.array(z.object({ cents: z.number().min(50) })),
    })
    expect(wordsFor(schema, { amountCents: 100_000_001, parts: [{ cents: 1 }] })).toEqual([
      'At most $1,000,000.00',
      'At least $0.50',
    ])
  })

  it('of anything else is said as the number that it is', () => {
    expect(wordsFor(z.object({ count: z.number().max(1000) }), { count: 1001 })).toEqual(['At most 1,000'])
  })
})
