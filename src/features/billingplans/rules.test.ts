import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addGroups,
  billDay,
  choicesFor,
  countedCents,
  type Group,
  levelWords,
  monthGroups,
  monthLabel,
  monthsBetween,
  monthsLeft,
  monthsProblem,
  seasonName,
  seasonProblem,
  spread,
  standingLabel,
  sumOf,
} from './rules.ts'

const group = (propertyId: string, taxCategory: string, cents: number): Group => ({ propertyId, taxCategory, cents })

describe('months', () => {
  it('are billed on their day, or on their last one where they have no such day', () => {
    expect(['2027-01', '2027-02', '2028-02', '2027-04'].map((month) => billDay(month, 31))).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2028-02-29',
      '2027-04-30',
    ])
    expect(billDay('2027-02', 29)).toBe('2027-02-28')
  })
  it('are those of the season, over New Year too', () => {
    expect(monthsBetween('2027-11-15', '2028-02-01')).toEqual(['2027-11', '2027-12', '2028-01', '2028-02'])
    expect(monthLabel('2028-01')).toBe('January 2028')
  })
  it('come to the total, the first takes the cents', () => {
    expect(spread(100_000, 3)).toEqual([33_334, 33_333, 33_333])
    expect(levelWords(spread(100_000, 3))).toBe(
      'The first bill takes the 1 cent that does not divide by 3, so that together they come to the cent.',
    )
    expect(levelWords(spread(100_004, 8))).toContain('takes the 4 cents that do not divide by 8')
    for (const same of [spread(99_999, 3), spread(500, 1), [], [10, 20, 5], [500, 100, 100]])
      expect(levelWords(same)).toBeNull()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 1, max: 24 }), (total, parts) => {
        const all = spread(total, parts)
        expect(all.reduce((a, b) => a + b, 0)).toBe(total)
        expect(new Set(all.slice(1)).size).toBeLessThanOrEqual(1)
      }),
    )
  })
  it('that are over, twice or too far are refused, and a prepaid season has one', () => {
    const facts = { kind: 'budget' as const, today: '2027-05-20', startsOn: '2027-04-01' }
    expect(monthsProblem([], facts)).toMatch(/at least one/)
    expect(monthsProblem(['2027-04'], facts)).toMatch(/April 2027 is over/)
    expect(monthsProblem(['2027-05', '2027-05'], facts)).toMatch(/twice/)
    expect(monthsProblem(['2029-05'], facts)).toMatch(/too far/)
    expect(monthsProblem(['2027-05', '2027-06'], facts)).toBeNull()
    expect(monthsProblem(['2027-05', '2027-06'], { ...facts, kind: 'prepaid' })).toMatch(/billed once/)
    expect(seasonProblem('2027-04-01', '2027-03-01', '2027-02-01')).toMatch(/before it begins/)
    expect(seasonProblem('2027-01-01', '2027-03-01', '2027-05-01')).toMatch(/over already/)
    expect(seasonProblem('2027-04-01', '2027-10-31', '2027-05-01')).toBeNull()
  })
  it('that are left share what is not billed; null when more is billed already', () => {
    const left = [{ billOn: '2027-06-01' }, { billOn: '2027-07-01' }]
    expect(monthsLeft(10_001, 5_000, left)).toEqual([2_501, 2_500])
    expect(monthsLeft(4_000, 5_000, left)).toBeNull()
    expect(monthsLeft(5_000, 5_000, left)).toEqual([0, 0])
  })
})

describe('shares', () => {
  // No month takes anything back, so a share is never billed a whole cent too much, and at the end lacks what the others' roundings took.
  it('of all months together are those of the season, to the cent, whatever the months are', () => {
    const shares = fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        shares,
        fc.integer({ min: 1, max: 500_000 }),
        fc.integer({ min: 1, max: 24 }),
        (weights, total, months) => {
          fc.pre(weights.some((weight) => weight > 0))
          const groups = weights.map((cents, at) => group(`p${at % 2}`, `t${at}`, cents))
          let billed: Group[] = []
          for (const cents of spread(total, months)) {
            const month = monthGroups(cents, groups, billed)
            expect(sumOf(month)).toBe(cents)
            expect(month.every((one) => one.cents > 0)).toBe(true)
            billed = addGroups(billed, month)
          }
          expect(sumOf(billed)).toBe(total)
          const whole = weights.reduce((a, b) => a + b, 0)
          for (const one of billed) {
            const share = groups.find(({ taxCategory }) => taxCategory === one.taxCategory)?.cents ?? 0
            const overCents = one.cents - (total * share) / whole
            expect(overCents).toBeLessThan(1)
            expect(-overCents).toBeLessThan(Math.max(1, groups.length - 1))
          }
        },
      ),
    )
  })
  it('of finished work count as agreed', () => {
    expect(countedCents(50_000, { seasonCents: 95_000, listCents: 100_000 })).toBe(47_500)
    expect(countedCents(100_000, { seasonCents: 95_001, listCents: 100_000 })).toBe(95_001)
  })
})

describe('what is left', () => {
  it('is billed, credited or carried by what it is', () => {
    expect(choicesFor(0, { isOver: true, refundableCents: 5 })).toEqual(['none'])
    expect(choicesFor(100, { isOver: false, refundableCents: 5 })).toEqual(['bill', 'waive'])
    expect(choicesFor(100, { isOver: true, refundableCents: 5 })).toEqual(['bill', 'carry', 'waive'])
    expect(choicesFor(-100, { isOver: true, refundableCents: 5 })).toEqual(['credit', 'refund', 'carry'])
    expect(choicesFor(-100, { isOver: false, refundableCents: 0 })).toEqual(['credit'])
  })
  it('is said from the side of the customer', () => {
    expect([100, 0, -100].map(standingLabel)).toEqual(['$1.00 to bill', 'Even', '$1.00 billed ahead'])
  })
})

it.each([
  ['2026-11-01', '2026-11-30', 'Season 2026'],
  ['2027-01-01', '2027-12-31', 'Season 2027'],
  ['2026-11-01', '2027-10-31', 'Season 2026 to 2027'],
])('the season from %s to %s is called %s', (from, to, name) => {
  expect(seasonName(from, to)).toBe(name)
})
