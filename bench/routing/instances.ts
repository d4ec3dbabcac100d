import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { CrewDay, Matrix, Problem, Visit } from '../../src/solver/problem.ts'

/** A benchmark instance: cost is total travel in the file's own unit, waiting is free. */
export type Instance = { name: string; set: string; problem: Problem; best: number | null }

type Raw = {
  fleet: number
  capacity: number
  x?: number[]
  y?: number[]
  d?: number[][]
  q: number[]
  a: number[]
  b: number[]
  s: number[]
}

/** Every instance of a file or folder (and its sub-folders), by name; with the best known cost from `bks.json` beside it or above. */
export function readInstances(path: string): Instance[] {
  if (!statSync(path).isDirectory()) return readOne(path)
  return readdirSync(path)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .flatMap((name) => {
      const full = join(path, name)
      return statSync(full).isDirectory() ? readInstances(full) : readOne(full)
    })
}

function readOne(file: string): Instance[] {
  const kind = extname(file)
  const name = basename(file, kind)
  if (name === 'bks' || !['.txt', '.vrp', '.json'].includes(kind)) return []
  const text = readFileSync(file, 'utf8')
  const raw = kind === '.txt' ? readSolomon(text) : kind === '.vrp' ? readVrplib(text) : readLawn(text)
  if (!raw) return []
  const matrix =
    kind === '.txt'
      ? euclid(raw, (d) => Math.floor(d * 10))
      : kind === '.vrp'
        ? euclid(raw, Math.round)
        : fromTable(raw.d!)
  return [{ name, set: basename(dirname(file)), problem: toProblem(raw, matrix), best: bestKnown(dirname(file), name) }]
}

function bestKnown(folder: string, name: string): number | null {
  for (const place of [folder, dirname(folder)]) {
    const file = join(place, 'bks.json')
    if (!existsSync(file)) continue
    const entry = JSON.parse(readFileSync(file, 'utf8'))[name]
    const cost = typeof entry === 'number' ? entry : entry?.cost
    if (typeof cost === 'number') return cost
  }
  return null
}

/** Solomon and Gehring-Homberger: times are x10 like the distances. */
function readSolomon(text: string): Raw | null {
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const head = rows.find((row) => row.length === 2 && row.every(Number.isFinite))
  const nodes = rows.filter((row) => row.length === 7 && row.every(Number.isFinite))
  if (!head || nodes.length < 2) return null
  const column = (k: number, factor = 1): number[] => nodes.map((row) => row[k]! * factor)
  return {
    fleet: head[0]!,
    capacity: head[1]!,
    x: column(1),
    y: column(2),
    q: column(3),
    a: column(4, 10),
    b: column(5, 10),
    s: column(6, 10),
  }
}

/** VRPLIB, EUC_2D with one depot; the format names no fleet, so there are as many vehicles as visits could need. */
function readVrplib(text: string): Raw | null {
  const capacity = Number(/CAPACITY\s*:\s*(\d+)/.exec(text)?.[1])
  const section = (title: string): number[][] => {
    const body = text.split(new RegExp(`${title}[^\\n]*\\n`))[1] ?? ''
    const rows: number[][] = []
    for (const line of body.split('\n')) {
      const row = line.trim().split(/\s+/).map(Number)
      if (row.length < 2 || !row.every(Number.isFinite)) break
      rows.push(row)
    }
    return rows
  }
  const nodes = section('NODE_COORD_SECTION')
  if (!Number.isFinite(capacity) || nodes.length < 2) return null
  const q = section('DEMAND_SECTION').map((row) => row[1]!)
  const zero = nodes.map(() => 0)
  const fleet = Math.min(nodes.length - 1, Math.ceil((1.5 * q.reduce((a, b) => a + b, 0)) / capacity) + 5)
  return {
    fleet,
    capacity,
    x: nodes.map((r) => r[1]!),
    y: nodes.map((r) => r[2]!),
    q,
    a: zero,
    b: nodes.map(() => 90_000_000),
    s: zero,
  }
}

function readLawn(text: string): Raw | null {
  const file = JSON.parse(text)
  if (!Array.isArray(file.d) || typeof file.veh !== 'number') return null
  return { fleet: file.veh, capacity: file.cap, d: file.d, q: file.q, a: file.a, b: file.b, s: file.s }
}

function fromTable(table: number[][]): Matrix {
  const seconds = Int32Array.from(table.flat())
  return { size: table.length, seconds, meters: new Int32Array(seconds.length) }
}

function euclid(raw: Raw, integer: (d: number) => number): Matrix {
  const x = raw.x!
  const y = raw.y!
  const size = x.length
  const seconds = new Int32Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) seconds[i * size + j] = integer(Math.hypot(x[i]! - x[j]!, y[i]! - y[j]!))
  return { size, seconds, meters: new Int32Array(size * size) }
}

function toProblem(raw: Raw, matrix: Matrix): Problem {
  const visits: Visit[] = []
  for (let i = 1; i < matrix.size; i++)
    visits.push({
      id: String(i),
      location: i,
      serviceSeconds: raw.s[i]!,
      windows: [{ startSeconds: raw.a[i]!, endSeconds: raw.b[i]! }],
      demand: [raw.q[i]!],
    })
  // One person at 3,600 cents an hour: a cent is a second (or a unit) of travel.
  const crewDays: CrewDay[] = Array.from({ length: raw.fleet }, (_, r) => ({
    id: `route ${r + 1}`,
    startLocation: 0,
    endLocation: 0,
    shiftStartSeconds: raw.a[0]!,
    shiftEndSeconds: raw.b[0]!,
    capacity: [raw.capacity],
    crewSize: 1,
    wageCentsPerHour: 3600,
  }))
  return { matrix, visits, crewDays }
}
