import { crowMeters, type EstimateSettings, estimateMatrix, isOnMap, type Point } from '../../../solver/matrix.ts'
import type { Matrix } from '../../../solver/problem.ts'

/** In `Drives.source`: a road engine answered; 0 is an estimate. */
export const fromEngine = 1

/** `source[from * size + to]` says for each drive whether it was answered or estimated. -1 seconds: there is no way. */
export type TravelTimes = Matrix & { source: Uint8Array }

const perDegree = 100_000
const longitudes = 360 * perDegree + 1

/**
 * A place as one whole number below 2^53: its coordinates rounded to five decimals, about a meter. Null off the map.
 * Two places with the same key are one place for a road engine.
 */
export const placeKey = (point: Point): number | null =>
  isOnMap(point)
    ? Math.round((point.lat + 90) * perDegree) * longitudes + Math.round((point.lng + 180) * perDegree)
    : null

/** Answered drives in columns; `cell` is `from * size + to`. */
export type Answered = { cell: Int32Array; seconds: Int32Array; meters: Int32Array }

/** What a road engine answered from one place: for each place that it leads to its key (8 bytes), seconds and meters (4 bytes each). */
export type PackedDrives = { from: string; pairs: Uint8Array }

const bytesPerPair = 16

/** The columns of packed answers, where there is an engine; places with the same key lie nowhere apart. */
export const unpackDrives = (points: readonly Point[], rows: readonly PackedDrives[] | null): Answered => {
  if (rows === null) return { cell: new Int32Array(0), seconds: new Int32Array(0), meters: new Int32Array(0) }
  const at = Map.groupBy(points.keys(), (i) => placeKey(points[i]!))
  at.delete(null)
  const cells: number[] = []
  const seconds: number[] = []
  const meters: number[] = []
  const add = (from: number, to: number, s: number, m: number): void => {
    cells.push(from * points.length + to)
    seconds.push(s)
    meters.push(m)
  }
  for (const same of at.values()) for (const from of same) for (const to of same) if (from !== to) add(from, to, 0, 0)
  for (const { from, pairs } of rows) {
    const view = new DataView(pairs.buffer, pairs.byteOffset, pairs.byteLength)
    const sources = at.get(Number(from)) ?? []
    for (let i = 0; i < pairs.length; i += bytesPerPair) {
      const [s, m] = [view.getInt32(i + 8), view.getInt32(i + 12)]
      const targets = at.get(Number(view.getBigInt64(i))) ?? []
      for (const source of sources) for (const target of targets) add(source, target, s, m)
    }
  }
  return { cell: Int32Array.from(cells), seconds: Int32Array.from(seconds), meters: Int32Array.from(meters) }
}

/** An engine that is twice as slow as the curve, or half, is believed; beyond four times the answers are about something else. */
const between = (ratio: number): number => Math.min(4, Math.max(0.25, ratio))

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

/** Nearer than that, turning and parking decide, and the ratio says nothing of the roads. */
const tellingMeters = 300
const enoughToScale = 5

/**
 * The whole matrix from what an engine answered. Holes are estimated on the engine's own scale: by the median of its answers against the
 * estimate for the same drives. A direction is never filled from the other one.
 */
export const fillTravelTimes = (
  points: readonly Point[],
  settings: EstimateSettings,
  answered: Answered,
): TravelTimes => {
  const matrix = estimateMatrix([...points], settings)
  const source = new Uint8Array(matrix.size ** 2)
  for (const cell of answered.cell) source[cell] = fromEngine
  if (answered.cell.length < matrix.size * (matrix.size - 1)) scaleHoles(points, matrix, source, answered)
  answered.cell.forEach((cell, i) => {
    matrix.seconds[cell] = answered.seconds[i]!
    matrix.meters[cell] = answered.meters[i]!
  })
  return { ...matrix, source }
}

export type Filling = { points: readonly Point[]; estimate: EstimateSettings; rows: readonly PackedDrives[] | null }

const shared = (list: Int32Array): Int32Array => {
  const copy = new Int32Array(new SharedArrayBuffer(list.byteLength))
  copy.set(list)
  return copy
}

/** The whole matrix in memory that threads share, so that it is copied for none; runs in a thread itself. */
export const fillShared = async ({ points, estimate, rows }: Filling): Promise<Matrix> => {
  const { size, seconds, meters } = fillTravelTimes(points, estimate, unpackDrives(points, rows))
  return { size, seconds: shared(seconds), meters: shared(meters) }
}

const scaleHoles = (points: readonly Point[], matrix: Matrix, source: Uint8Array, answered: Answered): void => {
  const { size, seconds, meters } = matrix
  const step = Math.ceil(answered.cell.length / 5000) || 1
  const [slower, longer]: [number[], number[]] = [[], []]
  for (let i = 0; i < answered.cell.length; i += step) {
    const cell = answered.cell[i]!
    const far = crowMeters(points[Math.floor(cell / size)]!, points[cell % size]!) >= tellingMeters
    if (!far || answered.seconds[i]! <= 0) continue
    slower.push(answered.seconds[i]! / seconds[cell]!)
    longer.push(answered.meters[i]! / meters[cell]!)
  }
  if (slower.length < enoughToScale) return
  const [slow, long] = [between(median(slower)), between(median(longer))]
  for (let cell = 0; cell < size * size; cell++) {
    if (source[cell] === fromEngine || seconds[cell]! <= 0) continue
    seconds[cell] = Math.round(seconds[cell]! * slow)
    meters[cell] = Math.round(meters[cell]! * long)
  }
}
