import { describe, expect, it } from 'vitest'
import { type DayPlan, RouteTotals } from '../contract.ts'
import {
  comparedWith,
  evennessWords,
  fillLabel,
  isThrough,
  linesOf,
  movedPlan,
  overtaken,
  pinsOf,
  plannedMessage,
  searchedPlan,
  sharedReasons,
  shortDuration,
  toOptimize,
  windowLabel,
} from './plan.ts'

const totals: RouteTotals = RouteTotals.parse({
  stops: 0,
  driveSeconds: 0,
  driveMeters: 0,
  workSeconds: 0,
  shiftPercent: 0,
  laborCents: null,
  mileageCents: null,
  endMinute: null,
})
const stop = (visitId: string, place = true): DayPlan['crews'][number]['stops'][number] => ({
  visitId,
  jobNumber: 1,
  street: `${visitId} St`,
  city: '',
  customerName: 'R. Odom',
  title: 'Mowing',
  latitude: place ? 32 : null,
  longitude: place ? -81 : null,
  approximate: false,
  minutes: 30,
  startMinute: 430,
  driveSecondsBefore: 300,
  driveMetersBefore: 900,
  windowStartMinute: null,
  windowEndMinute: null,
  pinned: false,
  begun: false,
  status: 'scheduled',
  lateMinutes: 0,
  overShift: false,
})
const crew = (crewId: string, ids: string[]): DayPlan['crews'][number] => ({
  crewId,
  name: crewId,
  color: '#14432f',
  members: [],
  depot: { street: '', latitude: 32.1, longitude: -81.1 },
  shiftStartMinute: 420,
  shiftEndMinute: 960,
  works: true,
  status: null,
  dirty: false,
  publishedAt: null,
  ordered: true,
  stops: ids.map((id) => stop(id)),
  homeDriveSeconds: 60,
  totals,
  booked: totals,
  violations: [],
})
const plan: DayPlan = {
  day: '2026-06-15',
  today: '2026-06-15',
  can: { change: true },
  estimated: 'all',
  crews: [crew('a', ['1', '2', '3']), crew('b', ['4'])],
  unplaced: [
    {
      visitId: '9',
      street: '9 St',
      city: '',
      customerName: '',
      title: '',
      day: '2026-06-15',
      daysLate: 0,
      budgetMinutes: 60,
      windowStartMinute: null,
      windowEndMinute: null,
      latitude: 32.2,
      approximate: false,
      longitude: -81.2,
      places: [],
      reason: null,
    },
  ],
  totals,
  booked: totals,
  overCapacity: 0,
  plannedMs: null,
  undo: null,
}
const order = (p: DayPlan) => [
  ...p.crews.map((c) => c.stops.map((s) => s.visitId).join('')),
  p.unplaced.map((v) => v.visitId).join(''),
]

describe('ways to share a day out', () => {
  it('are named with what they cost against the one chosen, money only for who may see it', () => {
    const choices = [
      { evenness: 'cost' as const, moreDriveSeconds: 0, moreCents: 0, apartMinutes: 300 },
      { evenness: 'hour' as const, moreDriveSeconds: 600, moreCents: 900, apartMinutes: 55 },
      { evenness: 'even' as const, moreDriveSeconds: 2100, moreCents: 3310, apartMinutes: 4 },
    ]
    const words = (chosen: 'cost' | 'even', seen = choices) =>
      evennessWords({ chosen, choices: seen }).map((choice) => choice.words)
    expect(words('cost')).toEqual(['Crews end within an hour: +10 min, +$9', 'Crews end together: +35 min, +$33'])
    expect(words('even')).toEqual(['Least driving: −35 min, −$33', 'Crews end within an hour: −25 min, −$24'])
    const hidden = choices.map((choice) => ({ ...choice, moreCents: null })) as never
    expect(words('even', hidden)).toEqual(['Least driving: −35 min', 'Crews end within an hour: −25 min'])
  })
})

describe('a dropped stop stands where it was dropped', () => {
  it.each([
    [{ visitId: '1', crewId: 'a', position: 2 }, ['231', '4', '9']],
    [{ visitId: '3', crewId: 'a', position: 0 }, ['312', '4', '9']],
    [{ visitId: '2', crewId: 'b', position: 0 }, ['13', '24', '9']],
    [{ visitId: '9', crewId: 'b' }, ['123', '49', '']],
    [{ visitId: '4', crewId: null }, ['123', '', '94']],
    [{ visitId: 'x', crewId: 'a' }, ['123', '4', '9']],
  ])('%o', (to, expected) => expect(order(movedPlan(plan, to))).toEqual(expected))
})

describe('a search that goes on', () => {
  it('shows its best plan so far, also of a day on which nothing had a crew', () => {
    const day = plan.day
    const run = {
      visitIds: ['1', '9', '4'],
      crewDays: [
        { crewId: 'b', day },
        { crewId: 'a', day },
      ],
    }
    const loose = { ...plan, crews: [crew('a', []), crew('b', [])], unplaced: plan.unplaced }
    const live = searchedPlan(plan, run, '0:bu|1:c0,2:ci')
    // 2 and 3 are no part of the search
    expect(order(live)).toEqual(['9423', '1', ''])
    expect(live).toMatchObject({ can: { change: false }, totals: { stops: 5 } })
    expect(live.crews[0]?.stops[0]).toMatchObject({ startMinute: 432, driveSecondsBefore: 0 })
    expect(searchedPlan(loose, run, '|1:c0')).toMatchObject({ unplaced: [], totals: { stops: 1 } })
  })
})

