import { describe, expect, it } from 'vitest'
import { mealDue, mealFaultsOf, mealRuleLabel, mealRuleOf, mealRules } from './rules.ts'

const start = Date.parse('2026-06-10T14:00:00Z')
const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString()
let id = 0
const spell = (from: number, to: number | null, kind: 'work' | 'break' = 'work') => ({
  id: `${++id}`,
  kind,
  startedAt: at(from),
  endedAt: to === null ? null : at(to),
  flagged: null,
})
/** Work with breaks: [from, to] in hours. */
const day = (until: number, ...breaks: [number, number][]) => {
  const spells = []
  let from = 0
  for (const [a, b] of breaks) {
    spells.push(spell(from, a), spell(a, b, 'break'))
    from = b
  }
  return [...spells, spell(from, until)]
}
const now = start + 24 * 3_600_000
const faults = (state: string, entries: ReturnType<typeof day>) => mealFaultsOf(entries, mealRuleOf(state), now)

describe('what the law of a state asks', () => {
  it.each([
    ['CA', 'five hours owe none', day(5), []],
    ['CA', 'a minute more does', day(5.02), ['meal_missing']],
    ['CA', 'in time', day(8.5, [4, 4.5]), []],
    ['CA', 'by the end of the fifth hour', day(8.5, [5, 5.5]), []],
    ['CA', 'late', day(8.5, [5.5, 6]), ['meal_late']],
    ['CA', 'short', day(8.4, [4, 4.4]), ['meal_short']],
    ['CA', 'a second over ten hours', day(11, [4, 4.5]), ['meal_missing']],
    ['CA', 'both', day(11.5, [4, 4.5], [9, 9.5]), []],
    ['WA', 'over five', day(6, [3, 3.5]), []],
    ['WA', 'late', day(8, [6, 6.5]), ['meal_late']],
    ['OR', 'six hours owe one', day(6), ['meal_missing']],
    ['NY', 'six do not', day(6), []],
    ['NY', 'over six', day(6.1), ['meal_missing']],
    ['CO', 'over five', day(5.1), ['meal_missing']],
    ['IL', 'twenty minutes are enough', day(8, [4, 4 + 1 / 3]), []],
    ['IL', 'by the fifth hour', day(8, [6, 6.5]), ['meal_late']],
    ['NV', 'eight hours', day(8), ['meal_missing']],
    ['GA', 'no law, nothing said', day(12), []],
    ['TX', 'no law, nothing said', day(12), []],
  ])('%s: %s', (state, _, entries, expected) => expect(faults(state, entries)).toEqual(expected))

  it('time off the clock in the middle of the day is a meal', () => {
    expect(faults('CA', [spell(0, 4), spell(4.6, 9)])).toEqual([])
  })
  it('every rule names where it is written', () => {
    for (const [state, rule] of Object.entries(mealRules)) expect(rule?.source, state).toMatch(/\d/)
    expect(mealRuleLabel(mealRuleOf('CA') ?? (undefined as never))).toBe(
      'a meal of 30 min over 5 hours, begun by the end of hour 5, a second over 10 hours, rests of 10 paid minutes for every 4 hours',
    )
  })
})

describe('the phone reminds', () => {
  const due = (state: string, hours: number, entries = [spell(0, null)]) =>
    mealDue(entries, mealRuleOf(state), start + hours * 3_600_000)
  it('half an hour before, until a meal was had', () => {
    expect(due('CA', 4.4)).toBeNull()
    expect(due('CA', 4.5)).toBe(at(5))
    expect(due('CA', 6)).toBe(at(5))
    expect(due('CA', 6, [spell(0, 3), spell(3, 3.5, 'break'), spell(3.5, null)])).toBeNull()
    expect(due('CA', 9.6, [spell(0, 3), spell(3, 3.5, 'break'), spell(3.5, null)])).toBe(at(10))
  })
  it('not on a break, not off the clock, and nowhere without a law', () => {
    expect(due('CA', 6, [spell(0, 5), spell(5, null, 'break')])).toBeNull()
    expect(due('CA', 6, [spell(0, 5)])).toBeNull()
    expect(due('GA', 9)).toBeNull()
  })
})
