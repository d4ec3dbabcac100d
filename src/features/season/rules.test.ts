import { describe, expect, it } from 'vitest'
import { weekdayOf } from '../../shared/dates.ts'
import {
  acceptanceRefusals,
  changesSince,
  earliestOf,
  fromRefusal,
  mayDo,
  moveText,
  newWorkText,
  nobodyToTell,
  overText,
  overWhy,
  type PlannedWork,
  runRefusals,
  suggestedOf,
  weeksOf,
  whyMove,
} from './rules.ts'

const job = {
  jobId: 'j1',
  name: 'A. Odom',
  street: '1 Oak St',
  lat: 32,
  lng: -81,
  crewId: 'north',
  slots: [{ weekday: 2, everyWeeks: 1, week: 0, minutes: 30 }],
  fixed: null,
  keepsWeek: false,
  keepDay: false,
  skills: [] as string[],
}
const crew = {
  id: 'north',
  name: 'North',
  lat: 32,
  lng: -81,
  days: [1, 2],
  shiftSeconds: { 1: 30_000, 2: 30_000 },
  people: 2,
  skills: [] as string[],
}
const work: PlannedWork = { jobs: [job], crews: [crew] }

describe('what changed since a plan was made', () => {
  it.each([
    ['nothing', work, []],
    ['another crew', { ...work, jobs: [{ ...job, crewId: 'south' }] }, ['A. Odom, 1 Oak St, has another crew']],
    [
      'another day',
      { ...work, jobs: [{ ...job, slots: [{ ...job.slots[0]!, weekday: 4 }] }] },
      ['A. Odom, 1 Oak St, has other days'],
    ],
    [
      'other minutes',
      { ...work, jobs: [{ ...job, slots: [{ ...job.slots[0]!, minutes: 50 }] }] },
      ['A. Odom, 1 Oak St, takes another time'],
    ],
    ['a kept day', { ...work, jobs: [{ ...job, keepDay: true }] }, ['A. Odom, 1 Oak St, keeps its day now']],
    ['another place', { ...work, jobs: [{ ...job, lat: 33 }] }, ['A. Odom, 1 Oak St, is at another place on the map']],
    ['an end', { ...work, jobs: [] }, ['A. Odom, 1 Oak St, is in no plan any more']],
    ['a new job', { ...work, jobs: [job, { ...job, jobId: 'j2', street: '2 Oak St' }] }, ['A. Odom, 2 Oak St, is new']],
    [
      'hours',
      { ...work, crews: [{ ...crew, shiftSeconds: { 1: 30_000, 2: 20_000 } }] },
      ['North has other days or hours'],
    ],
    ['hours of a day off', { ...work, crews: [{ ...crew, shiftSeconds: { ...crew.shiftSeconds, 6: 1 } }] }, []],
    ['people', { ...work, crews: [{ ...crew, people: 3 }] }, ['North has another number of people']],
    ['a depot', { ...work, crews: [{ ...crew, lng: -80 }] }, ['North starts somewhere else']],
    ['a new crew', { ...work, crews: [crew, { ...crew, id: 's', name: 'South' }] }, ['South is a new crew']],
  ])('%s', (_, now, changes) => {
    expect(changesSince(work, now)).toEqual(changes)
    // The order in which the database hands out the parts of a record says nothing.
    const turned = JSON.parse(JSON.stringify({ ...job, slots: [{ minutes: 30, week: 0, everyWeeks: 1, weekday: 2 }] }))
    expect(changesSince({ ...work, jobs: [turned] }, now)).toEqual(changes)
  })
})

