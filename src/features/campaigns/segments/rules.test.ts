import { expect, it } from 'vitest'
import { Condition as Schema } from './contract.ts'
import { conditionKinds, conditionLabel, isWhole, newCondition } from './rules.ts'

it.each(conditionKinds)('%s begins as a condition that can be finished, and is said in words', (kind) => {
  const one = newCondition(kind)
  expect(one.kind).toBe(kind)
  expect(Schema.safeParse(one).success).toBe(isWhole(one))
  expect(conditionLabel(one, new Map())).toMatch(/^[A-Z]/)
})

it('names services, and says of one that is gone that it is', () => {
  const one = { kind: 'service' as const, has: false, serviceIds: ['a', 'b'] }
  expect(conditionLabel(one, new Map([['a', 'Aeration']]))).toBe(
    'Does not have Aeration or a service that is gone in a current job',
  )
})
