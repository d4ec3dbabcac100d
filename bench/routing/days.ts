import { readFileSync } from 'node:fs'
import { evaluate } from '../../src/solver/evaluate.ts'
import { estimateMatrix } from '../../src/solver/matrix.ts'
import type { CrewDay, Problem } from '../../src/solver/problem.ts'
import { createRandom } from '../../src/solver/random.ts'
import { solve } from '../../src/solver/solve.ts'
import { addressFiles, readPoints } from './addresses.ts'
import type { Instance } from './instances.ts'
import { threadMilliseconds } from './threads.ts'

const serviceSeconds = 30 * 60
const shift = { shiftStartSeconds: 7 * 3600, shiftEndSeconds: 7 * 3600 + 16 * 3600 }
const crewCounts = [1, 2, 3, 5]
const stopCounts = [10, 15, 20, 25]
const daysEach = 4

export type SavingsRun = {
  crews: number
  stopsPerCrew: number
  /** Minutes of driving a stop: in the order of the list, always to the nearest lawn next, planned. */
  listed: number
  nearest: number
  planned: number
  savedAgainstListed: number
  savedAgainstNearest: number
}

/**
 * What planning a day saves, for crews and days of several sizes: days drawn by chance from each file of real addresses, the same lawns driven in the
 * order of the list and cut evenly among the crews, always to the nearest lawn left, and as the engine plans them in `seconds` of one thread.
 */
export const runDays = (path: string, seconds: number): SavingsRun[] => {
  const towns = addressFiles(path).map((file) => readPoints(readFileSync(file, 'utf8')))
  return crewCounts.flatMap((crews) => stopCounts.map((stops) => runSize(towns, crews, stops, seconds)))
}

type Town = ReturnType<typeof readPoints>

/** A day drawn by chance from a town's addresses; the same numbers, the same day. */
const dayOf = (town: Town, t: number, crews: number, stopsPerCrew: number, day: number): Problem => {
  const random = createRandom(1000 * t + 100 * crews + 10 * stopsPerCrew + day)
  const drawn = [...town]
    .map((point) => ({ point, by: random.next() }))
    .sort((a, b) => a.by - b.by)
    .slice(0, crews * stopsPerCrew)
    .map(({ point }) => point)
  const depot = {
    lat: town.reduce((sum, p) => sum + p.lat, 0) / town.length,
    lng: town.reduce((sum, p) => sum + p.lng, 0) / town.length,
  }
  const crewDays: CrewDay[] = Array.from({ length: crews }, (_, r) => ({
    id: `crew ${r + 1}`,
    startLocation: 0,
    endLocation: 0,
    ...shift,
    maxStops: stopsPerCrew,
    wageCentsPerHour: 3600,
  }))
  return {
    matrix: estimateMatrix([depot, ...drawn]),
    visits: drawn.map((_, i) => ({ id: String(i), location: i + 1, serviceSeconds })),
    crewDays,
  }
}

const driveSecondsOf = (problem: Problem, seed: number, seconds: number): number => {
  const options = { seed, deadlineMs: seconds * 1000, now: threadMilliseconds, coolByTime: true }
  const { totals, unserved } = solve(problem, options)
  // Whoever leaves a lawn out drives less: that is no better day.
  if (unserved.length) throw new Error(`A planned day leaves ${unserved.length} out.`)
  return totals.driveSeconds
}

const limitSizes = [
  { crews: 2, stops: 12 },
  { crews: 3, stops: 15 },
  { crews: 5, stops: 15 },
  { crews: 5, stops: 25 },
]

export type LimitRun = {
  crews: number
  stopsPerCrew: number
  days: number
  /** Percent above the best ever seen of the day: of a run of `seconds`, and of the worst of them. */
  meanGap: number
  worstGap: number
  withinTenth: number
  /** How far the long runs lie apart: what they end at is the limit as far as that is nothing. */
  longMeanGap: number
}

