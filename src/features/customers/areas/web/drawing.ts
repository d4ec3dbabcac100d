import type { PropertyArea } from '../contract.ts'
import { type AreaKind, type Corner, metersBetween } from '../rules.ts'

/** An area while it is drawn or typed. */
export type DraftArea = {
  /** Stays the same while the drawing is open. */
  key: string
  id?: string
  kind: AreaKind
  name: string
  /** Of a typed one. */
  squareFeet: number | null
  /** Of a typed edge. */
  feet: number | null
  /** An edge whose size was typed before edges had feet: it may stay as it is. */
  isOldEdge?: boolean
  rings: Corner[][] | null
}

type Line = { key: string; ring: number }
type Picture = { areas: DraftArea[]; line: Line | null }

/** What stands on the map, the line that is being drawn, and what Undo goes back to. */
export type Drawing = Picture & { past: Picture[] }

const mostSteps = 100
/** So near a corner, what is drawn takes its place: two areas share an edge without a gap. */
const snapMeters = 1.2

export const drawingOf = (areas: readonly PropertyArea[]): Drawing => ({
  areas: areas.map(({ id, kind, name, squareFeet, feetAround, rings }) => ({
    key: id,
    id,
    kind,
    name,
    squareFeet: rings || (kind === 'edge' && feetAround !== null) ? null : squareFeet,
    feet: rings || kind !== 'edge' ? null : feetAround,
    ...(kind === 'edge' && !rings && feetAround === null ? { isOldEdge: true } : {}),
    rings: rings?.map((ring) => ring.map(([lat, lon]): Corner => [lat, lon])) ?? null,
  })),
  line: null,
  past: [],
})

/** The square feet of an edge that stay until its feet are typed; null for every other area. */
export const oldSquareFeet = ({ kind, rings, feet, squareFeet, isOldEdge }: DraftArea): number | null =>
  isOldEdge && kind === 'edge' && !rings && feet === null ? squareFeet : null

/** An area as it is sent: as it was drawn, or typed. */
export const sentArea = (area: DraftArea) => {
  const { id, kind, name, squareFeet, feet, rings } = area
  const old = oldSquareFeet(area)
  return {
    ...(id ? { id } : {}),
    kind,
    name,
    ...(rings
      ? { rings: rings as [number, number][][] }
      : old !== null
        ? { squareFeet: old }
        : kind === 'edge'
          ? { feet }
          : { squareFeet }),
  }
}

const step = (drawing: Drawing, next: Partial<Picture>): Drawing => ({
  areas: drawing.areas,
  line: drawing.line,
  ...next,
  past: [...drawing.past, { areas: drawing.areas, line: drawing.line }].slice(-mostSteps),
})

export const undo = (drawing: Drawing): Drawing => {
  const last = drawing.past.at(-1)
  return last ? { ...last, past: drawing.past.slice(0, -1) } : drawing
}

const withArea = (drawing: Drawing, key: string, change: (area: DraftArea) => DraftArea): DraftArea[] =>
  drawing.areas.map((area) => (area.key === key ? change(area) : area))

const withRing = (drawing: Drawing, { key, ring }: Line, change: (corners: Corner[]) => Corner[]): DraftArea[] =>
  withArea(drawing, key, (area) => ({
    ...area,
    rings: area.rings?.map((corners, at) => (at === ring ? change(corners) : corners)) ?? null,
  }))

/** The nearest corner within reach, or the place itself. */
export const snapped = (drawing: Drawing, place: Corner, except?: { line: Line; at: number }): Corner => {
  let found = place
  let nearest = snapMeters
  for (const area of drawing.areas)
    for (const [ring, corners] of (area.rings ?? []).entries())
      for (const [at, corner] of corners.entries()) {
        if (except && except.line.key === area.key && except.line.ring === ring && except.at === at) continue
        const meters = metersBetween(place, corner)
        if (meters < nearest) [found, nearest] = [corner, meters]
      }
  return found
}

export const startArea = (drawing: Drawing, key: string, kind: DraftArea['kind'] = 'turf'): Drawing =>
  step(drawing, {
    areas: [...drawing.areas, { key, kind, name: '', squareFeet: null, feet: null, rings: [[]] }],
    line: { key, ring: 0 },
  })

export const typeArea = (drawing: Drawing, key: string, kind: DraftArea['kind'] = 'turf'): Drawing =>
  step(drawing, {
    areas: [...drawing.areas, { key, kind, name: '', squareFeet: null, feet: null, rings: null }],
  })

export const startHole = (drawing: Drawing, key: string): Drawing => {
  const ring = drawing.areas.find((area) => area.key === key)?.rings?.length ?? 0
  return step(drawing, {
    areas: withArea(drawing, key, (area) => ({ ...area, rings: [...(area.rings ?? []), []] })),
    line: { key, ring },
  })
}

const lineOf = ({ areas, line }: Picture): Corner[] =>
  (line && areas.find((area) => area.key === line.key)?.rings?.[line.ring]) || []

/** Whether the line has enough corners to be an outline. */
export const canClose = (drawing: Drawing): boolean => drawing.line !== null && lineOf(drawing).length >= 3

export const close = (drawing: Drawing): Drawing => (canClose(drawing) ? step(drawing, { line: null }) : drawing)

/** Adds a corner to the line; on its first corner it closes. */
export const addCorner = (drawing: Drawing, place: Corner): Drawing => {
  const { line } = drawing
  if (!line) return drawing
  const corners = lineOf(drawing)
  const corner = snapped(drawing, place)
  if (corner === corners[0]) return close(drawing)
  if (corners.includes(corner)) return drawing
  return step(drawing, { areas: withRing(drawing, line, (ring) => [...ring, corner]) })
}

export const moveCorner = (drawing: Drawing, line: Line, at: number, place: Corner): Drawing => {
  const corner = snapped(drawing, place, { line, at })
  return step(drawing, { areas: withRing(drawing, line, (ring) => ring.map((one, i) => (i === at ? corner : one))) })
}

/** Takes a corner out; a ring that is left with two is gone, a hole alone and an outline with its holes. */
export const removeCorner = (drawing: Drawing, line: Line, at: number): Drawing => {
  const ring = drawing.areas.find((area) => area.key === line.key)?.rings?.[line.ring] ?? []
  if (ring.length > 3) return step(drawing, { areas: withRing(drawing, line, (r) => r.filter((_, i) => i !== at)) })
  if (line.ring === 0) return removeArea(drawing, line.key)
  return step(drawing, {
    areas: withArea(drawing, line.key, (area) => ({
      ...area,
      rings: area.rings?.filter((_, i) => i !== line.ring) ?? null,
    })),
    line: null,
  })
}

export const removeArea = (drawing: Drawing, key: string): Drawing =>
  step(drawing, {
    areas: drawing.areas.filter((area) => area.key !== key),
    line: drawing.line?.key === key ? null : drawing.line,
  })

export const changeArea = (
  drawing: Drawing,
  key: string,
  changes: Partial<Pick<DraftArea, 'kind' | 'name' | 'squareFeet' | 'feet'>>,
): Drawing => step(drawing, { areas: withArea(drawing, key, (area) => ({ ...area, ...changes })) })

/** The name of a corner among the pins of the map, and back. */
export const cornerId = ({ key, ring }: Line, at: number): string => `${key}/${ring}/${at}`
export const readCornerId = (id: string): { line: Line; at: number } | null => {
  const [key, ring, at] = id.split('/')
  return key && ring !== undefined && at !== undefined ? { line: { key, ring: Number(ring) }, at: Number(at) } : null
}
