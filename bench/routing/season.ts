import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { estimateMatrix, type Point } from '../../src/solver/matrix.ts'
import type { CrewDay, Problem } from '../../src/solver/problem.ts'
import { createRandom } from '../../src/solver/random.ts'
import { seasonPlan } from '../../src/solver/season.ts'
import type { SeasonCrew, SeasonProblem, SeasonProperty, SeasonSlot } from '../../src/solver/season-problem.ts'
import { solve } from '../../src/solver/solve.ts'
import { addressFiles, readPoints } from './addresses.ts'
import { threadMilliseconds } from './threads.ts'

/** Hours of driving of a season in the ways its days could have been given out, every day's routes planned by the engine. */
export type SeasonRun = {
  file: string
  properties: number
  crews: number
  listedHours: number
  zipHours: number
  kMeansHours: number
  /** k-means for the weeks A and B too: more than anybody does by hand. */
  kMeansWeeksHours: number
  seasonHours: number
  belowBestPercent: number
  belowWeeksPercent: number
  unplaced: number
  seconds: number
  /** Started from the days as listed, with every move priced. */
  moves: string
}

type Place = Point & { zip: string }

const WEEKS = 30
const DAYS = [1, 2, 3, 4, 5]
const SHIFT = 9 * 3600

/** The season of every file of addresses, with as many properties as asked for, drawn around the addresses where the file has fewer. */
export function runSeasons(path: string, counts: number[], iterations?: number): SeasonRun[] {
  return addressFiles(path).flatMap((file) =>
    counts.map((count) => runOne(file, count, iterations, readPoints(readFileSync(file, 'utf8')))),
  )
}

/** The season of one file: its addresses and, where more are asked for, others drawn around them; crews for what they come to. */
export function seasonOf(listed: Place[], count: number): { problem: SeasonProblem; places: Place[] } {
  const random = createRandom(count)
  const places = listed.slice(0, count)
  while (places.length < count) {
    const near = listed[random.int(listed.length)]!
    places.push({
      zip: near.zip,
      lat: near.lat + (random.next() - 0.5) * 0.02,
      lng: near.lng + (random.next() - 0.5) * 0.024,
    })
  }
  const yard = {
    lat: places.reduce((a, p) => a + p.lat, 0) / count,
    lng: places.reduce((a, p) => a + p.lng, 0) / count,
  }
  const properties = places.map(
    (_, i): SeasonProperty => ({
      id: String(i),
      location: i + 1,
      serviceSeconds: 60 * (20 + random.int(21)),
      everyWeeks: random.next() < 0.5 ? 1 : 2,
    }),
  )
  const visitsAWeek = properties.reduce((sum, p) => sum + 1 / p.everyWeeks, 0)
  const crewCount = Math.max(1, Math.ceil(visitsAWeek / (DAYS.length * 13)))
  const crews = Array.from(
    { length: crewCount },
    (_, k): SeasonCrew => ({
      id: `crew ${k + 1}`,
      days: DAYS,
      startLocation: 0,
      endLocation: 0,
      shiftSeconds: SHIFT,
      wageCentsPerHour: 3600,
    }),
  )
  return { problem: { matrix: estimateMatrix([yard, ...places]), properties, crews, weeks: WEEKS }, places }
}

/** Days given out in the order of the file, each an equal share of the work: as a business grows. */
export const asListed = (problem: SeasonProblem): Map<number, SeasonSlot> =>
  spread(
    problem,
    problem.properties.map((_, i) => i),
  )

function runOne(file: string, count: number, iterations: number | undefined, listed: Place[]): SeasonRun {
  const { problem, places } = seasonOf(listed, count)
  const { properties, crews } = problem
  const inOrder = (order: number[]): Map<number, SeasonSlot> => spread(problem, order)
  const index = places.map((_, i) => i)
  const byZip = index.toSorted((a, b) =>
    places[a]!.zip < places[b]!.zip ? -1 : places[a]!.zip > places[b]!.zip ? 1 : a - b,
  )
  const listedSlots = inOrder(index)
  const started = threadMilliseconds()
  const plan = seasonPlan(problem, iterations === undefined ? {} : { iterations })
  const seconds = (threadMilliseconds() - started) / 1000
  const priced = seasonPlan(
    { ...problem, properties: properties.map((p, i) => ({ ...p, today: listedSlots.get(i)! })) },
    { iterations: 20_000 },
  )
  const ours = new Map(plan.slots.map(({ propertyId, ...slot }) => [Number(propertyId), slot]))
  const hours = (slots: Map<number, SeasonSlot>): number => Math.round((drivenSeconds(problem, slots) / 3600) * 10) / 10
  const others = [hours(listedSlots), hours(inOrder(byZip)), hours(kMeans(problem, places, false))] as const
  const strong = hours(kMeans(problem, places, true))
  const own = hours(ours)
  return {
    file: basename(file),
    properties: count,
    crews: crews.length,
    listedHours: others[0],
    zipHours: others[1],
    kMeansHours: others[2],
    kMeansWeeksHours: strong,
    seasonHours: own,
    belowBestPercent: Math.round((1 - own / Math.min(...others)) * 1000) / 10,
    belowWeeksPercent: Math.round((1 - own / strong) * 1000) / 10,
    unplaced: plan.unplaced.length,
    seconds: Math.round(seconds * 10) / 10,
    moves: priced.text,
  }
}

