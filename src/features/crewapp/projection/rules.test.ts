import { describe, expect, it } from 'vitest'
import type { DoorFacts } from '../../payments/door/rules.ts'
import type { Clock } from '../../timeclock/contract.ts'
import type { CrewBundle, CrewStop } from '../contract.ts'
import type { CommandPayload, CommandType, CrewCommand } from '../rules.ts'
import {
  currentStop,
  doorOf,
  mergeBundle,
  missingBeforeFinish,
  planOn,
  projectBundle,
  projectClock,
  projectStop,
  replaceDoor,
  replaceStop,
} from './rules.ts'

const aStop = (id: string, changes: Partial<CrewStop> = {}): CrewStop => ({
  id,
  version: 1,
  status: 'scheduled',
  order: 1,
  street: '132 Laurel Green Ct',
  unit: '',
  city: 'Savannah',
  state: 'GA',
  zip: '31419',
  latitude: 32.06,
  longitude: -81.1,
  customer: 'R. Odom',
  services: ['Mow'],
  instructions: '',
  notes: { dog: '', parking: '', noGo: '', property: '', mowHeightInches: 3.5, clippings: 'bag' },
  hasGateCode: false,
  budgetMinutes: 56,
  people: 2,
  windowStartMinute: null,
  windowEndMinute: null,
  plannedStartMinute: 430,
  driveSeconds: 240,
  driveMeters: 1900,
  checklist: [],
  checked: [],
  photoRequired: false,
  photos: { before: 0, after: 0, other: 0 },
  enRouteAt: null,
  startedAt: null,
  intervalStartedAt: null,
  finishedAt: null,
  workedSeconds: 0,
  skipReason: null,
  skipNote: '',
  rebooked: false,
  note: '',
  ...changes,
})

const bundleOf = (...stops: CrewStop[]): CrewBundle => ({
  today: '2026-06-12',
  timeZone: 'America/New_York',
  serverTime: '2026-06-12T12:00:00Z',
  days: [{ day: '2026-06-12', published: true, crew: null, homeMinutes: 0, stops }],
})
const stopsOf = (bundle: CrewBundle): CrewStop[] => bundle.days.flatMap((d) => d.stops)

let made = 0
const cmd = (type: CommandType, minute: number, visitId?: string, payload: CommandPayload = {}): CrewCommand => ({
  id: `c${made++}`,
  type,
  visitId,
  at: new Date(Date.UTC(2026, 5, 12, 12, minute)).toISOString(),
  payload,
})

