import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type EntryKind, entryKinds } from '../rules.ts'
import { type SiteTime, segmentsOf } from './rules.ts'

const at = (minute: number): string => new Date(Date.UTC(2026, 5, 12, 11) + minute * 60_000).toISOString()
const entry = (kind: EntryKind, from: number, to: number) => ({ kind, startedAt: at(from), endedAt: at(to) })
const site = (leftAt: number | null, from: number, to: number | null): SiteTime => ({
  leftAt: leftAt === null ? null : at(leftAt),
  startedAt: at(from),
  endedAt: to === null ? null : at(to),
})
const minutes = (found: ReturnType<typeof segmentsOf>) =>
  Object.fromEntries(Object.entries(found).map(([name, seconds]) => [name, seconds / 60]))

it('tells the stops from the ways between them, the yard, the rain and the break', () => {
  const day = [entry('work', 0, 200), entry('break', 200, 230), entry('rain', 230, 260), entry('shop', 260, 300)]
  expect(minutes(segmentsOf(day, [site(10, 20, 60), site(null, 75, 120)], 0))).toEqual({
    onSite: 85,
    drive: 25,
    shop: 10 + 80 + 40,
    rain: 30,
    break: 30,
  })
})

it('counts a stop that goes on up to now, and only the time that this person was there', () => {
  const late = [{ kind: 'work' as const, startedAt: at(30), endedAt: null }]
  expect(minutes(segmentsOf(late, [site(null, 10, null)], Date.parse(at(50))))).toMatchObject({ onSite: 20, drive: 0 })
})

it('adds up to the whole time on the clock, whatever the stops are', () => {
  const stop = fc
    .tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 120 }))
    .map(([from, way, long]) => site(from, from + way, from + way + long))
  const spells = fc
    .array(fc.tuple(fc.constantFrom(...entryKinds), fc.integer({ min: 1, max: 200 })), { maxLength: 8 })
    .map((parts) => {
      let from = 0
      return parts.map(([kind, long]) => {
        from += long
        return entry(kind, from - long, from)
      })
    })
  fc.assert(
    fc.property(spells, fc.array(stop, { maxLength: 8 }), (day, stops) => {
      const found = Object.values(segmentsOf(day, stops, 0))
      const whole = day.reduce((sum, one) => sum + (Date.parse(one.endedAt) - Date.parse(one.startedAt)) / 1000, 0)
      expect(found.reduce((sum, seconds) => sum + seconds, 0)).toBe(whole)
      expect(Math.min(...found)).toBeGreaterThanOrEqual(0)
    }),
  )
})
