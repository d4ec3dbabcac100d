import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adviceFor, changeKind, changesLabel, gapWarning, mustNotify, readStops, writeStops } from './rules.ts'

const place = (day: string, crewId: string | null, startMinute: number | null = 480) => ({ day, crewId, startMinute })

describe('what became of a visit', () => {
  it.each([
    [place('2026-06-15', 'a'), place('2026-06-16', 'a'), 'other-day'],
    [place('2026-06-15', null), place('2026-06-16', 'a'), 'other-day'],
    [place('2026-06-15', null), place('2026-06-15', 'a'), 'placed'],
    [place('2026-06-15', 'a'), place('2026-06-15', 'b'), 'other-crew'],
    [place('2026-06-15', 'a'), place('2026-06-15', null, null), 'dropped'],
    [place('2026-06-15', 'a', 480), place('2026-06-15', 'a', 509), null],
    [place('2026-06-15', 'a', 480), place('2026-06-15', 'a', 510), 'time'],
    [place('2026-06-15', 'a', null), place('2026-06-15', 'a', 510), null],
  ] as const)('%o to %o is %s', (from, to, kind) => expect(changeKind(from, to)).toBe(kind))

  it('is told to the customer when the day changes, or the time of what was sent', () => {
    expect(mustNotify({ kind: 'other-day', sent: false })).toBe(true)
    expect(mustNotify({ kind: 'skipped', sent: false })).toBe(true)
    expect(mustNotify({ kind: 'time', sent: false })).toBe(false)
    expect(mustNotify({ kind: 'time', sent: true })).toBe(true)
    expect(mustNotify({ kind: 'other-crew', sent: true })).toBe(false)
  })

  it('is said in words', () => {
    expect(changesLabel([{ kind: 'other-crew' }, { kind: 'other-day' }, { kind: 'other-day' }])).toBe(
      '2 stops to another day, 1 to another crew',
    )
    expect(changesLabel([])).toBeNull()
  })
})

describe('days between visits of one job', () => {
  const weekly = { daysSinceLast: 7, daysToNext: 7, minGapDays: 0, recurring: true }
  it.each([
    [1, null],
    [3, null],
    [4, 'Only 3 days before its next visit.'],
    [7, 'Falls on or after its next visit.'],
    [-4, 'Only 3 days after its last visit.'],
    [0, null],
  ])('a weekly lawn moved by %i days: %s', (moved, words) => expect(gapWarning(weekly, moved)).toBe(words))
  it('follows the service when it wants more', () =>
    expect(gapWarning({ daysSinceLast: 30, daysToNext: 30, minGapDays: 28, recurring: true }, 3)).toBe(
      'Only 27 days before its next visit.',
    ))
  it('says nothing of what does not repeat', () => expect(gapWarning({ ...weekly, recurring: false }, 7)).toBeNull())
})

it('says what to do about each reason, and where', () => {
  const visit = { customerId: 'c', jobId: 'j' }
  expect(adviceFor('off-map', visit)?.href).toContain('customerId=c')
  expect(adviceFor('too-long', visit)?.href).toContain('jobId=j')
  expect(adviceFor('full', visit)?.advice).toMatch(/another day/)
  expect(adviceFor('not-worth-it', visit)).toBeNull()
})

describe('stops in a message', () => {
  const stop = fc.record({ visit: fc.nat(5000), startMinute: fc.integer({ min: 0, max: 3000 }) })
  it('come back as they went', () =>
    fc.assert(
      fc.property(fc.array(fc.array(stop, { maxLength: 20 }), { minLength: 1, maxLength: 8 }), (routes) => {
        expect(readStops(writeStops(routes))).toEqual(routes)
      }),
    ))
  it('takes a thousand stops in one message', () => {
    const routes = Array.from({ length: 20 }, (_, r) =>
      Array.from({ length: 50 }, (_, i) => ({ visit: r * 50 + i, startMinute: 420 + i * 10 })),
    )
    expect(writeStops(routes).length).toBeLessThan(7400)
  })
  it('passes over what it cannot read', () =>
    expect(readStops('x,:,1:z|')).toEqual([[{ visit: 1, startMinute: 35 }], []]))
})