describe('the day with what waits on the phone', () => {
  it('goes through a whole stop, pauses left out, and leaves the other stops alone', () => {
    const waiting = [
      cmd('en_route', 0, 'a'),
      cmd('start', 5, 'a'),
      cmd('pause', 15, 'a'),
      cmd('resume', 30, 'a'),
      cmd('check', 31, 'a', { item: 'Gate', done: true }),
      cmd('note', 32, 'a', { note: 'Wet at the back' }),
      cmd('finish', 40, 'a', { note: 'Sprinkler broken' }),
    ]
    const [a, b] = stopsOf(projectBundle(bundleOf(aStop('a'), aStop('b')), waiting, [{ visitId: 'a', kind: 'after' }]))
    expect(a).toMatchObject({
      status: 'completed',
      workedSeconds: 20 * 60,
      checked: ['Gate'],
      note: 'Wet at the back\nSprinkler broken',
      photos: { before: 0, after: 1, other: 0 },
    })
    expect(b).toEqual(aStop('b'))
  })

  it('shows nothing that the server would refuse, and nothing twice that it has already', () => {
    const canceled = bundleOf(aStop('a', { status: 'canceled' }))
    expect(stopsOf(projectBundle(canceled, [cmd('start', 1, 'a')]))[0]?.status).toBe('canceled')
    const done = bundleOf(aStop('a', { status: 'completed', workedSeconds: 60 }))
    const waiting = [cmd('start', 1, 'a'), cmd('finish', 9, 'a')]
    expect(stopsOf(projectBundle(done, waiting))[0]).toMatchObject({ status: 'completed', workedSeconds: 60 })
    const invalid = [cmd('skip', 1, 'a', { reason: 'other' })]
    expect(stopsOf(projectBundle(bundleOf(aStop('a')), invalid))[0]?.status).toBe('scheduled')
  })

  it('skips and takes it back', () => {
    const skip = cmd('skip', 1, 'a', { reason: 'dog' })
    const bundle = bundleOf(aStop('a'))
    expect(stopsOf(projectBundle(bundle, [skip]))[0]).toMatchObject({ status: 'skipped', skipReason: 'dog' })
    expect(stopsOf(projectBundle(bundle, [skip, cmd('undo_skip', 2, 'a')]))[0]).toEqual(aStop('a'))
  })

  it('keeps what a reply said when an older answer comes late', () => {
    const replied = replaceStop(bundleOf(aStop('a')), aStop('a', { version: 3, status: 'completed', order: 9 }))
    expect(stopsOf(replied)[0]).toMatchObject({ status: 'completed', order: 1 })
    const late = mergeBundle(replied, bundleOf(aStop('a', { version: 2, status: 'in_progress' }), aStop('b')))
    expect(stopsOf(late).map((s) => s.status)).toEqual(['completed', 'scheduled'])
    const newer = mergeBundle(replied, bundleOf(aStop('a', { version: 4, status: 'paused' })))
    expect(stopsOf(newer).map((s) => s.status)).toEqual(['paused'])
  })

  it('knows what to do next', () => {
    const [plan] = bundleOf(aStop('done', { status: 'completed' }), aStop('a'), aStop('b'), aStop('c')).days
    if (!plan) throw new Error('no day')
    expect(currentStop(plan, null)?.id).toBe('a')
    expect(currentStop(plan, 'c')?.id).toBe('c')
    expect(currentStop(plan, 'done')?.id).toBe('a')
    const worked = { ...plan, stops: plan.stops.map((s) => (s.id === 'b' ? { ...s, status: 'paused' as const } : s)) }
    expect(currentStop(worked, null)?.id).toBe('b')
    expect(currentStop({ ...plan, stops: [] }, null)).toBeNull()
  })

  it('says what is missing before a finish', () => {
    const checklist = [
      { text: 'Gate', required: true },
      { text: 'Blow', required: false },
    ]
    expect(missingBeforeFinish(aStop('a', { checklist, photoRequired: true }))).toEqual({
      ticks: ['Gate'],
      photo: true,
      record: false,
    })
    const ready = aStop('a', { checklist, checked: ['Gate'], photos: { before: 0, after: 1, other: 0 } })
    expect(missingBeforeFinish(ready)).toEqual({ ticks: [], photo: false, record: false })
  })

  it('counts a record that waits on the phone, and asks for one until nothing is lacking', () => {
    const treatment = { treats: true, squareFeet: 8000, records: 0, needed: true, keepOffUntil: null }
    const record = (whole: boolean) => cmd('treat', 0, 'a', { record: {}, whole })
    const lacking = projectStop(aStop('a', { treatment }), [record(false)])
    expect([lacking.treatment?.records, missingBeforeFinish(lacking).record]).toEqual([1, true])
    const done = projectStop(lacking, [record(true)])
    expect([done.treatment?.records, missingBeforeFinish(done).record]).toEqual([2, false])
    expect(missingBeforeFinish(projectStop(aStop('a', {}), [record(true)])).record).toBe(false)
  })
})

