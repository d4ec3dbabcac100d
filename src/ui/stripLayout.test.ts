import { expect, test } from 'vitest'
import {
  axisTicks,
  commonSpan,
  describeStrip,
  describeStripe,
  layoutStrip,
  placeStops,
  type StripStop,
} from './stripLayout.ts'

const stop = (id: string, minutes: number, driveMinutesBefore: number, more: Partial<StripStop> = {}): StripStop => ({
  id,
  label: `Stop ${id}`,
  minutes,
  driveMinutesBefore,
  state: 'todo',
  ...more,
})
const shift = { startMinute: 420, endMinute: 1020 }

test('stops follow one another with their drives between', () => {
  const placed = placeStops([stop('a', 30, 10), stop('b', 20, 5)], 420)
  expect(placed.map((p) => [p.startMinute, p.endMinute])).toEqual([
    [430, 460],
    [465, 485],
  ])
})

test('a known start leaves a wait in front, and never overlaps the stop before', () => {
  const placed = placeStops([stop('a', 30, 10, { startMinute: 480 }), stop('b', 20, 5, { startMinute: 500 })], 420)
  expect(placed.map((p) => [p.startMinute, p.endMinute, p.driveMinutes])).toEqual([
    [480, 510, 10],
    [510, 530, 0],
  ])
})

test('widths are shares of the shift', () => {
  const { stripes, span, shiftEndPercent } = layoutStrip([stop('a', 60, 30), stop('b', 120, 0)], { shift })
  expect(span).toEqual(shift)
  expect(shiftEndPercent).toBeNull()
  expect(stripes.map((s) => [s.leftPercent, s.drivePercent, s.workPercent])).toEqual([
    [0, 5, 10],
    [15, 0, 20],
  ])
})

test('a day that runs over stretches the strip and marks what is late', () => {
  const layout = layoutStrip([stop('a', 600, 0), stop('b', 60, 0)], { shift, driveHomeMinutes: 15 })
  expect(layout.span.endMinute).toBe(1095)
  expect(layout.stripes.map((s) => s.over)).toEqual([false, true])
  expect(layout.shiftEndPercent).toBeCloseTo((600 / 675) * 100)
  expect(layout.homePercent?.width).toBeCloseTo((15 / 675) * 100)
})

test('fitContent fills the whole width', () => {
  const { stripes } = layoutStrip([stop('a', 30, 10), stop('b', 20, 0)], { shift, fitContent: true })
  expect(stripes[0]?.leftPercent).toBe(0)
  const last = stripes[1]
  expect((last?.leftPercent ?? 0) + (last?.drivePercent ?? 0) + (last?.workPercent ?? 0)).toBeCloseTo(100)
})

test('nothing breaks without stops or with nonsense minutes', () => {
  expect(layoutStrip([], { shift }).stripes).toEqual([])
  expect(layoutStrip([]).stripes).toEqual([])
  expect(layoutStrip([stop('a', Number.NaN, -5)], { shift }).stripes[0]?.workPercent).toBe(0)
})

test('one span holds all lanes in whole hours', () => {
  expect(
    commonSpan([
      { stops: [stop('a', 30, 10)], shift: { startMinute: 430, endMinute: 990 } },
      { stops: [stop('b', 700, 0)], shift },
    ]),
  ).toEqual({ startMinute: 420, endMinute: 1140 })
  expect(commonSpan([])).toEqual({ startMinute: 420, endMinute: 1020 })
})

test('the span reaches to now while work is left, and to when a late crew is back', () => {
  const late = { stops: [stop('a', 30, 10)], shift: { startMinute: 420, endMinute: 960 }, backAtMinute: 1230 }
  expect(commonSpan([late], 1160)).toEqual({ startMinute: 420, endMinute: 1260 })
  expect(commonSpan([{ ...late, backAtMinute: null }], 1160)).toEqual({ startMinute: 420, endMinute: 1200 })
  const through = { ...late, backAtMinute: null, stops: [stop('a', 30, 10, { state: 'done' })] }
  expect(commonSpan([through], 1160)).toEqual({ startMinute: 420, endMinute: 960 })
})

test('axis says AM and PM once', () => {
  expect(axisTicks({ startMinute: 420, endMinute: 1020 }, 6).map((t) => t.text)).toEqual([
    '7 AM',
    '9',
    '11',
    '1 PM',
    '3',
    '5',
  ])
  expect(axisTicks({ startMinute: 630, endMinute: 820 }).map((t) => t.text)).toEqual(['11 AM', '12 PM', '1'])
})

test('texts', () => {
  const { stripes } = layoutStrip([stop('a', 28, 4, { state: 'done', detail: 'Mow, edge' })], { shift })
  expect(describeStripe(stripes[0] as never, true)).toBe(
    '1. Stop a, done, 7:04 AM to 7:32 AM, 28 min, after 4 min of driving. Mow, edge',
  )
  expect(describeStrip([stop('a', 1, 1, { state: 'done' }), stop('b', 1, 1)])).toBe('2 stops: 1 done, 1 to do')
  expect(describeStrip([])).toBe('no stops')
})
