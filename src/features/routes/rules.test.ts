import { describe, expect, it } from 'vitest'
import {
  addTotals,
  crewsToPublish,
  laborOnRoadCents,
  mileageCents,
  nextStep,
  noTotals,
  publishedTitle,
  runActions,
  runRefusals,
  savedMessage,
  shiftPercent,
} from './rules.ts'

describe('money on the road', () => {
  it.each([
    [3600, 4480, 4480],
    [11520, 7500, 24000],
    [0, 4480, 0],
    [1, 4480, 1],
  ])('%i s at %i cents an hour', (seconds, rate, cents) => expect(laborOnRoadCents(seconds, rate)).toBe(cents))
  it('counts miles', () => expect(mileageCents(1609.344 * 71, 67)).toBe(4757))
})

describe('totals', () => {
  it('adds crews with stops and takes the last end', () => {
    const one = { ...noTotals, stops: 3, driveSeconds: 60, laborCents: 10, shiftPercent: 90, endMinute: 900 }
    const two = { ...noTotals, stops: 1, driveSeconds: 30, laborCents: 5, shiftPercent: 50, endMinute: 950 }
    expect(addTotals([one, two, noTotals])).toMatchObject({
      stops: 4,
      driveSeconds: 90,
      laborCents: 15,
      shiftPercent: 70,
      endMinute: 950,
    })
    expect(addTotals([one, { ...two, laborCents: null }]).laborCents).toBeNull()
    expect(addTotals([])).toEqual(noTotals)
  })
  it('fills a shift', () => {
    const shift = { startMinute: 420, endMinute: 960, breakMinutes: 30 }
    expect([510, 541, 0].map((minutes) => shiftPercent(minutes * 60, shift))).toEqual([100, 106, 0])
  })
})

describe('words', () => {
  it('says what was saved, or nothing', () => {
    expect(savedMessage(11520, 19560)).toBe('41% less than in booked order')
    expect([savedMessage(100, 100), savedMessage(110, 100), savedMessage(0, 0), savedMessage(999, 1000)]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
  it('tells a crew its day', () => {
    const route = { day: '2026-06-16', stops: 14, firstMinute: 430, again: false }
    expect(publishedTitle(route)).toBe('Your route for Tue, Jun 16: 14 stops, first at 7:10 AM')
    expect(publishedTitle({ ...route, stops: 1, again: true })).toBe(
      'Your route for Tue, Jun 16 changed: 1 stop, first at 7:10 AM',
    )
    expect(publishedTitle({ ...route, stops: 0 })).toBe('Your route for Tue, Jun 16 is empty now')
  })
})

describe('the next step', () => {
  const crew = (change: object = {}) => ({
    crewId: 'a',
    status: null as string | null,
    dirty: false,
    ordered: true,
    stops: [{ begun: false }, { begun: true }],
    ...change,
  })
  it.each([
    [[crew({ ordered: false })], 0, { kind: 'optimize', stops: 1 }],
    [[crew()], 2, { kind: 'optimize', stops: 3 }],
    [[crew()], 0, { kind: 'publish', crewIds: ['a'] }],
    [[crew({ status: 'published' })], 0, { kind: 'none' }],
    [[crew({ status: 'published', dirty: true })], 0, { kind: 'publish', crewIds: ['a'] }],
    [[crew({ stops: [] })], 0, { kind: 'none' }],
    [[], 2, { kind: 'none' }],
  ])('%#', (crews, due, expected) =>
    expect(
      nextStep({
        can: { change: true },
        crews,
        unplaced: Array.from({ length: due }, () => ({ places: [1], reason: null })),
      }),
    ).toEqual(expected),
  )
  it('plans nothing for what fits nowhere, and nothing on a day that is over', () => {
    expect(nextStep({ can: { change: true }, crews: [crew()], unplaced: [{ places: [], reason: 'Full.' }] }).kind).toBe(
      'publish',
    )
    expect(nextStep({ can: { change: false }, crews: [crew()], unplaced: [] }).kind).toBe('none')
    expect(nextStep({ can: { change: true }, crews: [crew()], unplaced: [{ places: [], reason: null }] }).kind).toBe(
      'optimize',
    )
  })
  it('sends an emptied route again', () =>
    expect(crewsToPublish([crew({ status: 'published', dirty: true, stops: [] })])).toEqual(['a']))
})

it.each([
  ['running', ['stopRun']],
  ['proposed', ['applyRun', 'dismissRun']],
  ['applied', []],
  ['kept', []],
  ['dismissed', []],
  ['failed', []],
])('a search that is %s can be asked for %j', (status, may) => {
  expect(runActions.filter((action) => runRefusals[action]({ status }) === null)).toEqual(may)
})
