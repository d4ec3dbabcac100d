import { METERS_PER_MILE } from './compile.ts'
import { createRandom } from './random.ts'
import type {
  SeasonDriving,
  SeasonMove,
  SeasonPlan,
  SeasonProblem,
  SeasonProgress,
  SeasonRoute,
} from './season-problem.ts'
import { createSeasonSearch, keepBest, placeAll, type SeasonSearch, seasonStep } from './season-search.ts'
import {
  cheapestGap,
  compileSeason,
  createSeasonState,
  hasWay,
  linkNode,
  OVER_CENTS,
  overOf,
  type Season,
  type SeasonState,
  seasonPart,
  slotOf,
  unlinkNode,
} from './season-state.ts'

export type SeasonOptions = {
  seed?: number
  /** Default `effort` x 250 x properties, at least 6,000 x effort. */
  iterations?: number
  /** 1 (quick) to 10. Default 3. */
  effort?: number
  /** Safety stop on the caller's clock; needs `now`. */
  deadlineMs?: number
  now?: () => number
  shouldStop?: () => boolean
  /** About every `progressEvery` (default 1,000) steps. */
  onProgress?: (progress: SeasonProgress) => void
  progressEvery?: number
}

/** Share of the steps that put today's routes in order first, so that a saving is one of the slots alone; steps a property at the most. */
const TODAY_SHARE = 0.15
const TODAY_MOST = 60
const SLICE = 32
const FULL = 'The crews are full on the days it allows.'
const NO_ROAD = 'No road leads to it and back for any crew that may have it.'

/**
 * Chooses crew, weekday and week of the rhythm for every recurring property so that the season's driving and the prices
 * of the moves together cost least. A day that lasts beyond its shift costs more than any driving that is saved by it: it never gets longer than
 * today, and what may move leaves it where another day has room. It starts from today's plan and never ends dearer than it; "keep" is hard. Windows
 * of the clock are no part of it: they are the day's own search. Same problem, seed and iterations: the same answer.
 */
export function seasonPlan(problem: SeasonProblem, options: SeasonOptions = {}): SeasonPlan {
  const { seed = 1, effort = 3, now, deadlineMs, shouldStop, onProgress, progressEvery = 1000 } = options
  const c = compileSeason(problem)
  const random = createRandom(seed)
  const s = createSeasonState(c)
  const known = loadToday(s)
  const planned = options.iterations ?? effort * Math.max(6000, 250 * c.size)
  const started = now?.() ?? 0
  let done = 0
  let truncated = false
  let reported = 0
  const run = (search: SeasonSearch, steps: number, heat: number, before: number | null): void => {
    if (search.movable.length === 0 || c.beats.length === 0) return
    const hot = (heat * drivingOf(s).cents) / Math.max(1, c.size * c.cycle)
    for (let k = 0; k < steps && !truncated; k++) {
      if (k % SLICE === 0 && (shouldStop?.() || (now && deadlineMs !== undefined && now() - started >= deadlineMs)))
        truncated = true
      else seasonStep(search, hot * 0.01 ** (k / steps))
      done++
      if (!onProgress || done - reported < progressEvery || before === null) continue
      reported = done
      onProgress({
        iterations: done,
        share: done / planned,
        savedSeconds: Math.max(0, Math.round(before - drivingOf(stateOfBest(search)).seconds)),
        moves: movedOf(c, search.best.beatOf, search.best.weekOf).length,
      })
    }
    restoreBest(search)
  }
  let before: (SeasonDriving & { over: number }) | null = null
  const first = known > 0 ? Math.min(TODAY_MOST * c.size, Math.round(planned * TODAY_SHARE)) : 0
  if (known > 0) {
    const today = createSeasonSearch(s, random, true)
    today.pool.clear()
    keepBest(today)
    run(today, first, 0.5, null)
    if (known === today.movable.length && today.best.unplaced === 0) before = { ...drivingOf(s), over: overOf(s) }
  }
  const search = createSeasonSearch(s, random, false)
  placeAll(search)
  keepBest(search)
  run(search, planned - first, 2, before?.seconds ?? 0)
  return answer(search, before, { iterations: done, truncated, improvements: search.improvements })
}

