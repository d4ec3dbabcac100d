/** Lines that a finger draws: on a photo, or as a signature. Kept as data, so that nothing they are drawn on changes. */

export const strokeColors = ['red', 'yellow'] as const
export type StrokeColor = (typeof strokeColors)[number]

export const mostStrokes = 40
export const mostPoints = 300

/** One line: x and y in turn, as shares of what it is drawn on, from its upper left corner. */
export type Stroke = { id: string; color: StrokeColor; points: number[] }

const share = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000

/** A point as a share of a box of so many pixels, never outside of it. */
export const pointIn = (
  at: { x: number; y: number },
  box: { left: number; top: number; width: number; height: number },
): [number, number] => [share((at.x - box.left) / (box.width || 1)), share((at.y - box.top) / (box.height || 1))]

/** So near to the last point a new one says nothing. */
const leastStep = 0.004

/** A line with a further point; what is hardly a move, or beyond what a line holds, leaves it as it is. */
export const withPoint = (points: readonly number[], [x, y]: readonly [number, number]): number[] => {
  const [lastX, lastY] = points.slice(-2)
  const near = lastX !== undefined && lastY !== undefined && Math.hypot(x - lastX, y - lastY) < leastStep
  return near || points.length >= 2 * mostPoints ? [...points] : [...points, x, y]
}

const short = (value: number): number => Math.round(value * 10) / 10

/** A line as the path of a drawing of so many units; a single point is a dot. */
export const strokePath = ({ points }: Pick<Stroke, 'points'>, width: number, height: number): string => {
  const pairs: string[] = []
  for (let at = 0; at + 1 < points.length; at += 2)
    pairs.push(`${short((points[at] ?? 0) * width)} ${short((points[at + 1] ?? 0) * height)}`)
  return pairs.length === 1 ? `M${pairs[0]}h0.1` : `M${pairs.join('L')}`
}

/** How thick a line is on a drawing of so many units: the same on every photo, whatever its size. */
export const strokeWidth = (width: number, height: number): number => short(Math.max(width, height) * 0.009)

/** What somebody drew and took away since they looked. */
export type StrokeChange = { add: readonly Stroke[]; gone: readonly string[] }

/** Lines after a change of one person: what others drew meanwhile stays, and what is drawn twice is there once. */
export const mergeStrokes = (known: readonly Stroke[], { add, gone }: StrokeChange): Stroke[] => {
  const left = known.filter(({ id }) => !gone.includes(id))
  return [...left, ...add.filter(({ id }) => !gone.includes(id) && left.every((one) => one.id !== id))].slice(
    0,
    mostStrokes,
  )
}

/** What one person changed between what stood there and what they see now. */
export const changeOf = (before: readonly Stroke[], now: readonly Stroke[]): StrokeChange => ({
  add: now.filter(({ id }) => before.every((one) => one.id !== id)),
  gone: before.flatMap(({ id }) => (now.some((one) => one.id === id) ? [] : [id])),
})
