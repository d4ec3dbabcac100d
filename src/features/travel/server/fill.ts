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
