import { describe, expect, it } from 'vitest'
import { usualSkips } from '../businesses/skips/rules.ts'
import {
  actualSpan,
  backAtMinute,
  dayTotals,
  laborMinutes,
  nextStatus,
  onSiteMinutes,
  type PacedStop,
  paceOf,
  restAhead,
  shortName,
  skipReasons,
  type VisitStatus,
  type VisitVerb,
  visitStatuses,
  visitVerbs,
  workedSecondsAt,
} from './rules.ts'

describe('the states of a visit', () => {
  const allowed: [VisitVerb, VisitStatus, VisitStatus][] = [
    ['move', 'unscheduled', 'scheduled'],
    ['move', 'scheduled', 'scheduled'],
    ['move', 'en_route', 'scheduled'],
    ['unschedule', 'scheduled', 'unscheduled'],
    ['unschedule', 'en_route', 'unscheduled'],
    ['leave', 'scheduled', 'en_route'],
    ['start', 'scheduled', 'in_progress'],
    ['start', 'en_route', 'in_progress'],
    ['pause', 'in_progress', 'paused'],
    ['resume', 'paused', 'in_progress'],
    ['finish', 'in_progress', 'completed'],
    ['finish', 'paused', 'completed'],
    ['finish', 'en_route', 'completed'],
    ['finish', 'scheduled', 'completed'],
    ['skip', 'scheduled', 'skipped'],
    ['skip', 'en_route', 'skipped'],
    ['skip', 'in_progress', 'skipped'],
    ['skip', 'paused', 'skipped'],
    ['unskip', 'skipped', 'scheduled'],
    ['cancel', 'unscheduled', 'canceled'],
    ['cancel', 'scheduled', 'canceled'],
    ['cancel', 'en_route', 'canceled'],
    ['miss', 'unscheduled', 'missed'],
    ['miss', 'scheduled', 'missed'],
    ['miss', 'en_route', 'missed'],
    ['forgo', 'missed', 'skipped'],
    ['revive', 'missed', 'unscheduled'],
    ['revive', 'skipped', 'unscheduled'],
    ['reopen', 'completed', 'paused'],
    ['reopen', 'skipped', 'scheduled'],
    ['reopen', 'canceled', 'scheduled'],
  ]
  it.each(visitVerbs)('%s goes only where the table says', (verb) => {
    for (const status of visitStatuses) {
      const row = allowed.find(([v, s]) => v === verb && s === status)
      expect(nextStatus(verb, status), `${verb} of ${status}`).toBe(row?.[2] ?? null)
    }
  })
  it('asks for words only where the reason has none', () => {
    expect(usualSkips.filter((rule) => rule.needsNote).map((rule) => rule.code)).toEqual(['other'])
    expect(usualSkips.map((rule) => rule.code)).toEqual([...skipReasons])
  })
})

describe('time on site', () => {
  const nine = Date.parse('2026-06-12T13:00:00Z')
  it.each([
    ['running', { status: 'in_progress', workedSeconds: 60, intervalStartedAt: '2026-06-12T12:50:00Z' }, 660],
    ['paused', { status: 'paused', workedSeconds: 60, intervalStartedAt: null }, 60],
    [
      'a phone clock ahead of ours',
      { status: 'in_progress', workedSeconds: 5, intervalStartedAt: '2026-06-12T13:05:00Z' },
      5,
    ],
  ] as const)('%s', (_, visit, expected) => expect(workedSecondsAt(visit, nine)).toBe(expected))
  it('shares a budget among people and multiplies it back', () => {
    expect([onSiteMinutes(56, 2), onSiteMinutes(1, 4), onSiteMinutes(0, 2), onSiteMinutes(30, 0)]).toEqual([
      28, 1, 0, 30,
    ])
    expect(laborMinutes(28 * 60, 2)).toBe(56)
  })
})

const stop = (status: VisitStatus, minutes = 30, workedMinutes = 0, driveMinutesBefore = 6): PacedStop => ({
  status,
  minutes,
  workedMinutes,
  driveMinutesBefore,
})

describe('a crew day', () => {
  it('counts finished and remaining, and not what the office canceled', () => {
    const stops = [stop('completed'), stop('skipped'), stop('in_progress'), stop('scheduled'), stop('canceled')]
    expect(dayTotals(stops)).toEqual({ total: 4, finished: 1, skipped: 1, remaining: 2, canceled: 1 })
  })
  it('learns the pace from two stops or more, within bounds', () => {
    expect(paceOf([stop('completed', 30, 60)])).toBe(1)
    expect(paceOf([stop('completed', 30, 36), stop('completed', 30, 36)])).toBeCloseTo(1.2)
    expect(paceOf([stop('completed', 30, 300), stop('completed', 30, 300)])).toBe(2)
    expect(paceOf([stop('completed', 30, 0), stop('completed', 30, 0)])).toBe(1)
  })
  const day = { shiftStartMinute: 420, homeMinutes: 10 }
  it.each([
    ['a day not begun starts with the shift', [stop('scheduled'), stop('scheduled')], 400, 420 + 72 + 10],
    ['a late start counts from now', [stop('scheduled')], 500, 500 + 36 + 10],
    ['a stop being worked has no drive before it', [stop('in_progress', 30, 10)], 600, 600 + 20 + 10],
    ['one that overruns still takes a moment', [stop('in_progress', 30, 45)], 600, 600 + 2 + 10],
    ['nothing left', [stop('completed', 30, 30), stop('skipped')], 600, null],
    ['an empty day', [], 600, null],
    ['a coming day', [stop('scheduled')], null, 420 + 36 + 10],
  ] as const)('%s', (_, stops, nowMinute, expected) =>
    expect(backAtMinute({ stops, nowMinute, ...day })).toBe(expected),
  )
})

