import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays } from '../../../shared/dates.ts'
import { linePrice, nextStepAfter, priceOn, stepsOf, withoutStep, withStep } from './rules.ts'

const today = '2026-06-01'
const days = Array.from({ length: 40 }, (_, ahead) => addDays(today, ahead))
const steps = fc.uniqueArray(
  fc.record({ on: fc.constantFrom(...days.slice(1)), cents: fc.integer({ min: 1, max: 99 }) }),
  {
    selector: ({ on }) => on,
    maxLength: 4,
  },
)

it('a price from a day on holds until the next one, whatever else is ahead', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(...days), (ahead, on) => {
      const line = linePrice(100, ahead)
      const step = { on, cents: 500 }
      const now = withStep(line, step, today)
      const until = nextStepAfter(line, on)
      for (const day of days)
        expect(priceOn(now, day)).toBe(day >= on && (until === null || day < until) ? 500 : priceOn(line, day))
    }),
  )
})

it('of several, each is taken back alone, in whatever order, and all of them leave what was', () => {
  fc.assert(
    fc.property(steps, fc.nat(), (ahead, seed) => {
      const all = ahead.reduce((line, step) => withStep(line, step, today), linePrice(100))
      const order = ahead.toSorted((a, b) => ((a.cents * 7 + seed) % 11) - ((b.cents * 7 + seed) % 11))
      const left = order.reduce((line, step, at) => {
        const next = withoutStep(line, { ...step, before: -1 }, today)
        expect(next && stepsOf(next)).toEqual(order.slice(at + 1).toSorted((a, b) => (a.on < b.on ? -1 : 1)))
        return next ?? line
      }, all)
      expect(left).toEqual(linePrice(100))
    }),
  )
})

it('a price of today goes back to the one before it, and only while it is what the line costs', () => {
  const line = withStep(linePrice(100, [{ on: '2026-06-20', cents: 300 }]), { on: today, cents: 200 }, today)
  expect(line).toEqual(linePrice(200, [{ on: '2026-06-20', cents: 300 }]))
  expect(withoutStep(line, { on: today, cents: 200, before: 100 }, '2026-06-05')).toEqual(
    linePrice(100, [{ on: '2026-06-20', cents: 300 }]),
  )
  expect(withoutStep(line, { on: today, cents: 250, before: 100 }, today)).toBeNull()
})
