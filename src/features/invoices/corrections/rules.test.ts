import { expect, it } from 'vitest'
import { takeFrom } from './rules.ts'

it('takes from the first parts first, never more than is wanted, and nothing out of what is below zero', () => {
  const taken = (cents: number[], wanted: number) =>
    takeFrom(
      cents.map((one) => ({ cents: one })),
      wanted,
    ).map((one) => one.cents)
  expect(taken([300, 200], 400)).toEqual([300, 100])
  expect(taken([300, 200], 900)).toEqual([300, 200])
  expect(taken([-50, 300], 100)).toEqual([100])
})
