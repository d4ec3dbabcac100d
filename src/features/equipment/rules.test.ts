import { describe, expect, it } from 'vitest'
import { linesOf, usualItems } from './checks/rules.ts'
import { doneTenths, dueOf, earlierOf, paceOf, pastReadingMessage, readingProblem, readingText } from './rules.ts'

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

describe('a meter that was replaced', () => {
  const old = { tenths: 10_400, on: '2026-06-02', earlierTenths: 0 }
  const first = { tenths: 20, on: '2026-06-06', earlierTenths: earlierOf(old, 0) }
  it('counts on from the old one, also where the new one began at something', () => {
    expect(doneTenths(first)).toBe(10_420)
    expect(doneTenths({ tenths: 3_010, on: day, earlierTenths: earlierOf(old, 3_000) })).toBe(10_410)
  })
  it('hides no service: hours of both count', () => {
    const now = { ...first, tenths: 120, on: day }
    expect(dueOf(plan, now, null, day)).toMatchObject({ state: 'overdue', leftTenths: -20 })
    expect(paceOf([now, first, old], day)).toBe(12)
  })
})

it.each([
  [10_400, null],
  [10_200, /Jun 2 it read 1,040 h, which is more/],
  [10_700, /Jun 12 it read 1,060 h, which is less/],
  [99_999, /which is less/],
] as const)('a meter said to have read %i on a past day: %s', (tenths, said) => {
  const before = { tenths: 10_400, on: '2026-06-02' }
  const after = { tenths: 10_600, on: '2026-06-12' }
  const message = pastReadingMessage({ tenths, on: '2026-06-05' }, 'hours', before, after)
  if (said) expect(message).toMatch(said)
  else expect(message).toBeNull()
})
