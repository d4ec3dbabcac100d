import type { StyleSpecification } from 'maplibre-gl'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countiesUrl from 'us-atlas/counties-10m.json?url'
import statesUrl from 'us-atlas/states-10m.json?url'
import { resolveColor } from './mapPins.ts'

type Atlas = Topology<{ states: GeometryCollection; counties: GeometryCollection }>
type Box = [number, number, number, number]

const load = async (url: string): Promise<Atlas> => (await (await fetch(url)).json()) as Atlas
const kept = new Map<string, Promise<Atlas>>()
const atlas = (url: string): Promise<Atlas> => {
  const found = kept.get(url) ?? load(url)
  kept.set(url, found)
  found.catch(() => kept.delete(url))
  return found
}

const mileInDegrees = 1 / 69.05

/** Lines a mile apart around what is shown: without streets they are what gives the eye a measure. */
const mileGrid = ([west, south, east, north]: Box): GeoJSON.FeatureCollection => {
  const middle = (south + north) / 2
  const stepLat = mileInDegrees
  const stepLon = mileInDegrees / Math.max(0.2, Math.cos((middle * Math.PI) / 180))
  const reach = 14
  const box = [
    west - stepLon * reach,
    south - stepLat * reach,
    east + stepLon * reach,
    north + stepLat * reach,
  ] as const
  const features: GeoJSON.Feature[] = []
  const line = (coordinates: [number, number][], main: boolean) =>
    features.push({ type: 'Feature', properties: { main }, geometry: { type: 'LineString', coordinates } })
  if ((box[2] - box[0]) / stepLon > 160 || (box[3] - box[1]) / stepLat > 160)
    return { type: 'FeatureCollection', features }
  for (let at = Math.floor(box[0] / stepLon); at * stepLon <= box[2]; at++)
    line(
      [
        [at * stepLon, box[1]],
        [at * stepLon, box[3]],
      ],
      at % 5 === 0,
    )
  for (let at = Math.floor(box[1] / stepLat); at * stepLat <= box[3]; at++)
    line(
      [
        [box[0], at * stepLat],
        [box[2], at * stepLat],
      ],
      at % 5 === 0,
    )
  return { type: 'FeatureCollection', features }
}

const drawOwn = (
  around: Box | null,
  states: Atlas | null,
  counties: Atlas | null,
  credit: string,
): StyleSpecification => {
  const empty: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] }
  const color = (token: string) => resolveColor(`var(--map-${token})`)
  return {
    version: 8,
    sources: {
      states: {
        type: 'geojson',
        data: states ? (feature(states, states.objects.states) as GeoJSON.FeatureCollection) : empty,
        attribution: credit,
      },
      counties: {
        type: 'geojson',
        data: counties ? (feature(counties, counties.objects.counties) as GeoJSON.FeatureCollection) : empty,
      },
      grid: { type: 'geojson', data: around ? mileGrid(around) : empty },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': color(states ? 'water' : 'land') } },
      { id: 'land', type: 'fill', source: 'states', paint: { 'fill-color': color('land') } },
      {
        id: 'grid',
        type: 'line',
        source: 'grid',
        minzoom: 8.5,
        paint: { 'line-color': color('road'), 'line-width': ['case', ['get', 'main'], 3, 1.5] },
      },
      {
        id: 'counties',
        type: 'line',
        source: 'counties',
        minzoom: 5,
        paint: { 'line-color': color('border'), 'line-width': 0.8, 'line-dasharray': [3, 2] },
      },
      { id: 'states', type: 'line', source: 'states', paint: { 'line-color': color('border'), 'line-width': 1.6 } },
    ],
  }
}

let last: { of: string; style: StyleSpecification } | null = null

/** Our own map for when there are no tiles: states and counties in paper and sage, drawn from a file that ships with the app. The same one again for the same place and colors. */
export const ownStyle = async (around: Box | null, credit: string): Promise<StyleSpecification> => {
  const [states, counties] = await Promise.all([statesUrl, countiesUrl].map((url) => atlas(url).catch(() => null)))
  const colors = ['water', 'land', 'road', 'border'].map((token) => resolveColor(`var(--map-${token})`))
  const of = JSON.stringify([around, credit, colors, !states, !counties])
  if (last?.of !== of) last = { of, style: drawOwn(around, states ?? null, counties ?? null, credit) }
  return last.style
}
