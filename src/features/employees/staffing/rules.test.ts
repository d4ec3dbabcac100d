import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, covers } from '../../../shared/dates.ts'
import {
  clockSeconds,
  common,
  joined,
  less,
  type Put,
  partOffLabel,
  presenceOf,
  type Stretch,
  shiftOn,
  skillsOn,
  withoutCrew,
  withPut,
} from './rules.ts'

const first = '2028-02-20'
const day = (n: number) => addDays(first, n)
const days = Array.from({ length: 40 }, (_, n) => day(n))
const puts = fc.array(
  fc.record({ crewId: fc.constantFrom('a', 'b', 'c', null), at: fc.nat(38), length: fc.option(fc.nat(20)) }),
  { maxLength: 12 },
)
const asPut = ({ crewId, at, length }: { crewId: string | null; at: number; length: number | null }): Put => ({
  crewId,
  from: day(at),
  to: length === null ? null : day(at + length),
})
const crewsOn = (all: readonly Stretch[], on: string) => all.filter((one) => covers(one, on)).map((one) => one.crewId)

describe('stretches on crews', () => {
  it('give a person at most one crew a day, the last one asked for, over a leap day too', () => {
    fc.assert(
      fc.property(puts, (asked) => {
        const all = asked.map(asPut)
        const found = all.reduce<Stretch[]>(withPut, [])
        for (const on of days) {
          const last = all.findLast((put) => covers(put, on))
          expect(crewsOn(found, on)).toEqual(last?.crewId ? [last.crewId] : [])
        }
      }),
    )
  })

  it('keep what is around a day on another crew, and become one again when it is given back', () => {
    const home = [{ crewId: 'a', from: '2027-01-04', to: null }]
    const lent = withPut(home, { crewId: 'b', from: '2028-02-29', to: '2028-02-29' })
    expect(lent).toEqual([
      { crewId: 'a', from: '2027-01-04', to: '2028-02-28' },
      { crewId: 'b', from: '2028-02-29', to: '2028-02-29' },
      { crewId: 'a', from: '2028-03-01', to: null },
    ])
    expect(withPut(lent, { crewId: 'a', from: '2028-02-29', to: '2028-02-29' })).toEqual(home)
    expect(withoutCrew(lent, 'a', '2028-02-10')).toEqual([
      { crewId: 'a', from: '2027-01-04', to: '2028-02-09' },
      { crewId: 'b', from: '2028-02-29', to: '2028-02-29' },
    ])
  })
})

describe('what a crew is on a day', () => {
  const crew = {
    shiftStartMinute: 420,
    shiftEndMinute: 960,
    breakMinutes: 30,
    weekdayShifts: [{ weekday: 5, startMinute: 360, endMinute: 780, breakMinutes: 0 }],
  }
  it('its shift is that of the weekday', () => {
    expect(shiftOn(crew, '2026-11-27')).toEqual({ shiftStartMinute: 360, shiftEndMinute: 780, breakMinutes: 0 })
    expect(shiftOn(crew, '2026-11-26')).toMatchObject({ shiftStartMinute: 420, breakMinutes: 30 })
  })

  it.each([
    ['2026-11-22', ['u'], ['Aerator', 'applicator']],
    ['2026-11-23', ['u'], ['Aerator']],
    ['2026-11-22', [], ['Aerator']],
    ['2026-05-31', ['u'], ['Aerator']],
  ])('on %s with %j at work it can %j', (on, there, can) => {
    const license = { userId: 'u', skill: 'applicator', validFrom: '2026-06-01', expiresOn: '2026-11-22' }
    const people = there.map((userId) => ({ userId, skills: ['Applicator'] }))
    expect(skillsOn({ skills: ['Aerator', 'APPLICATOR '] }, people, [license], on)).toEqual(can)
  })

  it('a skill that nobody has a license for is had by writing it down', () => {
    expect(skillsOn({ skills: ['applicator'] }, [{ userId: 'u', skills: ['spanish'] }], [], '2026-11-22')).toEqual([
      'applicator',
      'spanish',
    ])
  })
})

it('spans are joined, cut and crossed day by day', () => {
  const span = fc.record({ at: fc.nat(38), length: fc.option(fc.nat(12)) }).map(({ at, length }) => ({
    from: day(at),
    to: length === null ? null : day(at + length),
  }))
  const off = fc.record({ at: fc.nat(38), length: fc.nat(9) }).map(({ at, length }) => ({
    from: day(at),
    to: day(at + length),
  }))
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), fc.array(off, { maxLength: 6 }), span, (spans, offs, other) => {
      const left = less(joined(spans), offs)
      for (const on of days) {
        const wanted = spans.some((one) => covers(one, on)) && !offs.some((one) => covers(one, on))
        expect(left.some((one) => covers(one, on))).toBe(wanted)
        const both = joined(spans).flatMap((one) => common(one, other) ?? [])
        expect(both.some((one) => covers(one, on))).toBe(spans.some((one) => covers(one, on)) && covers(other, on))
      }
    }),
  )
})

describe('a part of a day off', () => {
  const shift = { shiftStartMinute: 420, shiftEndMinute: 960 }
  const off = (startMinute: number, endMinute: number) => ({ startMinute, endMinute })
  it.each([
    [[[], []], [[420, 960, 2]]],
    [
      [[], [off(780, 960)]],
      [
        [420, 780, 2],
        [780, 960, 1],
      ],
    ],
    [
      [[off(360, 540)]],
      [
        [420, 540, 0],
        [540, 960, 1],
      ],
    ],
    [
      [[off(600, 660)], [off(600, 660)]],
      [
        [420, 600, 2],
        [600, 660, 0],
        [660, 960, 2],
      ],
    ],
    [[[off(0, 300)]], [[420, 960, 1]]],
  ])('%j: who is there when %j', (offs, expected) => {
    expect(presenceOf(shift, offs).map((one) => [one.fromMinute, one.toMinute, one.people])).toEqual(expected)
  })

  it.each([
    [420 * 60, 120, 60],
    [770 * 60, 60, 50],
    [800 * 60, 60, 60],
    [950 * 60, 60, 60],
  ])('from %i on %i labor minutes take %i', (from, labor, minutes) => {
    expect(clockSeconds(presenceOf(shift, [[], [off(780, 960)]]), from, labor * 60) / 60).toBe(minutes)
  })

  it('of nobody there takes no part, and work of no minutes takes none', () => {
    const alone = presenceOf(shift, [[off(660, 720)]])
    expect([0, 1].map((labor) => clockSeconds(alone, 660 * 60, labor * 60) / 60)).toEqual([60, 61])
    expect(clockSeconds(alone, 600 * 60, 0)).toBe(0)
  })

  it('is told as people say it', () => {
    expect([off(420, 600), off(780, 960), off(600, 660)].map((one) => partOffLabel('Ann', one, shift))).toEqual([
      'Ann from 10:00 AM',
      'Ann until 1:00 PM',
      'Ann off 10:00 AM to 11:00 AM',
    ])
  })
})
