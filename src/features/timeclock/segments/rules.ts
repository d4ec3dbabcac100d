import type { ClockEntry } from '../rules.ts'

/** When a crew was at a stop; without an end it still is. */
export type SiteTime = { leftAt: string | null; startedAt: string; endedAt: string | null }

/** Seconds of a day on the clock by what they went into. Together they are the whole time on the clock, breaks included. */
export type Segments = { onSite: number; drive: number; shop: number; rain: number; break: number }

type Span = readonly [from: number, to: number]

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, [from, to]) => sum + (to - from), 0)

/** Spans in order, with those that touch or overlap as one. */
const merged = (spans: readonly Span[]): Span[] => {
  const out: [number, number][] = []
  for (const [from, to] of [...spans].filter(([a, b]) => b > a).sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else out.push([from, to])
  }
  return out
}

const within = (spans: readonly Span[], [from, to]: Span): Span[] =>
  spans.map(([a, b]): Span => [Math.max(a, from), Math.min(b, to)]).filter(([a, b]) => b > a)

/** The ways: from when the crew left, or from the end of the stop before, to each start. */
const waysOf = (stops: readonly SiteTime[], nowMs: number): Span[] => {
  const ordered = [...stops].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
  return ordered.flatMap((stop, at): Span[] => {
    const before = ordered[at - 1]
    const ended = before ? (before.endedAt ? Date.parse(before.endedAt) : nowMs) : null
    const left = ended ?? (stop.leftAt ? Date.parse(stop.leftAt) : null)
    return left === null ? [] : [[left, Date.parse(stop.startedAt)]]
  })
}

/**
 * What the time of a person went into: at the crew's stops, on the way between them, in the shop, in the rain, on breaks. Work before the
 * first way and after the last stop belongs to the shop. Driving home is told only by the next stop, so it counts for the shop too.
 */
export const segmentsOf = (
  entries: readonly Pick<ClockEntry, 'kind' | 'startedAt' | 'endedAt'>[],
  stops: readonly SiteTime[],
  nowMs: number,
): Segments => {
  const sites = merged(
    stops.map(({ startedAt, endedAt }): Span => [Date.parse(startedAt), endedAt ? Date.parse(endedAt) : nowMs]),
  )
  const ways = merged(waysOf(stops, nowMs))
  const sums: Segments = { onSite: 0, drive: 0, shop: 0, rain: 0, break: 0 }
  for (const entry of entries) {
    const span: Span = [Date.parse(entry.startedAt), entry.endedAt ? Date.parse(entry.endedAt) : nowMs]
    const whole = Math.max(0, span[1] - span[0])
    if (entry.kind === 'work') {
      const onSite = within(sites, span)
      const drive = lengthOf(within(ways, span)) - lengthOf(onSite.flatMap((site) => within(ways, site)))
      sums.onSite += lengthOf(onSite)
      sums.drive += drive
      sums.shop += whole - lengthOf(onSite) - drive
    } else sums[entry.kind] += whole
  }
  const seconds = (ms: number) => Math.round(ms / 1000)
  return {
    onSite: seconds(sums.onSite),
    drive: seconds(sums.drive),
    shop: seconds(sums.shop),
    rain: seconds(sums.rain),
    break: seconds(sums.break),
  }
}
