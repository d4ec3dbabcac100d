import { crewCentsPerSecond, METERS_PER_MILE } from './compile.ts'
import { NO_WAY } from './compile-windows.ts'
import type { SeasonProblem, SeasonProperty, SeasonSlot } from './season-problem.ts'
import { rhythmOf, serviceSecondsOf } from './season-service.ts'
import { type Rate, seasonTables } from './season-tables.ts'

/** The longest cycle of weeks: what 1, 2, 3 and 4 weeks have in common. */
const MOST_WEEKS = 12

/**
 * A season as flat arrays. A "beat" is one crew on one weekday; it drives one route in each week of the cycle, so a
 * property has one node in every week (p * cycle + week), of which those of its rhythm are linked.
 */
export type Season = {
  problem: SeasonProblem
  size: number
  /** Weeks until every rhythm begins anew. */
  cycle: number
  /** How often each week of the cycle comes in the season. */
  times: Float64Array
  beats: { crew: number; day: number }[]
  places: number
  place: Int32Array
  seconds: Int32Array
  /** Cents of a leg, one table for every kind of crew; and the other way round, so that both ways of a place lie in one row. */
  tables: Float64Array[]
  tablesTo: Float64Array[]
  tableOf: Int32Array
  /** service[(p * cycle + week) * beats + beat] */
  service: Int32Array
  every: Int32Array
  /** allowed[p * beats + beat] */
  allowed: Uint8Array
  /** The only week of its rhythm it may begin in, -1 = any. */
  weekOnly: Int32Array
  /** Cents once for standing on another beat than today, by beat; and in another week. */
  beatPrice: Float64Array
  weekPrice: Float64Array
  /** Where it stands today, -1 = nowhere. */
  todayBeat: Int32Array
  todayWeek: Int32Array
  shift: Int32Array
  /** Cents of a second beyond the shift, by beat. */
  overRate: Float64Array
  maxStops: Int32Array
  /** Properties that can be planned on no beat, with the reason. */
  excluded: Map<number, string>
}

/**
 * Cents of a second that a crew-day works beyond its shift: some times what a second on the road costs the dearest crew, so that no driving that is
 * saved is worth a day that nobody can work. Work that has no room anywhere stays where it is: this is a price, and no wall.
 */
export const OVER_CENTS = 25

const MOVE = { dayCents: 2000, weekCents: 1000, crewCents: 700 }

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}