/** What is left after `seconds` on days as lawn crews have them, against the best of `seeds` runs of `limit` seconds. */
export const runLimits = (path: string, seconds: number, limit: number, seeds: number): LimitRun[] => {
  const towns = addressFiles(path).map((file) => readPoints(readFileSync(file, 'utf8')))
  return limitSizes.map(({ crews, stops }) => {
    const gaps: number[] = []
    const longGaps: number[] = []
    for (const [t, town] of towns.entries())
      for (let day = 0; day < 2; day++) {
        const problem = dayOf(town, t, crews, stops, day)
        const runs = (each: number) => Array.from({ length: seeds }, (_, k) => driveSecondsOf(problem, k + 1, each))
        const [short, long] = [runs(seconds), runs(limit)]
        const best = Math.min(...short, ...long)
        gaps.push(...short.map((cost) => 100 * (cost / best - 1)))
        longGaps.push(...long.map((cost) => 100 * (cost / best - 1)))
      }
    const mean = (list: number[]): number => Math.round((1000 * list.reduce((a, b) => a + b, 0)) / list.length) / 1000
    return {
      crews,
      stopsPerCrew: stops,
      days: gaps.length / seeds,
      meanGap: mean(gaps),
      worstGap: mean([Math.max(...gaps)]),
      withinTenth: gaps.filter((gap) => gap <= 0.1).length / gaps.length,
      longMeanGap: mean(longGaps),
    }
  })
}

/** The same days as instances, best known being the best of two runs of `limit` seconds: for two checkouts by turns. */
export const dayInstances = (path: string, limit: number): Instance[] => {
  const towns = addressFiles(path).map((file) => readPoints(readFileSync(file, 'utf8')))
  return limitSizes.flatMap(({ crews, stops }) =>
    towns.flatMap((town, t) =>
      [0, 1].map((day) => {
        const problem = dayOf(town, t, crews, stops, day)
        const best = Math.min(...[1, 2].map((seed) => driveSecondsOf(problem, seed, limit)))
        return {
          name: `${crews * stops} stops, town ${t + 1}, day ${day + 1}`,
          set: `${crews * stops} stops`,
          problem,
          best,
        }
      }),
    ),
  )
}

const runSize = (towns: readonly Town[], crews: number, stopsPerCrew: number, seconds: number): SavingsRun => {
  const minutes = { listed: 0, nearest: 0, planned: 0 }
  let count = 0
  for (const [t, town] of towns.entries())
    for (let day = 0; day < daysEach; day++) {
      const problem = dayOf(town, t, crews, stopsPerCrew, day)
      const { visits, crewDays } = problem
      const minutesOf = (routes: readonly (readonly number[])[]): number =>
        evaluate(problem, {
          routes: routes.map((order, r) => ({ crewDayId: `crew ${r + 1}`, visitIds: order.map(String) })),
        }).totals.driveSeconds / 60
      const cut = (order: readonly number[]) =>
        crewDays.map((_, r) => order.slice(r * stopsPerCrew, (r + 1) * stopsPerCrew))
      minutes.listed += minutesOf(cut(visits.map((_, i) => i)))
      minutes.nearest += minutesOf(nearestNext(problem, crews, stopsPerCrew))
      minutes.planned += driveSecondsOf(problem, day + 1, seconds) / 60
      count += visits.length
    }
  const each = (sum: number): number => Math.round((sum / count) * 100) / 100
  const saved = (from: number): number => Math.round(((from - minutes.planned) * 100) / count) / 100
  return {
    crews,
    stopsPerCrew,
    listed: each(minutes.listed),
    nearest: each(minutes.nearest),
    planned: each(minutes.planned),
    savedAgainstListed: saved(minutes.listed),
    savedAgainstNearest: saved(minutes.nearest),
  }
}

/** One crew after the other leaves the depot and drives to the nearest lawn that is left, until its day is full. */
const nearestNext = ({ matrix: { seconds, size }, visits }: Problem, crews: number, stops: number): number[][] => {
  const left = new Set(visits.map((_, i) => i))
  return Array.from({ length: crews }, () => {
    const day: number[] = []
    let at = 0
    while (day.length < stops) {
      let pick = -1
      for (const v of left)
        if (pick < 0 || (seconds[at * size + v + 1] ?? 0) < (seconds[at * size + pick + 1] ?? 0)) pick = v
      left.delete(pick)
      day.push(pick)
      at = pick + 1
    }
    return day
  })
}
