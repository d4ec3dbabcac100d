import { expect, it } from 'vitest'
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
const placed = (...stops: Crew['stops']) =>
  lanesOf({
    today: '2026-06-12',
    nowMinute: 600,
    crews: [
      {
        crewId: 'c',
        name: 'A',
        color: 'red',
        members: [],
        shiftStartMinute: 420,
        shiftEndMinute: 960,
        published: true,
        dirty: false,
        routeStatus: 'started',
        stops,
        counts: { total: 0, finished: 0, skipped: 0, remaining: 0, canceled: 0 },
        backAtMinute: null,
      },
    ],
  })[0]?.stops.map(({ id, startMinute, minutes }) => [id, startMinute, minutes])

it('draws what was worked when it was worked and as long as it took, and the rest as planned', () => {
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
    ['b', 480, 30],
  ])
})