/** Builds the flat arrays; never throws on bad data. */
export function compileSeason(problem: SeasonProblem): Season {
  const { properties, crews, matrix } = problem
  const size = properties.length
  const beats = crews.flatMap((crew, k) => [...new Set(crew.days)].map((day) => ({ crew: k, day })))
  const excluded = new Map<number, string>()
  let cycle = 1
  for (const [p, property] of properties.entries()) {
    const e = property.everyWeeks
    const own = rhythmOf(property)
    const joined = Number.isInteger(e) && e > 0 ? (cycle * own) / gcd(cycle, own) : Number.POSITIVE_INFINITY
    if (joined > MOST_WEEKS) excluded.set(p, `Its rhythm of ${e} weeks is none that a season can be planned by.`)
    else cycle = joined
    if (!(property.location >= 0 && property.location < matrix.size)) excluded.set(p, 'Its place is not on the map.')
  }
  const weeks = Math.max(1, Math.round(problem.weeks))
  const places = matrix.size + 1
  const nowhere = matrix.size
  const B = beats.length
  const nodes = size * cycle
  const routes = B * cycle
  const place = new Int32Array(nodes + 2 * routes)
  for (let p = 0; p < size; p++)
    for (let w = 0; w < cycle; w++) place[p * cycle + w] = excluded.has(p) ? nowhere : properties[p]!.location
  for (let r = 0; r < routes; r++) {
    const crew = crews[beats[Math.floor(r / cycle)]!.crew]!
    place[nodes + r] = crew.startLocation
    place[nodes + routes + r] = crew.endLocation ?? nowhere
  }
  const seconds = new Int32Array(places * places)
  for (let i = 0; i < matrix.size; i++)
    for (let j = 0; j < matrix.size; j++) {
      const s = matrix.seconds[i * matrix.size + j]!
      seconds[i * places + j] = s < 0 ? NO_WAY : Math.min(s, NO_WAY)
    }
  const c: Season = {
    problem,
    size,
    cycle,
    times: Float64Array.from({ length: cycle }, (_, w) => Math.floor(weeks / cycle) + (w < weeks % cycle ? 1 : 0)),
    beats,
    places,
    place,
    seconds,
    tables: [],
    tablesTo: [],
    tableOf: new Int32Array(B),
    service: Int32Array.from({ length: nodes * B }, (_, k) => {
      const node = Math.floor(k / B)
      return serviceSecondsOf(properties[Math.floor(node / cycle)]!, crews[beats[k % B]!.crew]!.id, node % cycle)
    }),
    every: Int32Array.from(properties, (x, p) => (excluded.has(p) ? 1 : x.everyWeeks)),
    allowed: new Uint8Array(size * B),
    weekOnly: new Int32Array(size).fill(-1),
    beatPrice: new Float64Array(size * B),
    weekPrice: new Float64Array(size),
    todayBeat: new Int32Array(size).fill(-1),
    todayWeek: new Int32Array(size).fill(-1),
    shift: Int32Array.from(beats, (b) => crews[b.crew]!.shiftSecondsByDay?.[b.day] ?? crews[b.crew]!.shiftSeconds),
    // On such a day the shift says nothing: it keeps what stands there.
    overRate: Float64Array.from(beats, (b) => (crews[b.crew]!.closedDays?.includes(b.day) ? 0 : OVER_CENTS)),
    maxStops: Int32Array.from(beats, (b) => crews[b.crew]!.maxStops ?? NO_WAY),
    excluded,
  }
  fillTables(c)
  for (const [p, property] of properties.entries()) if (!excluded.has(p)) placeToday(c, p, property)
  return c
}

function fillTables(c: Season): void {
  const { matrix, crews } = c.problem
  const rates = c.beats.map(({ crew }): Rate => {
    const own = crews[crew]!
    return {
      second: crewCentsPerSecond({ ...own, id: '', shiftStartSeconds: 0, shiftEndSeconds: 0 }),
      meter: (own.centsPerMile ?? 0) / METERS_PER_MILE,
    }
  })
  Object.assign(c, seasonTables(matrix, c.seconds, rates))
}

/** The share of the season in which a property comes. */
export function seasonPart({ weeks }: Pick<SeasonProblem, 'weeks'>, property: SeasonProperty): number {
  return property.weeks === undefined ? 1 : Math.max(1, property.weeks) / Math.max(1, Math.round(weeks))
}

/** Where it may stand, what another place costs and where it stands today. */
function placeToday(c: Season, p: number, property: SeasonProperty): void {
  const { crews } = c.problem
  const price = { ...MOVE, ...c.problem.movePrices }
  // What a move saves is counted for a whole season: one that saves for a part of it has to save as much more.
  const part = seasonPart(c.problem, property)
  const { today, keep } = property
  const B = c.beats.length
  if (today) {
    c.todayWeek[p] = ((today.week % property.everyWeeks) + property.everyWeeks) % property.everyWeeks
    if (keep?.week) c.weekOnly[p] = c.todayWeek[p]!
    c.weekPrice[p] = price.weekCents / part
  }
  let any = false
  for (const [b, beat] of c.beats.entries()) {
    const crew = crews[beat.crew]!
    if (today && today.crewId === crew.id && today.day === beat.day) c.todayBeat[p] = b
    if (crew.closedDays?.includes(beat.day) && c.todayBeat[p] !== b) continue
    if (property.allowedDays && !property.allowedDays.includes(beat.day)) continue
    if (property.crews && !property.crews.includes(crew.id) && today?.crewId !== crew.id) continue
    if (property.skills?.some((skill) => !crew.skills?.includes(skill))) continue
    if (today && keep?.day && today.day !== beat.day) continue
    if (today && keep?.crew && today.crewId !== crew.id) continue
    c.allowed[p * B + b] = 1
    any = true
    if (!today) continue
    c.beatPrice[p * B + b] =
      ((today.day === beat.day ? 0 : price.dayCents) + (today.crewId === crew.id ? 0 : price.crewCents)) / part
  }
  if (!any) c.excluded.set(p, 'No crew with what it needs works on a day it allows.')
}

