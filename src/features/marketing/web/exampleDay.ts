/** A made-up day for the public pages: minutes of drive and work in turn, from the yard at the start time. */

export type ExampleStop = {
  startMinute: number
  minutes: number
  driveMinutes: number
  state: 'done' | 'now' | 'todo' | 'skipped'
}
export type ExampleCrew = { name: string; stops: ExampleStop[]; doneStops: number; endMinute: number; endText: string }

/** 2:10 PM, as minutes after midnight. */
export const exampleNow = 14 * 60 + 10
/** The board shows 7 AM to 5 PM. */
export const exampleWindow = { from: 7 * 60, to: 17 * 60 }

/** Minutes after midnight as a clock time: 995 -> "4:35 PM". */
export const clockText = (minute: number): string => {
  const hour = Math.floor(minute / 60)
  return `${((hour + 11) % 12) + 1}:${String(minute % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

const crew = (
  name: string,
  startMinute: number,
  legs: readonly (readonly [drive: number, work: number, skipped?: 'skipped'])[],
): ExampleCrew => {
  let at = startMinute
  const stops = legs.map(([driveMinutes, minutes, skipped]): ExampleStop => {
    const start = at + driveMinutes
    at = start + minutes
    const state = skipped ?? (at <= exampleNow ? 'done' : start <= exampleNow ? 'now' : 'todo')
    return { startMinute: start, minutes, driveMinutes, state }
  })
  return {
    name,
    stops,
    doneStops: stops.filter((stop) => stop.state === 'done').length,
    endMinute: at,
    endText: clockText(at),
  }
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
