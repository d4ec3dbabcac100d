import { expect, it } from 'vitest'
import {
  dollarsValue,
  longestDaySeconds,
  megabytesText,
  openAtDoor,
  restAtDoor,
  runningText,
  sharePercent,
  timeValue,
} from './rules.ts'

it('a photo on its way never says 100 %, and nothing of nothing is 0 %', () => {
  expect([0, 1, 50, 99, 100, 130].map((sent) => sharePercent(sent, 100))).toEqual([0, 1, 50, 99, 99, 99])
  expect([sharePercent(131_072, 400_000), sharePercent(5, 0), sharePercent(-1, 10)]).toEqual([32, 0, 0])
})

it('minutes count when they are over, megabytes have a tenth', () => {
  expect([59, 60, 3599, 3600, 4020].map(runningText)).toEqual(['0:00', '0:01', '0:59', '1:00', '1:07'])
  expect([0, 1_048_576, 1_600_000].map(megabytesText)).toEqual(['0.0', '1.0', '1.5'])
  expect([365, 0, 1020].map(timeValue)).toEqual(['06:05', '00:00', '17:00'])
})

it('what is open at a door is what is owed without what waits on the phone, never less than nothing', () => {
  const slips = [
    { state: 'waiting', amountCents: 4000 },
    { state: 'sent', amountCents: 900 },
  ]
  expect(openAtDoor(5500, slips)).toEqual({ waitsCents: 4000, openCents: 1500 })
  expect(openAtDoor(3000, slips)).toEqual({ waitsCents: 4000, openCents: 0 })
  expect([dollarsValue(1500), dollarsValue(5), dollarsValue(0)]).toEqual(['15.00', '0.05', ''])
})

it('a week is drawn against eight hours, or its longest day', () => {
  expect(longestDaySeconds([{ paidSeconds: 100 }])).toBe(28_800)
  expect(longestDaySeconds([{ paidSeconds: 40_000 }, { paidSeconds: 1 }])).toBe(40_000)
})

it.each([
  [{ cents: 5000, tipCents: 0, openCents: 5000, askedCents: 5000 }, 0, 0],
  [{ cents: 6000, tipCents: 1000, openCents: 5000, askedCents: 5000 }, 0, 0],
  [{ cents: 6000, tipCents: 500, openCents: 5000, askedCents: 5000 }, 500, 0],
  [{ cents: 4850, tipCents: 0, openCents: 5000, askedCents: 4850 }, 0, 0],
  [{ cents: 4849, tipCents: 0, openCents: 5000, askedCents: 4850 }, 0, 151],
])('what money at a door leaves or is too much: %o', (paid, overCents, leftCents) => {
  expect(restAtDoor(paid)).toEqual({ overCents, leftCents })
})
