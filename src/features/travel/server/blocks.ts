import { crowMeters, type Point } from '../../../solver/matrix.ts'

/** Which drives a road engine is asked for, and in which calls. */

/** Up to so many places every drive is asked for; beyond, only those that a good route may use. */
const allUpTo = 120
/** So many nearest places of each place are asked for on a big day. */
const nearest = 60

/** One call: every source to every target. Indexes into the list of places. */
export type Call = { sources: number[]; targets: number[] }

/**
 * `wanted[from * n + to]` is 1 for the drives worth asking for: all on a small day; on a big one those between near neighbors, and all from
 * and to the first `hubs` places, where crews start and end.
 */
export const wantedTravelTimes = (points: readonly Point[], hubs: number): Uint8Array => {
  const n = points.length
  const wanted = new Uint8Array(n * n)
  if (n <= allUpTo) {
    wanted.fill(1)
    for (let i = 0; i < n; i++) wanted[i * n + i] = 0
    return wanted
  }
  const far = new Float64Array(n)
  for (let from = 0; from < n; from++) {
    for (let to = 0; to < n; to++) far[to] = to === from ? Infinity : crowMeters(points[from]!, points[to]!)
    const limit = far.toSorted()[nearest - 1]!
    for (let to = 0; to < n; to++)
      if (to !== from && (far[to]! <= limit || from < hubs || to < hubs)) wanted[from * n + to] = 1
  }
  // A route may use a drive in the direction in which it is not among the nearest.
  for (let from = 0; from < n; from++)
    for (let to = 0; to < from; to++)
      if (wanted[from * n + to] || wanted[to * n + from]) wanted[from * n + to] = wanted[to * n + from] = 1
  return wanted
}

const spread = (x: number): number => {
  let bits = Math.max(0, Math.min(0xffff, Math.round(x * 0xffff)))
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  return (bits | (bits << 1)) & 0x55555555
}

/** Places along a curve that keeps neighbors together (Z order). */
const alongCurve = (points: readonly Point[]): number[] => {
  const lats = points.map((p) => p.lat)
  const lngs = points.map((p) => p.lng)
  const [south, west] = [Math.min(...lats), Math.min(...lngs)]
  const side = Math.max(Math.max(...lats) - south, Math.max(...lngs) - west) || 1
  const key = points.map((p) => spread((p.lat - south) / side) * 2 + spread((p.lng - west) / side))
  return [...points.keys()].sort((a, b) => key[a]! - key[b]!)
}

type Limits = { sources: number; targets: number; pairs: number; places: number }

/** A call may ask for so many times the drives that are wanted, where that saves calls. */
const slack = 1.6

/**
 * Calls that together ask for every wanted drive, each within the limits: sources that want much the same share a call, so that neither the
 * number of calls nor what is asked for nothing grows large.
 */
export const planCalls = (points: readonly Point[], wanted: Uint8Array, limits: Limits): Call[] => {
  const n = points.length
  const order = alongCurve(points)
  type Group = { sources: number[]; union: Uint8Array; size: number; pairs: number }
  const groups: Group[] = []
  const most = Math.min(limits.sources, Math.max(1, Math.floor(limits.places / 2)))
  for (const from of order) {
    const row = wanted.subarray(from * n, (from + 1) * n)
    const own = row.reduce((sum, w) => sum + w, 0)
    if (own === 0) continue
    const joined = (group: Group): number => {
      let size = group.size
      for (let to = 0; to < n; to++) if (row[to] && !group.union[to]) size++
      return size
    }
    const home = groups.find(
      (g) => g.sources.length < most && joined(g) * (g.sources.length + 1) <= slack * (g.pairs + own),
    )
    const group = home ?? { sources: [], union: new Uint8Array(n), size: 0, pairs: 0 }
    if (!home) groups.push(group)
    group.size = joined(group)
    group.sources.push(from)
    group.pairs += own
    for (let to = 0; to < n; to++) if (row[to]) group.union[to] = 1
  }
  return groups.flatMap(({ sources, union }) => {
    const targets = order.filter((to) => union[to])
    const width = Math.min(limits.targets, limits.places - sources.length, Math.floor(limits.pairs / sources.length))
    const calls: Call[] = []
    for (let at = 0; at < targets.length; at += width) calls.push({ sources, targets: targets.slice(at, at + width) })
    return calls
  })
}
