import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultServices } from './defaults/rules.ts'
import { measureOf, measures, needsMeasure, treatedSquareFeet } from './measures/rules.ts'
import {
  type Frequency,
  matrixOf,
  minutesFor,
  type PriceRule,
  priceFor,
  priceRuleProblem,
  priceRuleText,
  type Raise,
  raisedCents,
  raisedRule,
  ruleOfMatrix,
  takesNoTime,
  timeRuleText,
} from './rules.ts'

const named = (code: string) => {
  const found = defaultServices.find((s) => s.code === code)
  if (!found) throw new Error(code)
  return found
}
const mow = named('mow').priceRule
const flat = { difficultyPercent: [100, 100, 100, 100, 100], firstCutPercent: 100, roundToCents: 100 }
const even = { weekly: 100, biweekly: 100, monthly: 100, once: 100 }
const example: PriceRule = {
  ...flat,
  minCents: 4500,
  sizeAtMinSquareFeet: 5000,
  tiers: [{ upToSquareFeet: null, centsPerKsqft: 600 }],
  frequencyPercent: even,
}
const cents = (rule: PriceRule, squareFeet: number | null, frequency: Frequency = 'weekly', difficulty = 1) =>
  priceFor(rule, { measuredBy: 'lawn', size: squareFeet, frequency, difficulty }).cents

describe('priceFor', () => {
  it.each([
    ['the example of the field notes: 8,000 sq ft', example, 8000, 'weekly', 1, 6300],
    ['the minimum holds up to its size', example, 5000, 'weekly', 1, 4500],
    ['and below', example, 800, 'weekly', 1, 4500],
    ['an empty lawn pays the minimum', example, 0, 'weekly', 1, 4500],
    ['mowing 10,000 sq ft: 45 + 5 × 2.50 = 57.50, rounded up', mow, 10_000, 'weekly', 1, 5800],
    ['mowing 20,000: the end of the first tier', mow, 20_000, 'weekly', 1, 8300],
    ['mowing an acre: the second tier', mow, 43_560, 'weekly', 1, 12_400],
    ['every two weeks is 30 % more', mow, 10_000, 'biweekly', 1, 7500],
    ['a hard lawn is more', mow, 10_000, 'weekly', 3, 7200],
    ['the factors multiply the minimum too', mow, 5000, 'biweekly', 1, 5900],
  ] as const)('%s', (_name, rule, squareFeet, frequency, difficulty, expected) => {
    expect(cents(rule as PriceRule, squareFeet, frequency, difficulty)).toBe(expected)
  })

  it('never guesses: no lawn size, no price, and says why', () => {
    expect(priceFor(mow, { measuredBy: 'lawn', size: null, difficulty: 1, frequency: 'weekly' })).toEqual({
      cents: null,
      reason: needsMeasure.lawn,
    })
  })

  it('a price that does not grow with the lawn needs no size', () => {
    expect(cents(named('hedge').priceRule, null, 'once')).toBe(6500)
  })

  it('an overgrown first cut is half as much again', () => {
    expect(
      priceFor(mow, { measuredBy: 'lawn', size: 10_000, difficulty: 1, frequency: 'weekly', firstCut: true }).cents,
    ).toBe(8600)
  })

  it('grows with the lawn, keeps the minimum and the rounding', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...defaultServices),
        fc.integer({ min: 0, max: 500_000 }),
        fc.integer({ min: 0, max: 50_000 }),
        fc.constantFrom<Frequency>('weekly', 'biweekly', 'monthly', 'once'),
        fc.integer({ min: 1, max: 5 }),
        ({ priceRule }, squareFeet, more, frequency, difficulty) => {
          const small = cents(priceRule, squareFeet, frequency, difficulty) ?? -1
          const large = cents(priceRule, squareFeet + more, frequency, difficulty) ?? -1
          expect(large).toBeGreaterThanOrEqual(small)
          expect(small % priceRule.roundToCents).toBe(0)
          expect(small).toBeGreaterThan(priceRule.minCents - priceRule.roundToCents)
        },
      ),
    )
  })
})

