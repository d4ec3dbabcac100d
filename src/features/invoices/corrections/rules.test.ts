import { expect, it } from 'vitest'
import { mostCredit, takeFrom } from './rules.ts'

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

it('credit that goes on an invoice is what is free, and a deposit of other work only once it is chosen', () => {
  const there = {
    creditCents: 5000,
    boundCredit: [
      { paymentId: 'a', restCents: 20_000 },
      { paymentId: 'b', restCents: 30_000 },
    ],
  }
  const most = (balanceCents: number, ...chosen: string[]) =>
    mostCredit({ balanceCents, ...there }, new Set(chosen)).cents
  expect(most(45_000)).toBe(5000)
  expect(most(45_000, 'b')).toBe(35_000)
  expect(most(45_000, 'a', 'b')).toBe(45_000)
  expect(most(3000)).toBe(3000)
})
