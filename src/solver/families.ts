import { estimateMatrix, type Point } from './matrix.ts'
import type { CrewDay, Matrix, Problem, Visit } from './problem.ts'
import { createRandom, type Random } from './random.ts'

/**
 * Made-up instances of many kinds, so that the search is not fitted to the few public ones. For tests and the bench, not
 * for customers. Even numbers are for tuning, odd ones for reporting.
 */
export type Family = { name: string; set: string; problem: Problem; best: number | null }

const HOUR = 3600
/** Number of instances that `family` tells apart by their kind. */
export const FAMILIES = 200

const pick = <T>(random: Random, list: readonly T[]): T => list[random.int(list.length)]!

/** About normally distributed, mean 0, deviation 1. */
const bell = (random: Random): number => random.next() + random.next() + random.next() + random.next() - 2

/**
 * Instance `number` of the families. Every third is a town's lawns on a day or a week, cut out of `towns` when there are
 * any (one list of places each), else made up; the others are of the kinds of Solomon and Uchoa. Same number, same instance.
 */
export function family(number: number, towns: readonly Point[][] = []): Family {
  const random = createRandom(7000 + number)
  return number % 3 === 2 ? lawns(random, number, towns) : plane(random, number)
}

/** Points in a square of 1,000: anywhere, in clusters or both; the depot in the middle, in a corner or anywhere. */
function points(random: Random, n: number, clustering: number): { x: number; y: number }[] {
  const centers = Array.from({ length: 3 + random.int(6) }, () => ({
    x: 100 + random.int(800),
    y: 100 + random.int(800),
  }))
  const wide = 30 + random.int(60)
  const depot = pick(random, [
    { x: 500, y: 500 },
    { x: 0, y: 0 },
    { x: random.int(1000), y: random.int(1000) },
  ])
  const others = Array.from({ length: n }, () => {
    if (random.next() >= clustering) return { x: random.int(1000), y: random.int(1000) }
    const c = pick(random, centers)
    return { x: Math.round(c.x + wide * bell(random) * 1.7), y: Math.round(c.y + wide * bell(random) * 1.7) }
  })
  return [depot, ...others]
}

function plane(random: Random, number: number): Family {
  const n = pick(random, [40, 70, 100, 100, 150, 200, 300, 400])
  const clustering = pick(random, [0, 0.5, 1])
  const long = random.next() < 0.4
  const windowShare = pick(random, [0, 0.25, 0.5, 1, 1])
  const at = points(random, n, clustering)
  const matrix: Matrix = {
    size: n + 1,
    seconds: new Int32Array((n + 1) ** 2),
    meters: new Int32Array((n + 1) ** 2),
  }
  for (let i = 0; i <= n; i++)
    for (let j = 0; j <= n; j++)
      matrix.seconds[i * (n + 1) + j] = Math.floor(Math.hypot(at[i]!.x - at[j]!.x, at[i]!.y - at[j]!.y))
  const perRoute = long ? 25 + random.int(25) : 6 + random.int(10)
  const service = pick(random, [0, 30, 90])
  const spread = pick(random, [0, 0.5])
  const horizon = Math.round(perRoute * (service + 2200 / Math.sqrt(n)) * (long ? 1.6 : 1.8)) + 1600
  const width = horizon * pick(random, [0.04, 0.12, 0.3])
  const mean = 20
  const visits = Array.from({ length: n }, (_, i): Visit => {
    const location = i + 1
    const home = matrix.seconds[location]!
    const serviceSeconds = Math.max(0, Math.round(service * (1 + spread * bell(random))))
    const demand = [1 + random.int(2 * mean - 1)]
    const middle = home + random.int(Math.max(1, horizon - 2 * home - serviceSeconds))
    if (random.next() >= windowShare) return { id: `v${i}`, location, serviceSeconds, demand }
    const half = Math.max(20, Math.round((width / 2) * (1 + 0.4 * bell(random))))
    const windows = [
      {
        startSeconds: Math.max(home, middle - half),
        endSeconds: Math.max(home, Math.min(horizon - home - serviceSeconds, middle + half)),
      },
    ]
    return { id: `v${i}`, location, serviceSeconds, demand, windows }
  })
  const crewDays = Array.from({ length: Math.ceil(n / Math.min(5, perRoute)) + 4 }, (_, r) =>
    crewDay(r, 0, horizon, [perRoute * mean]),
  )
  const name = `F${number}-${n}${['R', 'RC', 'C'][clustering * 2]}${long ? 2 : 1}w${windowShare * 100}`
  return { name, set: `families ${long ? 'long' : 'short'} routes`, problem: { matrix, visits, crewDays }, best: null }
}

/** One person at 3,600 cents an hour: a cent is a second of driving. */
function crewDay(r: number, from: number, to: number, capacity?: number[]): CrewDay {
  return {
    id: `route ${r + 1}`,
    startLocation: 0,
    endLocation: 0,
    shiftStartSeconds: from,
    shiftEndSeconds: to,
    wageCentsPerHour: 3600,
    ...(capacity ? { capacity } : {}),
  }
}

/** Two to eight crews with 12 to 25 lawns each, some with windows and some that one crew alone may do. */
function lawns(random: Random, number: number, towns: readonly Point[][]): Family {
  const crews = 2 + random.int(7)
  const each = 12 + random.int(14)
  const town = towns.length ? towns[number % towns.length]! : madeUpTown(random)
  const order = town.map((_, i) => i)
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.int(i + 1)
    const held = order[i]!
    order[i] = order[j]!
    order[j] = held
  }
  const chosen = order.slice(0, crews * each).map((i) => town[i]!)
  const depot = { lat: median(town.map((p) => p.lat)), lng: median(town.map((p) => p.lng)) }
  const matrix = estimateMatrix([depot, ...chosen])
  const season = 0.7 + 0.6 * random.next()
  // Time on site such that `each` lawns and their drives fill a shift.
  const mean = ((7.5 * HOUR) / each - 420) * season
  const windowShare = pick(random, [0, 0.1, 0.25])
  const skillShare = pick(random, [0, 0.15])
  const lost = pick(random, [0, 0.1])
  const large = random.next() < 0.3
  const visits = chosen.map((_, i): Visit => {
    const visit: Visit = {
      id: `v${i}`,
      location: i + 1,
      serviceSeconds: Math.max(300, Math.round(mean * (1 + 0.35 * bell(random)))),
    }
    if (random.next() < windowShare) {
      const startSeconds = (8 + 2 * random.int(4)) * HOUR
      visit.windows = [{ startSeconds, endSeconds: startSeconds + 2 * HOUR }]
    }
    if (random.next() < skillShare) visit.skills = ['spray']
    if (random.next() < lost) visit.crewDayCostCents = { 'route 1': 300 }
    return visit
  })
  const crewDays = Array.from({ length: crews + 2 }, (_, r) => ({
    ...crewDay(r, 7 * HOUR, 17 * HOUR),
    ...(r % 2 === 0 ? { skills: ['spray'] } : {}),
    crewSize: 1 + (large && r % 2 === 1 ? 1 : 0),
  }))
  const name = `F${number}-${chosen.length}lawn${crews}`
  return { name, set: 'families lawns', problem: { matrix, visits, crewDays }, best: null }
}

const median = (list: number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!

function madeUpTown(random: Random): Point[] {
  return points(random, 240, 0.7).map((p) => ({ lat: 38 + p.x / 4000, lng: -85 + p.y / 3200 }))
}