describe('the map', () => {
  it('shows stops, what has no crew and one depot for both crews', () => {
    const pins = pinsOf(plan, { crewId: 'b', visitId: '4' })
    expect(pins.map((p) => [p.id, p.kind ?? 'stop', p.label ?? '', p.faded ?? false, p.selected ?? false])).toEqual([
      ['9', 'customer', '', false, false],
      ['1', 'stop', 1, true, false],
      ['2', 'stop', 2, true, false],
      ['3', 'stop', 3, true, false],
      ['4', 'stop', 1, false, true],
      ['depot-a', 'depot', '', false, false],
    ])
    expect(pins.at(-1)?.name).toBe('Depot of a, b')
  })
  it('draws a line from the depot and back, without stops that have no place', () => {
    const one = { ...plan, crews: [{ ...crew('a', []), stops: [stop('1'), stop('2', false)] }] }
    expect(linesOf(one, null)[0]?.points).toHaveLength(3)
  })
})

describe('words', () => {
  it('says windows', () => {
    expect(windowLabel({ windowStartMinute: 480, windowEndMinute: 600 })).toBe('8–10 AM')
    expect(windowLabel({ windowStartMinute: null, windowEndMinute: 600 })).toBe('by 10 AM')
    expect(windowLabel({ windowStartMinute: 780, windowEndMinute: null })).toBe('from 1 PM')
    expect(windowLabel({ windowStartMinute: 690, windowEndMinute: 780 })).toBe('11:30 AM – 1 PM')
    expect(windowLabel({ windowStartMinute: null, windowEndMinute: null })).toBeNull()
  })
  it('says how full a day is', () => {
    expect(fillLabel({ ...crew('a', ['1']), totals: { ...totals, shiftPercent: 106 } })).toBe('1 stop · 106% of shift')
    expect(fillLabel({ ...crew('a', []), works: false })).toBe('off today')
    expect([shortDuration(11520), shortDuration(2460)]).toEqual(['3 h 12', '41 min'])
  })
  it('compares like with like', () => {
    const t = (stops: number, driveSeconds: number) => ({ ...totals, stops, driveSeconds })
    expect(comparedWith({ before: t(5, 90), after: t(5, 50), booked: t(5, 80) }).label).toBe('before')
    expect(comparedWith({ before: t(0, 0), after: t(5, 50), booked: t(5, 80) }).label).toBe('as booked')
  })
})

describe('a day whose hours have passed', () => {
  const first = plan.crews[0]
  const begun = {
    ...plan,
    crews: plan.crews.map((c) => ({ ...c, stops: c.stops.map((s) => ({ ...s, begun: true })) })),
  }
  it('is said of crews that should be an hour on their way and have begun nothing', () => {
    expect(overtaken(plan, 430 + 59)).toBeNull()
    expect(overtaken(plan, 430 + 60)).toMatchObject({ firstMinute: 430, names: expect.arrayContaining([first?.name]) })
  })
  it('is nobody else’s: not of crews at work, not of another day', () => {
    expect(overtaken(begun, 1200)).toBeNull()
    expect(overtaken({ ...plan, day: '2026-06-16' }, 1200)).toBeNull()
  })
})

describe('what could not be placed', () => {
  const full = { reason: 'Every crew is full.', advice: 'Move some to Friday.' }
  const dog = { reason: 'Two people are needed.', advice: null }
  it.each([
    [[full, full, dog, full], [{ ...full, count: 3 }]],
    [
      [dog, full, dog, full, full],
      [
        { ...full, count: 3 },
        { ...dog, count: 2 },
      ],
    ],
    [[full, { ...full, advice: null }, { reason: null, advice: null }], []],
  ])('%j has its shared reasons said once', (unplaced, shared) => expect(sharedReasons(unplaced)).toEqual(shared))
})

describe('a search is spoken of only where it can be begun', () => {
  const day = (stops: unknown[], unplaced: unknown[], works = true) =>
    ({ can: { change: true }, crews: [{ works, stops }], unplaced }) as unknown as DayPlan
  it.each([
    ['nothing is booked', day([], []), false],
    ['something waits with a place', day([], [{ latitude: 32 }]), true],
    ['what waits has no place', day([], [{ latitude: null }]), false],
    ['stops are left', day([{ begun: false }], []), true],
    ['every stop is begun', day([{ begun: true }], []), false],
    ['no crew works', day([], [{ latitude: 32 }], false), false],
  ])('%s', (_, plan, offered) => expect(toOptimize(plan, { kind: 'none' }).offered).toBe(offered))
})

it('a crew is through when its day was closed or every stop is over, never before it has one', () => {
  const stops = (...states: string[]) => states.map((status) => ({ status })) as DayPlan['crews'][number]['stops']
  const through = (status: DayPlan['crews'][number]['status'], ...states: string[]) =>
    isThrough({ status, stops: stops(...states) })
  expect(through('started', 'completed', 'skipped', 'missed')).toBe(true)
  expect(through('started', 'completed', 'scheduled')).toBe(false)
  expect(through('started', 'in_progress')).toBe(false)
  expect(through('started')).toBe(false)
  expect(through('closed', 'scheduled')).toBe(true)
})

it.each([
  [0, 'Planned at once'],
  [99, 'Planned at once'],
  [100, 'Planned in 0.1 s'],
  [2_340, 'Planned in 2.3 s'],
])('a plan that took %i ms says "%s"', (ms, words) => expect(plannedMessage(ms)).toBe(words))
