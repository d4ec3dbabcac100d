export type SketchPoint = { id: string; latitude: number | null; longitude: number | null }
export type Placed = { id: string; x: number; y: number }

/**
 * Points of a small region on a picture, north up, with a margin around; those without a place are left out. A degree of longitude is shortened
 * by the latitude, so that the shape is true.
 */
export const placeOnSketch = (
  points: readonly SketchPoint[],
  width: number,
  height: number,
  margin: number,
): Placed[] => {
  const known = points.flatMap((p) =>
    p.latitude === null || p.longitude === null ? [] : [{ id: p.id, lat: p.latitude, lon: p.longitude }],
  )
  if (known.length === 0) return []
  const middle = known.reduce((sum, p) => sum + p.lat, 0) / known.length
  const flat = known.map((p) => ({ id: p.id, x: p.lon * Math.cos((middle * Math.PI) / 180), y: -p.lat }))
  const span = (values: number[]) => ({ from: Math.min(...values), size: Math.max(...values) - Math.min(...values) })
  const [xs, ys] = [span(flat.map((p) => p.x)), span(flat.map((p) => p.y))]
  const scale = Math.min(
    xs.size > 0 ? (width - 2 * margin) / xs.size : Number.POSITIVE_INFINITY,
    ys.size > 0 ? (height - 2 * margin) / ys.size : Number.POSITIVE_INFINITY,
  )
  const s = Number.isFinite(scale) ? scale : 0
  return flat.map((p) => ({
    id: p.id,
    x: Math.round(width / 2 + (p.x - xs.from - xs.size / 2) * s),
    y: Math.round(height / 2 + (p.y - ys.from - ys.size / 2) * s),
  }))
}