/** The beats' routes in every week of the cycle, as linked lists. */
export type SeasonState = {
  c: Season
  next: Int32Array
  prev: Int32Array
  /** Place of a node's next and cents to it, 0 on an empty route. */
  nextPlace: Int32Array
  leg: Float64Array
  /** Beat and first week of a property, -1 = not planned. */
  beatOf: Int32Array
  weekOf: Int32Array
  /** Seconds of driving and of service by route (beat * cycle + week). */
  drive: Int32Array
  work: Int32Array
  count: Int32Array
  /** Room by route: the shift, or what today's plan already takes. */
  room: Int32Array
  stopRoom: Int32Array
  /** Cents of a season's driving, of what is beyond the shifts and of all moves. */
  cost: number
}

/** All routes empty. */
export function createSeasonState(c: Season): SeasonState {
  const R = c.beats.length * c.cycle
  const nodes = c.size * c.cycle
  const s: SeasonState = {
    c,
    next: new Int32Array(nodes + 2 * R),
    prev: new Int32Array(nodes + 2 * R),
    nextPlace: new Int32Array(nodes + 2 * R),
    leg: new Float64Array(nodes + 2 * R),
    beatOf: new Int32Array(c.size).fill(-1),
    weekOf: new Int32Array(c.size).fill(-1),
    drive: new Int32Array(R),
    work: new Int32Array(R),
    count: new Int32Array(R),
    room: Int32Array.from({ length: R }, (_, r) => c.shift[Math.floor(r / c.cycle)]!),
    stopRoom: Int32Array.from({ length: R }, (_, r) => c.maxStops[Math.floor(r / c.cycle)]!),
    cost: 0,
  }
  for (let r = 0; r < R; r++) {
    s.next[nodes + r] = nodes + R + r
    s.prev[nodes + R + r] = nodes + r
    s.nextPlace[nodes + r] = c.place[nodes + R + r]!
  }
  return s
}

/** Cents of one week that a route's day lasts beyond its shift. */
export function overCents({ c, drive, work }: SeasonState, beat: number, r: number): number {
  return c.overRate[beat]! * Math.max(0, drive[r]! + work[r]! - c.shift[beat]!)
}

/** Seconds of the season beyond the shifts. */
export function overOf({ c, count, drive, work }: SeasonState): number {
  let seconds = 0
  for (let r = 0; r < count.length; r++) {
    const beat = Math.floor(r / c.cycle)
    if (c.overRate[beat] === 0) continue
    seconds += c.times[r % c.cycle]! * Math.max(0, drive[r]! + work[r]! - c.shift[beat]!)
  }
  return seconds
}

/** What a gap costs: cents found last, and the node to stand behind (-1 = no room). */
export type SeasonGap = { cents: number; after: number }

/** The cheapest gap for a property in one week of a beat; `free` forgets the room, but not that there must be a way. */
export function cheapestGap(s: SeasonState, p: number, beat: number, week: number, out: SeasonGap, free = false): void {
  const { c, next, leg, nextPlace } = s
  const { places, seconds, cycle } = c
  const table = c.tables[c.tableOf[beat]!]!
  const tableTo = c.tablesTo[c.tableOf[beat]!]!
  const r = beat * cycle + week
  const R = s.count.length
  const nodes = c.size * cycle
  const end = nodes + R + r
  const own = c.place[p * cycle]!
  const row = own * places
  const load = s.drive[r]! + s.work[r]!
  const longer = load + c.service[(p * cycle + week) * c.beats.length + beat]!
  const room = free ? NO_WAY / 2 : s.room[r]! - longer
  const spare = c.shift[beat]! - longer
  const rate = c.overRate[beat]!
  const overNow = Math.max(0, load - c.shift[beat]!)
  out.cents = Number.POSITIVE_INFINITY
  out.after = -1
  if (!free && (s.count[r]! >= s.stopRoom[r]! || room < 0)) return
  let best = Number.POSITIVE_INFINITY
  let from = c.place[nodes + r]!
  for (let i = nodes + r; i !== end; i = next[i]!) {
    const to = nextPlace[i]!
    const cents = tableTo[row + from]! + table[row + to]! - leg[i]!
    if (cents < best) {
      const direct = s.count[r] === 0 ? 0 : seconds[from * places + to]!
      const drive = seconds[from * places + own]! + seconds[row + to]! - direct
      const all = cents + rate * (Math.max(0, drive - spare) - overNow)
      if (drive <= room && all < best) {
        best = all
        out.after = i
      }
    }
    from = to
  }
  out.cents = best
}

