import { describe, expect, it } from 'vitest'
import {
  type CampaignStatus,
  campaignRefusals,
  campaignStatuses,
  paceOf,
  partsOf,
  progressLabel,
  shareLabel,
  stopReason,
  winnerOf,
} from './rules.ts'

describe('an audience', () => {
  it.each([
    [100, 10, null, { heldOut: 10, a: 0, b: 0 }],
    [100, 0, 20, { heldOut: 0, a: 10, b: 10 }],
    [100, 10, 50, { heldOut: 10, a: 23, b: 23 }],
    [3, 20, 10, { heldOut: 1, a: 1, b: 1 }],
    [1, 0, 20, { heldOut: 0, a: 0, b: 0 }],
    [0, 20, 20, { heldOut: 0, a: 0, b: 0 }],
  ])('of %i with %i %% held out and %s %% tried is parted as %j', (reached, holdoutPercent, testPercent, parts) =>
    expect(partsOf(reached, { holdoutPercent, testPercent })).toEqual(parts),
  )

  it('is never parted into more than there are', () => {
    for (let reached = 0; reached < 200; reached++)
      for (const holdoutPercent of [0, 5, 20])
        for (const testPercent of [null, 10, 50]) {
          const { heldOut, a, b } = partsOf(reached, { holdoutPercent, testPercent })
          expect(a).toBe(b)
          expect(heldOut + a + b).toBeLessThanOrEqual(reached)
        }
  })
})

it('counts people once, and not before all of them were looked at', () => {
  const one = { chosen: 102, heldOut: 0, leftOut: 0, queued: 0 }
  expect(progressLabel({ ...one, isSorted: false })).toBe('Looking at who can be reached, of 102')
  expect(progressLabel({ ...one, isSorted: true, heldOut: 5, leftOut: 44, queued: 1 })).toBe('1 of 53')
})

it.each([
  [10, 1, 360_000],
  [60, 1, 60_000],
  [300, 5, 60_000],
  [5000, 50, 36_000],
])('%i an hour are %i at once every %i ms', (perHour, batch, waitMs) =>
  expect(paceOf(perHour)).toEqual({ batch, waitMs }),
)

it.each([
  [{ sent: 49, bounced: 40, complained: 9 }, null],
  [{ sent: 100, bounced: 5, complained: 0 }, null],
  [{ sent: 100, bounced: 6, complained: 0 }, 'came back'],
  [{ sent: 100, bounced: 0, complained: 1 }, 'spam'],
  [{ sent: 1000, bounced: 0, complained: 1 }, null],
  [{ sent: 1000, bounced: 0, complained: 2 }, 'spam'],
])('%j stops for %s', (health, why) =>
  why === null ? expect(stopReason(health)).toBeNull() : expect(stopReason(health)).toContain(why),
)

it('takes the subject with the greater share, and the first of two alike', () => {
  const of = (sent: number, opened: number, clicked: number) => ({ sent, opened, clicked })
  expect(winnerOf({ a: of(10, 5, 1), b: of(10, 6, 0) }, 'opens')).toBe('b')
  expect(winnerOf({ a: of(10, 5, 1), b: of(10, 6, 0) }, 'clicks')).toBe('a')
  expect(winnerOf({ a: of(10, 5, 0), b: of(20, 10, 0) }, 'opens')).toBe('a')
  expect(winnerOf({ a: of(0, 0, 0), b: of(0, 0, 0) }, 'clicks')).toBe('a')
})

it('lets each state do what it may, and nothing else', () => {
  const may = (status: CampaignStatus) =>
    Object.entries(campaignRefusals)
      .filter(([, refuses]) => refuses({ status }) === null)
      .map(([action]) => action)
      .sort()
  expect(Object.fromEntries(campaignStatuses.map((status) => [status, may(status)]))).toEqual({
    draft: ['copy', 'remove', 'schedule', 'start', 'test', 'update'],
    scheduled: ['cancel', 'copy', 'remove', 'schedule', 'start', 'test', 'unschedule', 'update'],
    running: ['cancel', 'copy', 'pause', 'test'],
    paused: ['cancel', 'copy', 'resume', 'test'],
    finished: ['copy', 'test'],
    canceled: ['copy', 'test'],
  })
})

it('says shares as people read them', () => {
  expect([shareLabel(0, 0), shareLabel(1, 8), shareLabel(5, 5), shareLabel(0, 5)]).toEqual([
    '–',
    '12.5%',
    '100%',
    '0.0%',
  ])
})