describe('the clock with what waits on the phone', () => {
  const clock: Clock = {
    state: 'off',
    since: null,
    clockedInAt: null,
    today: '2026-06-12',
    timeZone: 'America/New_York',
    serverTime: '2026-06-12T12:00:00Z',
    entries: [],
    week: {
      from: '2026-06-08',
      to: '2026-06-14',
      paidSeconds: 3600,
      days: [
        { day: '2026-06-11', workSeconds: 3600, breakSeconds: 0, paidSeconds: 3600 },
        { day: '2026-06-12', workSeconds: 0, breakSeconds: 0, paidSeconds: 0 },
      ],
    },
    forgotten: null,
  }
  const now = Date.UTC(2026, 5, 12, 14, 0)

  it('goes in, into a long break and back', () => {
    const waiting = [cmd('clock_in', 0), cmd('break_start', 30), cmd('break_end', 60)]
    const shown = projectClock(clock, waiting, now)
    expect(shown).toMatchObject({ state: 'working', clockedInAt: '2026-06-12T12:00:00.000Z', since: waiting[2]?.at })
    expect(shown.week.days[1]).toMatchObject({ workSeconds: 90 * 60, breakSeconds: 30 * 60 })
    expect(shown.week.paidSeconds).toBe(3600 + 90 * 60)
    expect(projectClock(clock, [...waiting, cmd('clock_out', 90)], now).state).toBe('off')
  })

  it('says since when somebody is back who clocked out in between', () => {
    const waiting = [cmd('clock_in', 0), cmd('clock_out', 30), cmd('clock_in', 90)]
    expect(projectClock(clock, waiting, now)).toMatchObject({ state: 'working', clockedInAt: waiting[2]?.at })
  })

  it('does not begin twice what the server knows already', () => {
    const open = { id: 'e', kind: 'work' as const, startedAt: '2026-06-12T12:00:00Z', endedAt: null, flagged: null }
    const known = { ...clock, state: 'working' as const, entries: [open] }
    expect(projectClock(known, [cmd('clock_in', 0)], now).entries).toEqual([open])
  })

  it('begins a new day and a new week without a signal', () => {
    const old = {
      id: 'e',
      kind: 'work' as const,
      startedAt: '2026-06-12T12:00:00Z',
      endedAt: '2026-06-12T20:00:00Z',
      flagged: null,
    }
    const monday = Date.UTC(2026, 5, 15, 12, 0)
    const wake = { ...cmd('clock_in', 0), at: '2026-06-15T11:00:00.000Z' }
    const shown = projectClock({ ...clock, entries: [old] }, [wake], monday)
    expect(shown).toMatchObject({ state: 'working', today: '2026-06-15', clockedInAt: wake.at })
    expect(shown.entries.map((e) => e.startedAt)).toEqual([wake.at])
    expect([shown.week.from, shown.week.paidSeconds]).toEqual(['2026-06-15', 3600])
  })

  it('leaves yesterday behind when somebody forgot to clock out', () => {
    const open = { id: 'e', kind: 'work' as const, startedAt: '2026-06-11T11:00:00Z', endedAt: null, flagged: null }
    const forgotten = { id: 'e', startedAt: open.startedAt, suggestedEnd: '2026-06-11T20:00:00Z' }
    const known = { ...clock, state: 'working' as const, entries: [open], forgotten }
    expect(projectClock(known, [], now)).toMatchObject({ state: 'working', forgotten, clockedInAt: null })
    const answered = projectClock(known, [cmd('clock_out', 0, undefined, { endedAt: '2026-06-11T20:30:00Z' })], now)
    expect(answered).toMatchObject({ state: 'off', forgotten: null })
    expect(projectClock(known, [cmd('clock_in', 1)], now)).toMatchObject({ state: 'working', forgotten: null })
  })
})

const aDoor = (changes: Partial<DoorFacts> = {}): DoorFacts => ({
  visitIds: ['front', 'back'],
  asOf: '2026-06-12T12:00:00.000Z',
  owedCents: 4500,
  withoutCard: null,
  takesTips: false,
  creditCents: 0,
  open: [{ name: 'INV-1001', dueOn: '2026-06-20', cents: 4500 }],
  openCount: 1,
  email: null,
  phone: null,
  language: 'en',
  receipts: [],
  ...changes,
})
const doorsOf = (...doors: DoorFacts[]): CrewBundle => ({
  today: '2026-06-12',
  timeZone: 'America/New_York',
  serverTime: '2026-06-12T12:00:00Z',
  days: [],
  doors,
})
const owed = (bundle: CrewBundle, visitId = 'back') => doorOf(bundle, visitId)?.owedCents