describe('minutesFor', () => {
  const time = named('mow').timeRule
  it.each([
    ['a lot of 10,000 sq ft: 8 + 18', 10_000, 1, 26],
    ['rounded up', 5500, 1, 18],
    ['a hard lawn takes longer', 10_000, 3, 33],
  ])('%s', (_name, squareFeet, difficulty, expected) => {
    expect(minutesFor(time, { measuredBy: 'lawn', size: squareFeet, difficulty }).minutes).toBe(expected)
  })
  it('needs the lawn size when the time grows with it', () => {
    expect(minutesFor(time, { measuredBy: 'lawn', size: null, difficulty: 1 }).reason).toBe(needsMeasure.lawn)
    expect(
      minutesFor(named('hedge').timeRule, { measuredBy: 'beds', size: null, difficulty: 1, quantity: 2 }).minutes,
    ).toBe(120)
  })
})

describe('priceRuleProblem', () => {
  it.each([
    ['no rate', []],
    ['an open end that is missing', [{ upToSquareFeet: 5000, centsPerKsqft: 100 }]],
    [
      'ends that do not grow',
      [
        { upToSquareFeet: 5000, centsPerKsqft: 100 },
        { upToSquareFeet: 5000, centsPerKsqft: 90 },
        { upToSquareFeet: null, centsPerKsqft: 80 },
      ],
    ],
    [
      'an open end in the middle',
      [
        { upToSquareFeet: null, centsPerKsqft: 100 },
        { upToSquareFeet: null, centsPerKsqft: 80 },
      ],
    ],
  ])('finds %s', (_name, tiers) => {
    expect(priceRuleProblem({ ...example, tiers })).not.toBeNull()
  })
  it('is content with every default service, whose codes are unique', () => {
    for (const service of defaultServices) expect(priceRuleProblem(service.priceRule)).toBeNull()
    expect(new Set(defaultServices.map((s) => s.code)).size).toBe(defaultServices.length)
  })
})

it('says a rule in words', () => {
  expect(priceRuleText(mow)).toBe('$45 up to 5,000 sq ft, then $2.50 per 1,000 to 20,000, $1.75 above')
  expect(priceRuleText(named('hedge').priceRule, named('hedge'))).toBe('$65 per hour')
  expect(timeRuleText(named('mow').timeRule)).toBe('8 min + 1.8 min per 1,000 sq ft')
  expect(timeRuleText(named('hedge').timeRule, named('hedge'))).toBe('the hours booked')
  expect(timeRuleText(named('mulch').timeRule, named('mulch'))).toBe('10 min + 45 min a yard')
  const edging = named('edging')
  expect(priceRuleText(edging.priceRule, edging)).toBe('$65 up to 100 ft of edges, then $450 per 1,000')
  expect(timeRuleText(edging.timeRule, edging)).toBe('5 min + 150 min per 1,000 ft of edges')
  expect(priceRuleText(example, { unit: 'visit', measuredBy: 'beds' })).toBe(
    '$45 up to 5,000 sq ft of beds, then $6 per 1,000',
  )
})

describe('a raise', () => {
  const rule = mow
  const at = (squareFeet: number, one: PriceRule = rule) =>
    priceFor(one, { measuredBy: 'lawn', size: squareFeet, difficulty: 1, frequency: 'weekly' }).cents ?? 0
  const raise = (changes: Partial<Raise>): Raise => ({ percent: null, cents: null, rounding: 'cent', ...changes })

  it.each([
    [5800, raise({ percent: 4 }), 6032],
    [5800, raise({ percent: 4, rounding: 'dollar' }), 6100],
    [6000, raise({ percent: 5, rounding: 'dollar' }), 6300],
    [5800, raise({ percent: 4, rounding: 'five' }), 6500],
    [5500, raise({ cents: 500, rounding: 'five' }), 6000],
    [5500, raise({ cents: 250, rounding: 'dollar' }), 5800],
    [0, raise({ cents: 500 }), 0],
  ])('%i by %j is %i', (before, by, after) => expect(raisedCents(before, by)).toBe(after))

  it('of a rule raises every lawn by about as much, never less, and ends as was asked', () => {
    for (const percent of [0.1, 3, 4, 12.5, 100])
      for (const [rounding, step] of [
        ['dollar', 100],
        ['five', 500],
      ] as const) {
        const higher = raisedRule(rule, raise({ percent, rounding }))
        for (let feet = 0; feet < 60_000; feet += 777) {
          const [before, after] = [at(feet), at(feet, higher)]
          expect(after % step).toBe(0)
          expect(after).toBeGreaterThanOrEqual(before)
          expect(after).toBeLessThan(before * (1 + percent / 100) + step + 120)
        }
      }
  })
})