/** Puts every property that a road leads to on its slot of today; the room of a day that is too full already is widened. Returns how many. */
function loadToday(s: SeasonState): number {
  const { c } = s
  const gap = { cents: 0, after: -1 }
  let known = 0
  for (let p = 0; p < c.size; p++) {
    const b = c.todayBeat[p]!
    if (b < 0 || c.excluded.has(p) || c.allowed[p * c.beats.length + b] === 0) continue
    const places: [week: number, after: number][] = []
    for (let w = c.todayWeek[p]!; w < c.cycle; w += c.every[p]!) {
      cheapestGap(s, p, b, w, gap, true)
      places.push([w, gap.after])
    }
    if (places.some(([, after]) => after < 0)) continue
    known++
    s.beatOf[p] = b
    s.weekOf[p] = c.todayWeek[p]!
    for (const [w, after] of places) linkNode(s, p * c.cycle + w, after, b, b * c.cycle + w)
  }
  for (let r = 0; r < s.count.length; r++) {
    s.room[r] = Math.max(s.room[r]!, s.drive[r]! + s.work[r]!)
    s.stopRoom[r] = Math.max(s.stopRoom[r]!, s.count[r]!)
  }
  s.cost = drivingOf(s).cents + OVER_CENTS * overOf(s)
  return known
}

/** What the routes of a state drive in the whole season. */
function drivingOf(s: SeasonState): SeasonDriving {
  const { c } = s
  const { matrix } = c.problem
  const sum = { seconds: 0, meters: 0, cents: 0 }
  for (let r = 0; r < s.count.length; r++) {
    if (s.count[r] === 0) continue
    const times = c.times[r % c.cycle]!
    const table = c.tables[c.tableOf[Math.floor(r / c.cycle)]!]!
    for (const [i, j] of legsOf(s, r)) {
      const a = c.place[i]!
      const b = c.place[j]!
      sum.seconds += times * c.seconds[a * c.places + b]!
      sum.cents += times * table[a * c.places + b]!
      if (a < matrix.size && b < matrix.size) sum.meters += times * Math.max(0, matrix.meters[a * matrix.size + b] ?? 0)
    }
  }
  return sum
}

function* legsOf(s: SeasonState, r: number): Generator<[number, number]> {
  const nodes = s.c.size * s.c.cycle
  const end = nodes + s.count.length + r
  for (let i = nodes + r; i !== end; i = s.next[i]!) yield [i, s.next[i]!]
}

/** The best plan of a search as a state of its own. */
function stateOfBest(search: SeasonSearch): SeasonState {
  const s = createSeasonState(search.s.c)
  fill(s, search)
  return s
}

function restoreBest(search: SeasonSearch): void {
  const fresh = createSeasonState(search.s.c)
  fill(fresh, search)
  const { s } = search
  for (const key of ['next', 'prev', 'nextPlace', 'leg', 'beatOf', 'weekOf', 'drive', 'work', 'count'] as const)
    s[key].set(fresh[key])
  s.cost = search.best.cost - 1e9 * search.best.unplaced
}

function fill(s: SeasonState, search: SeasonSearch): void {
  const { c } = s
  const nodes = c.size * c.cycle
  s.beatOf.set(search.best.beatOf)
  s.weekOf.set(search.best.weekOf)
  for (let r = 0; r < s.count.length; r++) {
    let at = nodes + r
    for (let i = search.best.next[nodes + r]!; i < nodes; i = search.best.next[i]!) {
      linkNode(s, i, at, Math.floor(r / c.cycle), r)
      at = i
    }
  }
}

/** Properties on another slot than today. */
function movedOf(c: Season, beatOf: Int32Array, weekOf: Int32Array): number[] {
  return Array.from({ length: c.size }, (_, p) => p).filter(
    (p) => c.todayBeat[p]! >= 0 && beatOf[p]! >= 0 && (beatOf[p] !== c.todayBeat[p] || weekOf[p] !== c.todayWeek[p]),
  )
}

