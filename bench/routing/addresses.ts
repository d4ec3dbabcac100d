import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { evaluate } from '../../src/solver/evaluate.ts'
import { estimateMatrix, type Point } from '../../src/solver/matrix.ts'
import type { CrewDay, Plan, Problem } from '../../src/solver/problem.ts'
import { solve } from '../../src/solver/solve.ts'
import { threadMilliseconds } from './threads.ts'

const SERVICE_SECONDS = 30 * 60
const SHIFT_SECONDS = 9 * 3600
const DAY_STARTS = 8 * 3600

export type AddressRun = {
  file: string
  visits: number
  crewDays: number
  fileOrderMinutes: number
  nearestNeighborMinutes: number
  optimizedMinutes: number
  savedAgainstFileOrderPercent: number
  savedAgainstNearestPercent: number
  unserved: number
  seconds: number
}

/** Driving minutes of every address file of a folder in three orders: of the file cut into days, nearest neighbor, optimized. */
export function runAddresses(path: string, crews: number, seconds: number, seed: number): AddressRun[] {
  return addressFiles(path).map((file) => runFile(file, crews, seconds, seed))
}

/** The .csv files of a folder by name, or the one file. */
export function addressFiles(path: string): string[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((name) => join(path, name))
    : [path]
  return files.filter((file) => extname(file) === '.csv')
}

function runFile(file: string, crews: number, seconds: number, seed: number): AddressRun {
  const points = readPoints(readFileSync(file, 'utf8'))
  const center = {
    lat: points.reduce((a, p) => a + p.lat, 0) / points.length,
    lng: points.reduce((a, p) => a + p.lng, 0) / points.length,
  }
  const base: Problem = {
    matrix: estimateMatrix([center, ...points]),
    visits: points.map((_, i) => ({ id: String(i), location: i + 1, serviceSeconds: SERVICE_SECONDS })),
    crewDays: [],
  }
  const fileOrder = cutIntoDays(
    base,
    points.map((_, i) => i),
  )
  const nearest = cutIntoDays(base, null)
  const days = Math.ceil(Math.max(fileOrder.length, nearest.length) / crews) * crews
  const problem: Problem = { ...base, crewDays: Array.from({ length: days }, (_, r) => crewDay(r)) }
  const minutesOf = (routes: number[][]): number => {
    const plan: Plan = { routes: routes.map((order, r) => ({ crewDayId: crewDay(r).id, visitIds: order.map(String) })) }
    return evaluate(problem, plan).totals.driveSeconds / 60
  }
  const started = threadMilliseconds()
  const solution = solve(problem, { seed, deadlineMs: seconds * 1000, now: threadMilliseconds, coolByTime: true })
  const optimized = solution.totals.driveSeconds / 60
  const first = minutesOf(fileOrder)
  const second = minutesOf(nearest)
  const percent = (from: number): number => Math.round((1 - optimized / from) * 1000) / 10
  return {
    file: basename(file),
    visits: points.length,
    crewDays: days,
    fileOrderMinutes: Math.round(first),
    nearestNeighborMinutes: Math.round(second),
    optimizedMinutes: Math.round(optimized),
    savedAgainstFileOrderPercent: percent(first),
    savedAgainstNearestPercent: percent(second),
    unserved: solution.unserved.length,
    seconds: Math.round(threadMilliseconds() - started) / 1000,
  }
}

function crewDay(r: number): CrewDay {
  return {
    id: `day ${r + 1}`,
    startLocation: 0,
    endLocation: 0,
    shiftStartSeconds: DAY_STARTS,
    shiftEndSeconds: DAY_STARTS + SHIFT_SECONDS,
    wageCentsPerHour: 3600,
  }
}

/** Fills one shift after the other: by the given order, or (null) always with the nearest visit left that still fits. */
function cutIntoDays(problem: Problem, order: number[] | null): number[][] {
  const { seconds, size } = problem.matrix
  const left = new Set(problem.visits.map((_, i) => i))
  const days: number[][] = []
  let at = 0
  let clock = 0
  let day: number[] = []
  while (left.size > 0) {
    let pick = -1
    for (const v of order ? [order[order.length - left.size]!] : left) {
      const end = clock + seconds[at * size + v + 1]! + SERVICE_SECONDS + seconds[(v + 1) * size]!
      if (end <= SHIFT_SECONDS && (pick < 0 || seconds[at * size + v + 1]! < seconds[at * size + pick + 1]!)) pick = v
    }
    if (pick < 0) {
      if (day.length === 0) break
      days.push(day)
      day = []
      at = clock = 0
      continue
    }
    clock += seconds[at * size + pick + 1]! + SERVICE_SECONDS
    at = pick + 1
    day.push(pick)
    left.delete(pick)
  }
  if (day.length) days.push(day)
  return days
}

/** Latitude, longitude and ZIP code of every row, by the names of the columns; quoted fields may hold commas. */
export function readPoints(text: string): (Point & { zip: string })[] {
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => [...line.matchAll(/("([^"]|"")*"|[^,]*)(,|$)/g)].map((m) => m[1]!.replace(/^"|"$/g, '')))
  const head = rows[0]?.map((name) => name.trim().toLowerCase()) ?? []
  const lat = head.findIndex((name) => name.startsWith('lat'))
  const lng = head.findIndex((name) => name.startsWith('lon') || name.startsWith('lng'))
  const zip = head.findIndex((name) => name.startsWith('zip'))
  return rows
    .slice(1)
    .map((row) => ({ lat: Number(row[lat]), lng: Number(row[lng]), zip: row[zip] ?? '' }))
    .filter((p) => Number.isFinite(p.lat) && Number.isFinite(p.lng))
}