/** Gives the days out in the order of a list, each day an equal share of the work; biweekly ones A, B, A, B. */
function spread(problem: SeasonProblem, order: number[]): Map<number, SeasonSlot> {
  const { properties, crews } = problem
  const weight = (p: number): number => properties[p]!.serviceSeconds / properties[p]!.everyWeeks
  const total = order.reduce((sum, p) => sum + weight(p), 0)
  const beats = crews.flatMap((crew) => DAYS.map((day) => ({ crewId: crew.id, day })))
  // One day's crews take neighboring pieces of the list.
  beats.sort((a, b) => a.day - b.day)
  const slots = new Map<number, SeasonSlot>()
  let filled = 0
  let turn = 0
  for (const p of order) {
    const beat = beats[Math.min(beats.length - 1, Math.floor(((filled + weight(p) / 2) / total) * beats.length))]!
    slots.set(p, { ...beat, week: properties[p]!.everyWeeks === 2 ? turn++ % 2 : 0 })
    filled += weight(p)
  }
  return slots
}

/** Five clusters with an equal share of the work each, one for every weekday; A and B by turns in the list, or two clusters of the day's biweekly ones. */
function kMeans(problem: SeasonProblem, places: Place[], weeksToo: boolean): Map<number, SeasonSlot> {
  const { properties, crews } = problem
  const all = places.map((_, i) => i)
  const slots = new Map<number, SeasonSlot>()
  const weight = (p: number): number => properties[p]!.serviceSeconds / properties[p]!.everyWeeks
  for (const [d, members] of clusters(all, DAYS.length, places, weight).entries()) {
    const biweekly = members.filter((p) => properties[p]!.everyWeeks === 2).toSorted((a, b) => a - b)
    const b = weeksToo ? clusters(biweekly, 2, places, () => 1)[1]! : biweekly.filter((_, k) => k % 2 === 1)
    for (const p of members) slots.set(p, { crewId: crews[0]!.id, day: DAYS[d]!, week: b.includes(p) ? 1 : 0 })
  }
  return slots
}

/** k-means with an equal share of the weight in each cluster: the clearest cases choose first. Best of five starts. */
function clusters(members: number[], k: number, places: Place[], weight: (p: number) => number): number[][] {
  const far = (p: number, c: Point): number => (places[p]!.lat - c.lat) ** 2 + 0.62 * (places[p]!.lng - c.lng) ** 2
  const share = members.reduce((sum, p) => sum + weight(p), 0) / k
  let best: number[][] = Array.from({ length: k }, () => [])
  let least = Number.POSITIVE_INFINITY
  for (let start = 1; start <= 5; start++) {
    const random = createRandom(start)
    let centers: Point[] = Array.from({ length: k }, () => places[members[random.int(members.length)] ?? 0]!)
    let groups: number[][] = []
    for (let round = 0; round < 25; round++) {
      groups = centers.map(() => [])
      const room = centers.map(() => share * 1.03)
      const order = members.toSorted((a, b) => regret(a, centers, far) - regret(b, centers, far))
      for (const p of order) {
        const choice = centers.map((c, g) => ({ g, d: far(p, c) })).sort((a, b) => a.d - b.d)
        const to =
          choice.find(({ g }) => room[g]! >= weight(p)) ?? choice.toSorted((a, b) => room[b.g]! - room[a.g]!)[0]!
        groups[to.g]!.push(p)
        room[to.g] = room[to.g]! - weight(p)
      }
      centers = groups.map((g, i) =>
        g.length === 0
          ? centers[i]!
          : {
              lat: g.reduce((a, p) => a + places[p]!.lat, 0) / g.length,
              lng: g.reduce((a, p) => a + places[p]!.lng, 0) / g.length,
            },
      )
    }
    const sum = groups.reduce((a, g, i) => a + g.reduce((b, p) => b + far(p, centers[i]!), 0), 0)
    if (sum < least) {
      least = sum
      best = groups
    }
  }
  return best
}

/** Minus what choosing second best costs. */
function regret(p: number, centers: Point[], far: (p: number, c: Point) => number): number {
  const d = centers.map((c) => far(p, c)).sort((a, b) => a - b)
  return d[0]! - (d[1] ?? d[0]!)
}

/** Every day of the two weeks planned by the engine with all crews of the day, whoever the slot names. */
function drivenSeconds(problem: SeasonProblem, slots: Map<number, SeasonSlot>): number {
  let seconds = 0
  for (let week = 0; week < 2; week++)
    for (const day of DAYS) {
      const today = [...slots].filter(
        ([p, slot]) => slot.day === day && (problem.properties[p]!.everyWeeks === 1 || slot.week === week),
      )
      const crewDays = problem.crews.map(
        (crew): CrewDay => ({
          id: crew.id,
          startLocation: 0,
          endLocation: 0,
          shiftStartSeconds: 0,
          shiftEndSeconds: SHIFT,
          wageCentsPerHour: 3600,
        }),
      )
      // A day that is too full for its crews gets one more rather than leaving anybody out.
      crewDays.push({ ...crewDays[0]!, id: 'one more' })
      const one: Problem = {
        matrix: problem.matrix,
        visits: today.map(([p]) => ({
          id: String(p),
          location: p + 1,
          serviceSeconds: problem.properties[p]!.serviceSeconds,
        })),
        crewDays,
      }
      const solution = solve(one, { iterations: 6000 })
      if (solution.unserved.length) throw new Error(`A day of the season leaves ${solution.unserved.length} out.`)
      seconds += (solution.totals.driveSeconds * WEEKS) / 2
    }
  return seconds
}
