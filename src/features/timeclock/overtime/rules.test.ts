import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { federalRule, ruleFor, ruleLabel, splitWeek, stateRules, sumSplit } from './rules.ts'

const hours = (...days: number[]) => Array.from({ length: 7 }, (_, at) => Math.round((days[at] ?? 0) * 3600))
const inHours = (days: readonly number[], state: string, wage: number | null = 2000) => {
  const { regular, overtime, double } = sumSplit(splitWeek(days, ruleFor(state, wage)))
  return [regular / 3600, overtime / 3600, double / 3600]
}

describe('overtime', () => {
  it.each([
    ['GA', hours(10, 10, 10, 10), [40, 0, 0], 'forty in four days are no overtime'],
    ['GA', hours(10, 10, 10, 10, 5), [40, 5, 0], 'over forty'],
    ['CA', hours(10, 10, 10, 10), [32, 8, 0], 'over eight a day'],
    ['CA', hours(14), [8, 4, 2], 'double over twelve'],
    ['CA', hours(8, 8, 8, 8, 8, 8), [40, 8, 0], 'a sixth day over forty'],
    ['CA', hours(6, 6, 6, 6, 6, 6, 10), [36, 8, 2], 'the seventh day'],
    ['CA', hours(6, 6, 6, 6, 6, 0, 10), [38, 2, 0], 'no seventh day in a row'],
    ['CO', hours(13, 13, 10), [34, 2, 0], 'over twelve a day'],
    ['CO', hours(13, 13, 13, 13), [40, 12, 0], 'the greater of day and week'],
    ['AK', hours(9, 9), [16, 2, 0], 'over eight a day'],
    ['KY', hours(6, 6, 6, 6, 6, 6, 5), [36, 5, 0], 'the seventh day when over forty'],
    ['KY', hours(5, 5, 5, 5, 5, 5, 5), [35, 0, 0], 'a seventh day below forty'],
    ['TX', hours(8, 8, 8, 8, 8), [40, 0, 0], 'exactly forty'],
  ])('%s %#: %s', (state, days, expected) => expect(inHours(days, state)).toEqual(expected))

  it('counts Nevada’s day only for who earns less than one and a half times the minimum', () => {
    expect(inHours(hours(10), 'NV', 1799)).toEqual([8, 2, 0])
    expect(inHours(hours(10), 'NV', 1800)).toEqual([10, 0, 0])
    expect(inHours(hours(10), 'NV', null)).toEqual([8, 2, 0])
  })

  it('takes the week’s overtime from its end', () => {
    const split = splitWeek(hours(10, 10, 10, 10, 5), federalRule)
    expect(split.map((day) => day.overtime / 3600)).toEqual([0, 0, 0, 0, 5, 0, 0])
  })

  const week = fc.array(fc.integer({ min: 0, max: 86_400 }), { minLength: 7, maxLength: 7 })
  it.each(['GA', ...Object.keys(stateRules)])(
    '%s: no second is lost or paid twice, and never less than the federal law pays',
    (state) => {
      fc.assert(
        fc.property(week, (days) => {
          const rule = ruleFor(state, 1500)
          const split = splitWeek(days, rule)
          split.forEach((day, at) => {
            expect(day.regular + day.overtime + day.double).toBe(days[at])
            expect(Math.min(day.regular, day.overtime, day.double)).toBeGreaterThanOrEqual(0)
          })
          const { regular, overtime, double } = sumSplit(split)
          expect(regular).toBeLessThanOrEqual(rule.weeklyHours * 3600)
          const federal = sumSplit(splitWeek(days, federalRule))
          expect(overtime + double).toBeGreaterThanOrEqual(federal.overtime)
        }),
      )
    },
  )
  it.each(['GA', ...Object.keys(stateRules)])('%s: an hour more is never paid less', (state) => {
    const pay = (days: readonly number[]) => {
      const { regular, overtime, double } = sumSplit(splitWeek(days, ruleFor(state, 1500)))
      return regular * 2 + overtime * 3 + double * 4
    }
    fc.assert(
      fc.property(week, fc.integer({ min: 0, max: 6 }), (days, at) => {
        const more = days.map((seconds, one) => (one === at ? seconds + 3600 : seconds))
        expect(pay(more)).toBeGreaterThan(pay(days))
      }),
    )
  })

  it('says its source and itself in words', () => {
    for (const rule of Object.values(stateRules)) expect(rule.source).not.toBe('')
    expect(ruleLabel(federalRule)).toBe('over 40 hours a week')
    expect(ruleLabel(ruleFor('CA', null))).toBe(
      'over 8 hours a day and 40 a week; double over 12 hours a day; and the seventh day in a row',
    )
  })
})