/** Links a node behind another and keeps the sums; cents are the caller's. */
export function linkNode(s: SeasonState, node: number, after: number, beat: number, r: number): void {
  const { c, next, prev } = s
  const { places, place, seconds } = c
  const table = c.tables[c.tableOf[beat]!]!
  const to = next[after]!
  const own = place[node]!
  const a = place[after]! * places
  const b = place[to]!
  s.drive[r] = s.drive[r]! + seconds[a + own]! + seconds[own * places + b]! - (s.count[r] === 0 ? 0 : seconds[a + b]!)
  s.work[r] = s.work[r]! + c.service[node * c.beats.length + beat]!
  s.count[r] = s.count[r]! + 1
  next[after] = node
  prev[node] = after
  next[node] = to
  prev[to] = node
  s.nextPlace[after] = own
  s.nextPlace[node] = b
  s.leg[after] = table[a + own]!
  s.leg[node] = table[own * places + b]!
}

/** Cents of a week that leaving the gap saves; unlinks the node. */
export function unlinkNode(s: SeasonState, node: number, beat: number, r: number): number {
  const { c, next, prev } = s
  const { places, place, seconds } = c
  const table = c.tables[c.tableOf[beat]!]!
  const from = prev[node]!
  const to = next[node]!
  const own = place[node]!
  const a = place[from]! * places
  const b = place[to]!
  next[from] = to
  prev[to] = from
  const count = s.count[r]! - 1
  s.count[r] = count
  s.work[r] = s.work[r]! - c.service[node * c.beats.length + beat]!
  s.drive[r] = s.drive[r]! - seconds[a + own]! - seconds[own * places + b]! + (count === 0 ? 0 : seconds[a + b]!)
  const saved = s.leg[from]! + s.leg[node]!
  s.nextPlace[from] = b
  s.leg[from] = count === 0 ? 0 : table[a + b]!
  return saved - s.leg[from]!
}

/** Once-only cents of a property for standing where it does. */
export function movePrice(c: Season, p: number, beat: number, week: number): number {
  const moved = c.todayWeek[p]! >= 0 && week !== c.todayWeek[p] ? c.weekPrice[p]! : 0
  return c.beatPrice[p * c.beats.length + beat]! + moved
}

/** Some crew-day that may have the property can drive there and back. */
export function hasWay(c: Season, p: number): boolean {
  const nodes = c.size * c.cycle
  const own = c.place[p * c.cycle]!
  return c.beats.some((_, b) => {
    if (c.allowed[p * c.beats.length + b] === 0) return false
    const start = c.place[nodes + b * c.cycle]!
    const end = c.place[nodes + c.beats.length * c.cycle + b * c.cycle]!
    return c.seconds[start * c.places + own]! < NO_WAY && c.seconds[own * c.places + end]! < NO_WAY
  })
}

/** The slot of a property in words of the caller, null = not planned. */
export function slotOf(s: SeasonState, p: number): SeasonSlot | null {
  const b = s.beatOf[p]!
  if (b < 0) return null
  const beat = s.c.beats[b]!
  return { crewId: s.c.problem.crews[beat.crew]!.id, day: beat.day, week: s.weekOf[p]! }
}
