import { expect, test } from 'vitest'
import type { Change } from '../../../shared/topics.ts'
import type { CrewBundle } from '../contract.ts'
import { clockLive, isOfCrew } from './concern.ts'

const bundle = {
  days: [
    { day: '2026-06-01', crew: { id: 'mine' } },
    { day: '2026-06-02', crew: { id: 'mine' } },
    { day: '2026-06-03', crew: null },
  ],
} as unknown as CrewBundle

test.each([
  ['of the own crew on a day of the phone', { days: ['2026-06-01'], crewIds: ['mine'] }, true],
  ['of another crew', { days: ['2026-06-01'], crewIds: ['other'] }, false],
  ['of the own crew on another day', { days: ['2026-06-09'], crewIds: ['mine'] }, false],
  ['that came from another crew', { days: ['2026-05-20', '2026-06-02'], crewIds: ['other', 'mine'] }, true],
  ['on a day without a crew yet', { days: ['2026-06-03'], crewIds: ['other'] }, true],
  ['that says nothing', { days: [], crewIds: [] }, true],
])('a change %s', (_, part, seen) => {
  const change: Change = { topic: 'visits', ids: [], by: null, ...part }
  expect(isOfCrew(bundle, change)).toBe(seen)
  expect(isOfCrew(null, change)).toBe(true)
})

test.each([
  ['of the own clock', ['luis', 'ann'], false, true],
  ['of all clocks', [], false, true],
  ['of another’s clock', ['ann'], false, false],
  ['that is an own tap', ['luis'], true, false],
])('a change %s', (_, ids, own, seen) => {
  const change: Change = { topic: 'timeclock', ids, days: [], crewIds: [], by: null }
  expect(clockLive('luis').shows?.(change, null, own)).toBe(seen)
})
