import type { Problem, TimeWindow } from './problem.ts'

/** A time later than every shift: what a start becomes when no window is left. Small enough to add drives to. */
export const NEVER = 1_000_000_000
/** Seconds of a leg that does not exist. */
export const NO_WAY = 100_000_000

/** Windows of visit `u` on day slot `d` are [offset[u * days + d], offset[u * days + d + 1]) of open/close, sorted, disjoint. */
export type Windows = { days: number; offset: Int32Array; open: Int32Array; close: Int32Array }

/** Sorted, overlapping ones joined, those that close before they open left out. */
export function usableWindows(windows: TimeWindow[]): [number, number][] {
  const sorted = windows
    .filter((w) => w.endSeconds >= w.startSeconds)
    .map((w): [number, number] => [Math.ceil(w.startSeconds), Math.floor(w.endSeconds)])
    .filter(([open, close]) => close >= open)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const joined: [number, number][] = []
  for (const [open, close] of sorted) {
    const last = joined[joined.length - 1]
    if (last && open <= last[1]) last[1] = Math.max(last[1], close)
    else joined.push([open, close])
  }
  return joined
}

/** The usable windows of a visit on one day; [] = closed that day, null = open all day. */
export function windowsOn(windows: TimeWindow[] | undefined, day: number): [number, number][] | null {
  if (!windows || windows.length === 0) return null
  return usableWindows(windows.filter((w) => w.day === undefined || w.day === day))
}

/** Flattens every visit's windows by distinct day; `extra` lets fixed visits start as late as the hand order already makes them. */
export function compileWindows(problem: Problem, days: number[], extra: Map<number, number>): Windows {
  const offset = new Int32Array(problem.visits.length * days.length + 1)
  const open: number[] = []
  const close: number[] = []
  let at = 0
  for (const [u, visit] of problem.visits.entries()) {
    for (const day of days) {
      offset[at++] = open.length
      const list = windowsOn(visit.windows, day)
      if (list === null) {
        open.push(-NEVER)
        close.push(NO_WAY)
        continue
      }
      const late = extra.get(u)
      if (late !== undefined) list.push([list.length ? list[list.length - 1]![1] + 1 : -NEVER, late])
      for (const [from, to] of list) {
        open.push(Math.max(-NEVER, Math.min(NO_WAY, from)))
        close.push(Math.max(-NEVER, Math.min(NO_WAY, to)))
      }
    }
  }
  offset[at] = open.length
  return { days: days.length, offset, open: Int32Array.from(open), close: Int32Array.from(close) }
}

/** Earliest start at or after `time`, NEVER when no window is left. `slot` = visit * days + day slot. */
export function fitForward(w: Windows, slot: number, time: number): number {
  const end = w.offset[slot + 1]!
  for (let k = w.offset[slot]!; k < end; k++) {
    if (time <= w.close[k]!) {
      const open = w.open[k]!
      return Math.max(time, open)
    }
  }
  return NEVER
}

/** Latest start at or before `limit`, -NEVER when every window opens after it. */
export function fitBackward(w: Windows, slot: number, limit: number): number {
  const begin = w.offset[slot]!
  for (let k = w.offset[slot + 1]! - 1; k >= begin; k--) {
    if (w.open[k]! <= limit) {
      const close = w.close[k]!
      return Math.min(limit, close)
    }
  }
  return -NEVER
}

/** Latest start of a visit on any day, -NEVER without a window. */
export function latestClose(w: Windows, u: number): number {
  let last = -NEVER
  for (let k = w.offset[u * w.days]!; k < w.offset[(u + 1) * w.days]!; k++) last = Math.max(last, w.close[k]!)
  return last
}
