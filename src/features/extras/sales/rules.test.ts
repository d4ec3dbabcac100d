import { expect, it } from 'vitest'
import type { ServiceUnit } from '../../services/rules.ts'
import { saleMinutes } from './rules.ts'

const rule = { fixedMinutes: 0, minutesPerKsqft: 0, minutesPerUnit: 0, difficultyPercent: [100, 100, 100, 100, 100] }

it.each<[string, ServiceUnit, Partial<typeof rule>, number, number]>([
  ['hours as sold', 'hour', {}, 2, 120],
  ['hours with what is always needed', 'hour', { fixedMinutes: 15 }, 2, 135],
  ['hours by a rule of their own', 'hour', { fixedMinutes: 15, minutesPerUnit: 30 }, 2, 75],
  ['the area that was sold, not the whole lawn', 'ksqft', { fixedMinutes: 5, minutesPerKsqft: 10 }, 2, 25],
  ['a visit over the whole lawn', 'visit', { minutesPerKsqft: 1 }, 1, 20],
  ['pieces', 'each', { minutesPerUnit: 10 }, 3, 30],
])('sold work takes %s', (_, unit, times, quantity, minutes) => {
  const service = { unit, timeRule: { ...rule, ...times }, priceRule: null }
  expect(saleMinutes(service, { measuredBy: 'lawn', size: 20_000, difficulty: 1, quantity })).toBe(minutes)
})