describe('words and days', () => {
  it('says only what changes of a move', () => {
    const name = (id: string) => ({ n: 'North', s: 'South' })[id] ?? id
    const from = { crewId: 'n', day: 2, week: 0 }
    expect(moveText({ from, to: { crewId: 's', day: 4, week: 1 }, everyWeeks: 2 }, name)).toBe(
      'Tue to Thu, week A to B, North to South',
    )
    expect(moveText({ from, to: { ...from, week: 2 }, everyWeeks: 4 }, name)).toBe('week 1 to 3 of 4')
    expect(moveText({ from, to: { ...from, day: 5 }, everyWeeks: 1 }, name)).toBe('Tue to Fri')
    expect(whyMove({ before: 1, after: 1 }, from, from, 0)).toBe(
      '1 lawn within 5 min on both days; the way to it is shorter',
    )
    expect(overText({ day: 2, week: 1, overSeconds: 90, todaySeconds: 0 }, 'North', 2)).toBe(
      'North on Tuesday, week B, would be 2 min over its hours',
    )
    expect(overText({ day: 3, week: 0, overSeconds: 31_140, todaySeconds: 30_960 }, 'Islands', 1)).toBe(
      'Islands on Wednesday would be 8 h 39 min over its hours, 8 h 36 min today',
    )
    expect(whyMove({ before: 3, after: 1 }, from, { ...from, day: 5 }, 1800)).toBe(
      'Tuesday is over its hours today; there is room here',
    )
  })

  it('says why a day stays over its hours', () => {
    const facts = { roomSeconds: 30_600, kept: { jobs: 0, seconds: 0 }, longest: 3600, stopped: false }
    expect(overWhy(facts)).toBe('no other day of a crew that does this work has room for more of it')
    expect(overWhy({ ...facts, kept: { jobs: 9, seconds: 32_400 } })).toBe('9 jobs that keep their day take 9 h of it')
    expect(overWhy({ ...facts, longest: 36_000 })).toBe('one stop alone takes 10 h')
    expect(overWhy({ ...facts, roomSeconds: 0 })).toBe('a day off of this crew: what stands there stays')
    expect(overWhy({ ...facts, stopped: true })).toBe('the search was stopped before it found room')
  })

  it('lets work come to crews that did all of it, or that have no past', () => {
    const crews = [
      { name: 'North', services: ['mow', 'beds'] },
      { name: 'South', services: ['mow'] },
      { name: 'Treatments', services: ['spray'] },
      { name: 'New', services: null },
    ]
    const names = (services: string[]) => mayDo(services, crews).map(({ name }) => name)
    expect(names(['mow'])).toEqual(['North', 'South', 'New'])
    expect(names(['mow', 'beds'])).toEqual(['North', 'New'])
    // Nobody did it: the past says nothing.
    expect(names(['leaves'])).toEqual(['North', 'South', 'Treatments', 'New'])
    const ofAnOlderPlan: { services?: string[] } = {}
    expect(mayDo(['mow'], [ofAnOlderPlan])).toHaveLength(1)
    expect(newWorkText(['mow'], crews[1]!)).toBeNull()
    expect(newWorkText(['leaves'], crews[1]!)).toBe('South has not done this work in the last year: see that it can')
    expect(newWorkText(['mow'], crews[3]!)).toBe('New finished no visit in the last year: see that it can do this work')
  })

  it('counts the weeks of a season, also over the turn of the year', () => {
    expect(weeksOf([{ from: '03-01', to: '11-30' }])).toBe(39)
    expect(weeksOf([{ from: '01-01', to: '12-31' }])).toBe(52)
    expect(weeksOf([{ from: '10-01', to: '03-31' }])).toBe(26)
  })

  it('begins after today and after what crews were sent, on a Monday a week on', () => {
    expect(earliestOf('2026-04-06', null)).toBe('2026-04-07')
    expect(earliestOf('2026-04-06', '2026-04-09')).toBe('2026-04-10')
    for (let n = 0; n < 9; n++) {
      const today = `2026-04-${String(6 + n).padStart(2, '0')}`
      const day = suggestedOf(earliestOf(today, null), today)
      expect([weekdayOf(day), day >= today]).toEqual([1, true])
    }
    expect(fromRefusal('2026-04-10', '2026-04-10')).toBeNull()
    expect(fromRefusal('2026-04-09', '2026-04-10')).toContain('Choose Fri, Apr 10 or later')
  })
})

it('refuses what a search or a step cannot have done with it', () => {
  const ready = { status: 'ready', kind: 'plan', staleCount: 0, openMoves: 3 }
  expect(runRefusals.accept(ready)).toBeNull()
  expect(runRefusals.accept({ ...ready, kind: 'whatif' })).toContain('never taken over')
  expect(runRefusals.accept({ ...ready, staleCount: 1 })).toContain('changed since')
  expect(runRefusals.accept({ ...ready, openMoves: 0 })).toContain('Nobody')
  expect([runRefusals.stop(ready), runRefusals.stop({ ...ready, status: 'running' })]).toEqual([
    'This search is over.',
    null,
  ])
  const step = { moves: 3, undoneMoves: 0, known: true, lettersAt: null }
  expect([acceptanceRefusals.undo(step), acceptanceRefusals.send(step)]).toEqual([null, null])
  expect(acceptanceRefusals.undo({ ...step, known: false })).toContain('After a month')
  // Who was told can be told that their day stays after all.
  expect(acceptanceRefusals.send({ ...step, undoneMoves: 3, lettersAt: '2026-04-06T12:00:00Z' })).toBeNull()
  expect(acceptanceRefusals.send({ ...step, undoneMoves: 3 })).toContain('taken back')
  expect(nobodyToTell(step)).toContain('told already')
})