describe('what is owed at a door, on a phone', () => {
  const paid = aDoor({ visitIds: ['front'], asOf: '2026-06-12T12:05:00.000Z', owedCents: 0 })

  it('is after a reply what the reply says, at every stop of the customer and at no other', () => {
    const after = replaceDoor(doorsOf(aDoor(), aDoor({ visitIds: ['other'], owedCents: 700 })), paid)
    expect([owed(after), owed(after, 'front'), owed(after, 'other'), owed(after, 'unknown')]).toEqual([
      0,
      0,
      700,
      undefined,
    ])
  })

  it('is never what an answer says that was on its way while the money was booked', () => {
    const after = replaceDoor(doorsOf(aDoor()), paid)
    const late = mergeBundle(after, doorsOf(aDoor({ asOf: '2026-06-12T12:04:59.000Z' })))
    expect(owed(late)).toBe(0)
    const newer = mergeBundle(late, doorsOf(aDoor({ asOf: '2026-06-12T12:06:00.000Z', owedCents: 900 })))
    expect(owed(newer)).toBe(900)
  })

  it('is gone with the right to take it', () => {
    const { doors: _, ...without } = doorsOf()
    expect(mergeBundle(doorsOf(aDoor()), without)).not.toHaveProperty('doors')
  })

  it('stays in the bundle while commands wait', () => {
    const payload = { amountCents: 4500, method: 'cash' as const }
    const waiting = [{ id: 'one', type: 'collect' as const, visitId: 'front', at: '2026-06-12T12:00:00Z', payload }]
    expect(projectBundle(doorsOf(aDoor()), waiting).doors).toHaveLength(1)
  })
})

describe('a stop that is under way at midnight', () => {
  const plan = (day: string, stops: CrewStop[]) => ({ day, published: true, crew: null, homeMinutes: 0, stops })
  const bundle = (today: string, days: CrewBundle['days']): CrewBundle => ({
    today,
    timeZone: 'America/New_York',
    serverTime: `${today}T12:00:00Z`,
    days,
  })
  const [day, next] = ['2026-06-12', '2026-06-13']
  const ids = (one: CrewBundle) => planOn(one, next)?.stops.map(({ id, begunOn }) => [id, begunOn])
  const kept = bundle(day, [
    plan(day, [aStop('over', { status: 'completed' }), aStop('begun', { status: 'in_progress' }), aStop('open')]),
    plan(next, [aStop('new')]),
  ])

  it('comes first on the new day, also without an answer of the server since', () => {
    expect(ids(kept)).toEqual([
      ['begun', day],
      ['new', undefined],
    ])
    expect(planOn(kept, day)?.stops).toHaveLength(3)
    expect(planOn(kept, '2026-06-14')).toBeNull()
  })

  it('is not lost to an answer that knows nothing yet of a start on this phone, and not kept against one that knows its end', () => {
    const fresh = bundle(next, [plan(next, [aStop('new')])])
    const merged = mergeBundle(kept, fresh)
    expect(ids(merged)).toEqual([['new', undefined]])
    const start: CrewCommand = { id: 'c', type: 'start', visitId: 'open', at: `${day}T03:50:00Z`, payload: {} }
    expect(ids(projectBundle(merged, [start]))).toEqual([
      ['open', day],
      ['new', undefined],
    ])
    // once the server knows it, it stands there once
    const known = bundle(next, [plan(next, [aStop('open', { status: 'in_progress', begunOn: day }), aStop('new')])])
    expect(ids(mergeBundle(merged, known))).toEqual([
      ['open', day],
      ['new', undefined],
    ])
  })
})