it.each([
  [0, 0, 0, true],
  [10, 0, 0, false],
  [0, 2, 0, false],
  [0, 0, 5, false],
])(
  'a service of %i minutes, %i for 1,000 sq ft and %i a unit takes no time: %s',
  (fixedMinutes, minutesPerKsqft, minutesPerUnit, none) =>
    expect(takesNoTime({ fixedMinutes, minutesPerKsqft, minutesPerUnit } as Parameters<typeof takesNoTime>[0])).toBe(
      none,
    ),
)

describe('the price matrix', () => {
  it.each(measures)(
    'prices by %s that are typed are what the rule then asks, however the prices round',
    (measuredBy) => {
      for (const [roundToCents, roundUp] of [
        [100, false],
        [100, true],
        [500, false],
        [500, true],
      ] as const)
        for (const steps of [
          [4500, 5500, 6700, 7800, 9900, 12_500],
          [3000, 3000, 3000, 3000, 3000, 3000],
          [4000, 9000, 9000, 15_000, 15_000, 40_000],
        ]) {
          const rule = { ...mow, roundToCents, roundUp }
          const wished = steps.map((cents) => Math.ceil(cents / roundToCents) * roundToCents)
          const made = ruleOfMatrix(rule, measuredBy, wished)
          expect(made && matrixOf(made, measuredBy)).toEqual(wished)
          expect(made && priceRuleProblem(made)).toBeNull()
        }
    },
  )
  it('a larger lawn never costs less', () => {
    expect(ruleOfMatrix(mow, 'lawn', [5000, 4000, 6000, 7000, 8000, 9000])).toBeNull()
  })
})

describe('what a service goes by', () => {
  const place = { lawnSquareFeet: 8000, bedSquareFeet: 600, edgeFeet: 240 }
  it.each([
    ['lawn', 8000],
    ['beds', 600],
    ['edges', 240],
  ] as const)('is the %s of a property: %i', (measuredBy, size) =>
    expect(measureOf({ measuredBy }, place)).toEqual({ measuredBy, size }),
  )

  it.each([
    ['beds', 'needs the size of the beds'],
    ['edges', 'needs the length of the edges'],
  ] as const)('is never the lawn where the %s are not measured', (measuredBy, reason) => {
    const measure = measureOf({ measuredBy }, { ...place, bedSquareFeet: null, edgeFeet: null })
    expect(priceFor(example, { ...measure, difficulty: 1, frequency: 'once' })).toEqual({ cents: null, reason })
    expect(minutesFor(named('mow').timeRule, { ...measure, difficulty: 1 })).toEqual({ minutes: null, reason })
  })

  it('says how much is treated: lawn and beds each once, edges have no surface', () => {
    const [lawn, beds, edges] = measures.map((measuredBy) => measureOf({ measuredBy }, place)) as never[]
    expect(treatedSquareFeet([lawn!, lawn!])).toBe(8000)
    expect(treatedSquareFeet([lawn!, beds!])).toBe(8600)
    expect(treatedSquareFeet([lawn!, edges!])).toBeNull()
    expect(treatedSquareFeet([lawn!, measureOf({ measuredBy: 'beds' }, { ...place, bedSquareFeet: null })])).toBeNull()
  })
})
