/** Where somebody was, from the places that their phone wrote down. It suggests and compares; nothing is changed by it. */

/** A place as a phone says it; instants are ISO. */
export type Fix = { at: string; latitude: number; longitude: number; accuracyMeters: number }
/** Somewhere that somebody can be at. */
export type Spot = { id: string; latitude: number; longitude: number; reachMeters?: number | undefined }
type Point = { latitude: number; longitude: number }

/** So near is at a stop: a house and the street before it. */
export const leastReachMeters = 80
/** An estate, as far as its measured areas go; beyond that the drawing says more than the phone knows. */
export const mostReachMeters = 400
/** From the edge of an area to where the truck stands. */
const roundAreaMeters = 30
/** So much further out is away: at the edge a place wanders in and out. */
const edgeMeters = 30
/** A place that is vaguer tells nobody at which house one is. */
const vagueMeters = 100

export const metersBetween = (a: Point, b: Point): number => {
  const rad = Math.PI / 180
  const x = (b.longitude - a.longitude) * rad * Math.cos(((a.latitude + b.latitude) / 2) * rad)
  return Math.hypot(x, (b.latitude - a.latitude) * rad) * 6_371_000
}

/**
 * How far from its point a property goes, in meters: to the furthest corner of its drawn areas and a little around, at least 80.
 * @param corners [latitude, longitude] of the outlines; none where nothing was drawn
 */
export const reachOf = (point: Point, corners: readonly (readonly [number, number])[]): number => {
  const furthest = corners.reduce(
    (most, [latitude, longitude]) => Math.max(most, metersBetween(point, { latitude, longitude })),
    0,
  )
  return Math.round(
    Math.min(mostReachMeters, Math.max(leastReachMeters, furthest === 0 ? 0 : furthest + roundAreaMeters)),
  )
}

/** What a phone makes of its places: since when it is at a spot, and when it left one that it was at. */
export type Whereabouts = {
  /** When the newest place was taken; empty before the first. */
  at: string
  inside: Record<string, string>
  left: Record<string, { since: string; at: string }>
}
export const nowhere: Whereabouts = { at: '', inside: {}, left: {} }

const placeOf = (fix: Fix, spot: Spot): 'in' | 'out' | 'edge' => {
  const reach = spot.reachMeters ?? leastReachMeters
  const meters = metersBetween(fix, spot)
  if (meters <= reach) return 'in'
  return meters - fix.accuracyMeters > reach + edgeMeters ? 'out' : 'edge'
}

/** So long is somebody at a spot before it counts, and away before that counts: a red light is no stop. */
export const stayMs = 2 * 60_000

/** What a further place adds. Vague ones and older ones add nothing; who comes back within two minutes was never away. */
export const withFix = (before: Whereabouts, fix: Fix, spots: readonly Spot[]): Whereabouts => {
  if (fix.accuracyMeters > vagueMeters || (before.at !== '' && Date.parse(fix.at) <= Date.parse(before.at)))
    return before
  const inside = { ...before.inside }
  const left = { ...before.left }
  for (const spot of spots) {
    const place = placeOf(fix, spot)
    const since = inside[spot.id]
    const gone = left[spot.id]
    if (place === 'in' && !since) {
      const isBack = gone && Date.parse(fix.at) - Date.parse(gone.at) < stayMs
      inside[spot.id] = isBack ? gone.since : fix.at
      delete left[spot.id]
    } else if (place === 'out' && since) {
      delete inside[spot.id]
      left[spot.id] = { since, at: fix.at }
    }
  }
  return { at: fix.at, inside, left }
}

/** What was told of a stop, and where it is. */
export type ToldStop = Point & { reachMeters: number; startedAt: string; finishedAt: string }
/** `start`, `finish`: told at another time than the phone was seen to come or go; `away`: it was not there at all. */
export type Mismatch = { what: 'start' | 'finish' | 'away'; toldAt: string; seenAt: string | null; minutes: number }

/** By so many minutes a start or a finish may be off before somebody is to look at it. */
export const mismatchMinutes = 10
/** So long before and after the work a place there belongs to it. */
const aroundMs = 90 * 60_000
/** So many places elsewhere during the work say that nobody was there. */
const leastAway = 3

/**
 * Where what was told of a stop and the places of a phone disagree. Between two places nobody knows when exactly somebody came or went: only what
 * is off from all of that time counts.
 * @param fixes of one person, the oldest first
 */
export const mismatchesOf = (stop: ToldStop, fixes: readonly Fix[]): Mismatch[] => {
  const [start, finish] = [Date.parse(stop.startedAt), Date.parse(stop.finishedAt)]
  const spot = { id: '', ...stop }
  const near = fixes
    .filter((fix) => fix.accuracyMeters <= vagueMeters)
    .map((fix) => ({ at: Date.parse(fix.at), place: placeOf(fix, spot) }))
    .filter(({ at }) => at >= start - aroundMs && at <= finish + aroundMs)
  const first = near.findIndex(({ place }) => place === 'in')
  const last = near.findLastIndex(({ place }) => place === 'in')
  if (first < 0) {
    const during = near.filter(({ at }) => at >= start && at <= finish)
    return during.length >= leastAway && during.every(({ place }) => place === 'out')
      ? [{ what: 'away', toldAt: stop.startedAt, seenAt: null, minutes: Math.round((finish - start) / 60_000) }]
      : []
  }
  const found: Mismatch[] = []
  const note = (what: 'start' | 'finish', told: number, from: number, until: number, seen: number) => {
    const off = told < from ? from - told : told > until ? told - until : 0
    if (off > mismatchMinutes * 60_000)
      found.push({
        what,
        toldAt: new Date(told).toISOString(),
        seenAt: new Date(seen).toISOString(),
        minutes: Math.round(off / 60_000),
      })
  }
  const came = near[first]?.at ?? start
  const went = near[last]?.at ?? finish
  note('start', start, near[first - 1]?.at ?? Number.NEGATIVE_INFINITY, came, came)
  note('finish', finish, went, near[last + 1]?.at ?? Number.POSITIVE_INFINITY, near[last + 1]?.at ?? went)
  return found
}
