import { expect, it } from 'vitest'
import { commonSpan } from '../../../ui/stripLayout.ts'
import type { Dashboard } from '../contract.ts'
import { lanesOf } from './lanes.ts'

type Crew = Dashboard['crews'][number]
const stop = (visitId: string, startMinute: number, changes: Partial<Crew['stops'][number]> = {}) => ({
  visitId,
  label: visitId,
  customer: 'Ann',
  state: 'scheduled' as const,
  minutes: 30,
  driveMinutesBefore: 5,
  startMinute,
  actual: null,
  workedMinutes: 0,
  skipReason: null,
  ...changes,
})
const lanes = (stops: Crew['stops'], nowMinute: number, backAtMinute: number | null, unsent = 0) =>
  lanesOf({
    today: '2026-06-12',
    nowMinute,
    crews: [
      {
        crewId: 'c',
        name: 'A',
        color: 'red',
        members: [],
        shiftStartMinute: 420,
        shiftEndMinute: 960,
        published: true,
        dirty: unsent > 0,
        unsent,
        routeStatus: 'started',
        stops,
        counts: { total: 0, finished: 0, skipped: 0, remaining: 0, canceled: 0 },
        backAtMinute,
      },
    ],
  })
const placed = (...stops: Crew['stops']) =>
  lanes(stops, 600, null)[0]?.stops.map(({ id, startMinute, minutes }) => [id, startMinute, minutes])

it('draws what was worked when it was worked and as long as it took, and the rest from now on', () => {
  expect(
    placed(
      stop('a', 440, { state: 'completed', actual: { startMinute: 470, endMinute: 515 } }),
      stop('b', 480),
      stop('c', 520, { state: 'completed', actual: { startMinute: 425, endMinute: 450 } }),
      stop('d', 560, { state: 'in_progress', actual: { startMinute: 530, endMinute: null } }),
    ),
  ).toEqual([
    ['c', 425, 25],
    ['a', 470, 45],
    ['d', 530, 70],
    ['b', 605, 30],
  ])
})

it('a stop of the morning that is opened again is as long as it took, and moves no other one', () => {
  const next = stop('b', 480, { state: 'completed', actual: { startMinute: 468, endMinute: 500 }, workedMinutes: 32 })
  const reopened = (changes: Partial<Crew['stops'][number]>) =>
    lanes([stop('a', 440, { workedMinutes: 30, ...changes }), next], 922, null)[0]?.stops.map(
      ({ id, startMinute, minutes }) => [id, startMinute, minutes],
    )
  const after = ['b', 468, 32]
  expect(reopened({ state: 'paused', actual: { startMinute: 438, endMinute: null } })).toEqual([['a', 438, 30], after])
  expect(reopened({ state: 'completed', actual: { startMinute: 438, endMinute: 923 } })).toEqual([
    ['a', 438, 30],
    after,
  ])
  expect(reopened({ state: 'in_progress', actual: { startMinute: 438, endMinute: null } })).toEqual([
    after,
    ['a', 892, 30],
  ])
})

it('a crew that has begun nothing at 7:20 PM has an axis to when it is back', () => {
  expect(commonSpan(lanes([stop('a', 440)], 1160, 1230), 1160)).toEqual({ startMinute: 420, endMinute: 1260 })
})

it('says of a crew that was given more than it was sent', () => {
  expect(lanes([], 927, null, 1)[0]?.rightSub).toBe('all done · 1 more not sent')
  expect(lanes([], 927, null)[0]?.rightSub).toBe('all done')
})