describe('the break that a crew is still to have', () => {
  const planned = (startMinute: number, status: VisitStatus = 'scheduled') => ({
    ...{ id: String(startMinute), status, startMinute, minutes: 40, driveMinutesBefore: 10, workedMinutes: 0 },
  })
  // 8:00, 8:50, then half an hour at noon's place, 10:10, 11:00
  const day = (...states: VisitStatus[]) => [480, 530, 610, 660].map((start, at) => planned(start, states[at]))
  const anew = (...states: VisitStatus[]) => [480, 530, 700, 780].map((start, at) => planned(start, states[at]))
  const lunch = { breakMinutes: 30, takenMinutes: 0 }
  it.each([
    ['before it', day('in_progress'), lunch, 30],
    ['after it', day('completed', 'completed', 'in_progress'), lunch, 0],
    ['on the way from it', day('completed', 'completed', 'en_route'), lunch, 0],
    ['had before its time', day('in_progress'), { ...lunch, takenMinutes: 30 }, 0],
    ['had in part', day('in_progress'), { ...lunch, takenMinutes: 10 }, 20],
    ['a wait for a customer is none', day('in_progress'), { ...lunch, breakMinutes: 0 }, 0],
    ['a plan without one', [planned(480), planned(530), planned(581)], lunch, 0],
    ['nothing planned', [], lunch, 0],
    // what was done at 8:50 keeps its time, and the rest was planned anew for 11:40, with the break before 1:00
    ['planned anew at mid-day', anew('completed', 'completed'), lunch, 30],
    ['planned anew, and the next stop begun', anew('completed', 'completed', 'in_progress'), lunch, 30],
    ['planned anew, and begun after it', anew('completed', 'completed', 'completed', 'en_route'), lunch, 0],
    ['short gaps of a crew that has grown', [planned(480), planned(540), planned(600)], lunch, 0],
  ])('%s', (_name, stops, rest, expected) => expect(restAhead(stops, rest)).toBe(expected))

  const restBefore = (beforeVisitId: string | null) => ({ ...lunch, rest: { beforeVisitId, minutes: 30 } })
  it.each([
    ['before it', day('completed', 'in_progress'), restBefore('610'), 30],
    ['after it', day('completed', 'completed', 'in_progress'), restBefore('610'), 0],
    ['with a stop before it left out', day('completed', 'skipped'), restBefore('610'), 30],
    ['with the stop after it left out', day('completed', 'completed', 'skipped'), restBefore('610'), 30],
    [
      'with that one left out and the next begun',
      day('completed', 'completed', 'skipped', 'en_route'),
      restBefore('610'),
      0,
    ],
    ['planned anew at mid-day', anew('completed', 'completed', 'in_progress'), restBefore('780'), 30],
    ['before the way home', day('completed', 'completed', 'completed', 'in_progress'), restBefore(null), 30],
    ['had on the clock', day('completed'), { ...restBefore('610'), takenMinutes: 30 }, 0],
    ['had in part', day('completed'), { ...restBefore('610'), takenMinutes: 12 }, 18],
    ['a plan without one, whatever gaps it has', day('in_progress'), { ...lunch, rest: null }, 0],
    ['before a stop that has left the route', day('in_progress'), restBefore('elsewhere'), 30],
  ])('as the plan keeps it: %s', (_name, stops, rest, expected) => expect(restAhead(stops, rest)).toBe(expected))

  it('makes a crew that keeps to its plan back when its rows say so', () => {
    const stops = day('in_progress')
    const [last] = stops.slice(-1)
    const back = backAtMinute({
      ...{ stops, nowMinute: 480, shiftStartMinute: 470, homeMinutes: 15 },
      restMinutes: restAhead(stops, lunch),
    })
    expect(back).toBe((last?.startMinute ?? 0) + 40 + 15)
  })
})

it.each([
  ['Rebecca Odom', null, 'R. Odom'],
  ['Cher', null, 'Cher'],
  ['Ann & Bob Lee', null, 'Ann & Bob Lee'],
  ['Mary Jo Van Dyke', null, 'M. Dyke'],
  ['Rebecca Odom', 'Pine Hill HOA', 'Pine Hill HOA'],
])('shortens %s', (name, company, expected) => expect(shortName(name, company)).toBe(expected))

it.each([
  ['not begun', 'scheduled', null, null, null],
  ['begun', 'in_progress', 500, null, [500, null]],
  ['finished', 'completed', 500, 540, [500, 540]],
  ['finished without a start', 'completed', 540, 540, [510, 540]],
  ['broken off', 'skipped', 500, 505, [500, 505]],
  ['broken off, then taken back', 'scheduled', 500, null, null],
  ['broken off, then on the way again', 'en_route', 500, null, null],
  ['broken off, then missed', 'missed', 500, null, null],
] as const)('actualSpan: %s', (_name, status, started, finished, expected) => {
  const text = (minute: number | null) => (minute === null ? null : String(minute))
  const span = actualSpan({ status, startedAt: text(started), finishedAt: text(finished) }, 30, Number)
  expect(span && [span.startMinute, span.endMinute]).toEqual(expected)
})