function answer(
  search: SeasonSearch,
  today: (SeasonDriving & { over: number }) | null,
  stats: SeasonPlan['stats'],
): SeasonPlan {
  const before = today && { seconds: today.seconds, meters: today.meters, cents: today.cents }
  const { s } = search
  const { c } = s
  const { properties, crews } = c.problem
  const after = drivingOf(s)
  const moved = movedOf(c, s.beatOf, s.weekOf)
  const moves = moved
    .map((p): SeasonMove => {
      const from = properties[p]!.today!
      return {
        propertyId: properties[p]!.id,
        from: { ...from, week: c.todayWeek[p]! },
        to: slotOf(s, p)!,
        ...worthOf(s, p, seasonPart(c.problem, properties[p]!)),
      }
    })
    // What makes room on a day that is too long is worth most.
    .sort((a, b) => weightOf(b) - weightOf(a) || (a.propertyId < b.propertyId ? -1 : 1))
  const B = c.beats.length
  const moveCents = moved.reduce(
    (sum, p) =>
      sum +
      (c.beatPrice[p * B + s.beatOf[p]!]! + (s.weekOf[p] === c.todayWeek[p] ? 0 : c.weekPrice[p]!)) *
        seasonPart(c.problem, properties[p]!),
    0,
  )
  const routes: SeasonRoute[] = []
  for (let r = 0; r < s.count.length; r++) {
    if (s.count[r] === 0) continue
    const beat = c.beats[Math.floor(r / c.cycle)]!
    const crew = crews[beat.crew]!
    const propertyIds = [...legsOf(s, r)].slice(0, -1).map(([, node]) => properties[Math.floor(node / c.cycle)]!.id)
    routes.push({
      crewId: crew.id,
      day: beat.day,
      week: r % c.cycle,
      propertyIds,
      driveSeconds: s.drive[r]!,
      workSeconds: s.work[r]!,
      overSeconds: Math.max(0, s.drive[r]! + s.work[r]! - c.shift[Math.floor(r / c.cycle)]!),
    })
  }
  const unplaced = properties.flatMap((property, p) =>
    s.beatOf[p]! >= 0 ? [] : [{ propertyId: property.id, text: c.excluded.get(p) ?? (hasWay(c, p) ? FULL : NO_ROAD) }],
  )
  return {
    slots: properties.flatMap((property, p) => {
      const slot = slotOf(s, p)
      return slot ? [{ propertyId: property.id, ...slot }] : []
    }),
    routes,
    unplaced,
    cycleWeeks: c.cycle,
    before,
    after,
    overSeconds: { before: today && Math.round(today.over), after: Math.round(overOf(s)) },
    moves,
    moveCents: Math.round(moveCents),
    text: textOf(before, after, moves.length),
    stats,
  }
}

/** A second beyond a shift against one on the road. */
const weightOf = ({ worthSeconds, relievesSeconds }: Pick<SeasonMove, 'worthSeconds' | 'relievesSeconds'>): number =>
  worthSeconds + 10 * relievesSeconds

/** Seconds a season drives more, and works more beyond the shifts, if the property alone went back to its slot of today. */
function worthOf(s: SeasonState, p: number, part: number): Pick<SeasonMove, 'worthSeconds' | 'relievesSeconds'> {
  const { c } = s
  const gap = { cents: 0, after: -1 }
  const e = c.every[p]!
  const here = s.beatOf[p]!
  const back = c.todayBeat[p]!
  let seconds = 0
  let over = 0
  const overAt = (b: number, r: number): number =>
    c.overRate[b] === 0 ? 0 : Math.max(0, s.drive[r]! + s.work[r]! - c.shift[b]!)
  const held: [number, number, number][] = []
  for (let w = s.weekOf[p]!; w < c.cycle; w += e) {
    const r = here * c.cycle + w
    const node = p * c.cycle + w
    const was = s.drive[r]!
    const after = s.prev[node]!
    over -= c.times[w]! * overAt(here, r)
    unlinkNode(s, node, here, r)
    over += c.times[w]! * overAt(here, r)
    held.push([node, after, r])
    seconds -= c.times[w]! * (was - s.drive[r]!)
  }
  for (let w = c.todayWeek[p]!; w < c.cycle; w += e) {
    const r = back * c.cycle + w
    const node = p * c.cycle + w
    cheapestGap(s, p, back, w, gap, true)
    // No road leads there from what stands there now: nothing that could be counted.
    if (gap.after < 0) continue
    const was = s.drive[r]!
    const overWas = overAt(back, r)
    linkNode(s, node, gap.after, back, r)
    seconds += c.times[w]! * (s.drive[r]! - was)
    over += c.times[w]! * (overAt(back, r) - overWas)
    unlinkNode(s, node, back, r)
  }
  for (const [node, after, r] of held.reverse()) linkNode(s, node, after, here, r)
  return { worthSeconds: Math.round(seconds * part), relievesSeconds: Math.max(0, Math.round(over * part)) }
}

function textOf(before: SeasonDriving | null, after: SeasonDriving, moves: number): string {
  const hours = (seconds: number): string => `${Math.round(seconds / 3600)} h`
  if (!before) return `Drives ${hours(after.seconds)} a season.`
  if (moves > 0 && after.seconds > before.seconds)
    return `Moves ${moves} ${moves === 1 ? 'customer' : 'customers'} so that fewer days are over their hours; drives ${hours(after.seconds - before.seconds)} more a season.`
  if (moves === 0) return 'No move of a customer to another day, week or crew is worth its price.'
  return `Moves ${moves} ${moves === 1 ? 'customer' : 'customers'}, saves ${hours(before.seconds - after.seconds)} and ${Math.round((before.meters - after.meters) / METERS_PER_MILE).toLocaleString('en-US')} miles of driving a season.`
}
