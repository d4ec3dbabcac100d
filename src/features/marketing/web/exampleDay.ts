import { formatMinute } from '../../../shared/dates.ts'
import type { StripStop } from '../../../ui/stripLayout.ts'

/** A made-up day for the public pages. Minutes of the day count from midnight. */
export type ExampleCrew = { name: string; stops: StripStop[]; doneStops: number; endText: string }

/** 2:10 PM. */
export const exampleNow = 14 * 60 + 10
/** The board shows 7 AM to 5 PM. */
export const exampleSpan = { startMinute: 7 * 60, endMinute: 17 * 60 }

type Leg = readonly [driveMinutes: number, minutes: number, skipped?: 'skipped']

/** Lays drive and work in turn from the start; what is over by now is done. */
const crew = (name: string, startMinute: number, legs: readonly Leg[]): ExampleCrew => {
  let at = startMinute
  const stops = legs.map(([driveMinutesBefore, minutes, skipped], index): StripStop => {
    const start = at + driveMinutesBefore
    at = start + minutes
    const state = skipped ?? (at <= exampleNow ? 'done' : start <= exampleNow ? 'now' : 'todo')
    return {
      id: `${name} ${index + 1}`,
      label: `Lawn ${index + 1}`,
      startMinute: start,
      minutes,
      driveMinutesBefore,
      state,
    }
  })
  return { name, stops, doneStops: stops.filter((stop) => stop.state === 'done').length, endText: formatMinute(at) }
}

export const exampleCrews: readonly ExampleCrew[] = [
  crew('North crew', 420, [
    [9, 28],
    [4, 52],
    [3, 47],
    [6, 28],
    [3, 36],
    [5, 58],
    [4, 24],
    [3, 31],
    [6, 34],
    [4, 47],
    [5, 26],
    [3, 44],
    [6, 31],
  ]),
  crew('Midtown', 435, [
    [7, 18],
    [4, 33],
    [5, 24],
    [3, 39],
    [4, 20],
    [6, 48],
    [3, 25],
    [5, 33],
    [4, 14, 'skipped'],
    [6, 27],
    [3, 58],
    [4, 29],
    [5, 38],
    [6, 29],
    [3, 17],
  ]),
  crew('Islands', 425, [
    [14, 49],
    [6, 66],
    [5, 38],
    [7, 57],
    [4, 46],
    [6, 72],
    [5, 54],
    [8, 64],
    [5, 35],
    [6, 29],
  ]),
]
