import { describe, expect, it } from 'vitest'
import { linesOf, usualItems } from './checks/rules.ts'
import { dueOf, paceOf, readingProblem, readingText } from './rules.ts'

const day = '2026-06-12'
const plan = { everyTenths: 500, everyMonths: null, lastTenths: 10_000, lastOn: '2026-04-01' }

describe('a reading', () => {
  const before = { tenths: 12_345, on: '2026-06-10' }
  it.each([
    [12_345, day, null],
    [12_344, day, 'lower'],
    [12_345 + 3 * 240, day, null],
    [12_345 + 3 * 240 + 1, day, 'far'],
  ] as const)('of %i on %s beside 1,234.5 h two days before: %s', (tenths, on, problem) =>
    expect(readingProblem({ tenths, on }, 'hours', before, null)).toBe(problem),
  )
  it('that comes late has to be below the one after it', () => {
    const after = { tenths: 12_400, on: day }
    expect(readingProblem({ tenths: 12_390, on: '2026-06-11' }, 'hours', before, after)).toBeNull()
    expect(readingProblem({ tenths: 12_401, on: '2026-06-11' }, 'hours', before, after)).toBe('higher')
  })
  it('is read with its unit', () => {
    expect([readingText(12_345, 'hours'), readingText(12_340, 'hours'), readingText(482_104, 'miles')]).toEqual([
      '1,234.5 h',
      '1,234 h',
      '48,210 mi',
    ])
  })
})

describe('the pace', () => {
  it('is that of the last four weeks, from where the meter last went back', () => {
    const readings = [
      { tenths: 900, on: '2026-06-12' },
      { tenths: 700, on: '2026-06-02' },
      { tenths: 5000, on: '2026-05-25' },
    ]
    expect(paceOf(readings, day)).toBe(20)
  })
  it('needs two readings some days apart, the last of them not long ago', () => {
    expect(paceOf([{ tenths: 900, on: day }], day)).toBeNull()
    expect(
      paceOf(
        [
          { tenths: 900, on: day },
          { tenths: 880, on: '2026-06-09' },
        ],
        day,
      ),
    ).toBeNull()
    expect(
      paceOf(
        [
          { tenths: 900, on: '2026-03-01' },
          { tenths: 1, on: '2026-01-01' },
        ],
        day,
      ),
    ).toBeNull()
  })
})

describe('service', () => {
  it('is foreseen by the pace, two weeks ahead', () => {
    const reading = { tenths: 10_240, on: day }
    expect(dueOf(plan, reading, 20, day)).toEqual({ state: 'soon', on: '2026-06-25', foreseen: true, leftTenths: 260 })
    expect(dueOf(plan, reading, 10, day).state).toBe('later')
  })
  it('is near without a pace when a tenth of its interval is left, and over when none is', () => {
    expect(dueOf(plan, { tenths: 10_449, on: day }, null, day).state).toBe('later')
    expect(dueOf(plan, { tenths: 10_450, on: day }, null, day)).toMatchObject({ state: 'soon', on: null })
    expect(dueOf(plan, { tenths: 10_500, on: day }, null, day).state).toBe('overdue')
  })
  it('by months and by the meter is due by what comes first', () => {
    const both = { ...plan, everyMonths: 3 }
    expect(dueOf(both, { tenths: 10_000, on: day }, 20, day)).toMatchObject({ on: '2026-07-01', foreseen: false })
    expect(dueOf(both, { tenths: 10_400, on: day }, 20, day)).toMatchObject({ on: '2026-06-17', foreseen: true })
    expect(dueOf({ ...both, everyMonths: 2 }, { tenths: 10_000, on: day }, 20, day).state).toBe('overdue')
  })
  it('by the meter alone is unknown before the first reading', () =>
    expect(dueOf(plan, null, null, day)).toEqual({ state: 'later', on: null, foreseen: false, leftTenths: null }))
})

it('a crew looks at each point on each piece of its kind, and at its own once', () => {
  const lines = linesOf(usualItems, [
    { id: 'a', kind: 'mower' },
    { id: 'b', kind: 'mower' },
    { id: 'c', kind: 'other' },
  ])
  expect(lines.map(({ equipmentId, items }) => [equipmentId, items.length])).toEqual([
    ['a', 2],
    ['b', 2],
    ['c', 0],
    [null, 3],
  ])
})
