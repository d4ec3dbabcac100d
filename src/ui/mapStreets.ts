import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import { resolveColor } from './mapPins.ts'

/** Streets in our own colors over tiles of either kind that there are: OpenMapTiles (OpenFreeMap and most others) and Protomaps. */

type Kinds = { layer: string; key: string; values: readonly string[]; also?: ExpressionSpecification }
/** Where one kind of tile keeps what is drawn. */
type Schema = {
  green: Kinds[]
  water: Kinds[]
  streams: Kinds
  buildings: { layer: string; also?: ExpressionSpecification }
  roads: { layer: string; names: string; key: string; ref: string }
  borders: { layer: string; also: ExpressionSpecification }
  places: { layer: string; key: string; rank: string; areas: readonly string[] }
  waterNames: { layer: string; key: string; values: readonly string[] }
  houses: { layer: string; number: string }
  name: ExpressionSpecification
}

const openMapTiles: Schema = {
  green: [
    { layer: 'landcover', key: 'class', values: ['grass', 'wood', 'wetland'] },
    { layer: 'landuse', key: 'class', values: ['cemetery', 'pitch', 'stadium', 'zoo'] },
    { layer: 'park', key: 'class', values: [] },
  ],
  water: [{ layer: 'water', key: 'class', values: [] }],
  streams: { layer: 'waterway', key: 'class', values: ['river', 'stream', 'canal'] },
  buildings: { layer: 'building' },
  roads: { layer: 'transportation', names: 'transportation_name', key: 'class', ref: 'ref' },
  borders: { layer: 'boundary', also: ['all', ['<=', ['get', 'admin_level'], 6], ['!=', ['get', 'maritime'], 1]] },
  places: { layer: 'place', key: 'class', rank: 'rank', areas: ['suburb', 'quarter', 'neighbourhood', 'hamlet'] },
  waterNames: { layer: 'water_name', key: 'class', values: [] },
  houses: { layer: 'housenumber', number: 'housenumber' },
  name: ['coalesce', ['get', 'name:latin'], ['get', 'name']],
}

const protomaps: Schema = {
  green: [
    {
      layer: 'landuse',
      key: 'kind',
      values:
        'park forest wood grass golf_course cemetery nature_reserve meadow national_park recreation_ground pitch garden protected_area zoo'.split(
          ' ',
        ),
    },
    { layer: 'landcover', key: 'kind', values: ['grassland', 'forest', 'scrub'] },
  ],
  water: [{ layer: 'water', key: 'kind', values: [], also: ['==', ['geometry-type'], 'Polygon'] }],
  streams: { layer: 'water', key: 'kind', values: ['river', 'stream', 'canal'] },
  buildings: { layer: 'buildings', also: ['!=', ['get', 'kind'], 'address'] },
  roads: { layer: 'roads', names: 'roads', key: 'kind_detail', ref: 'ref' },
  borders: { layer: 'boundaries', also: ['in', ['get', 'kind'], ['literal', ['country', 'region', 'county']]] },
  places: {
    layer: 'places',
    key: 'kind_detail',
    rank: 'min_zoom',
    areas: ['suburb', 'quarter', 'neighbourhood', 'macrohood', 'hamlet'],
  },
  waterNames: { layer: 'water', key: 'kind', values: ['ocean', 'sea', 'lake', 'water', 'bay'] },
  houses: { layer: 'buildings', number: 'addr_housenumber' },
  name: ['coalesce', ['get', 'name:en'], ['get', 'name']],
}

/** Which kind of tiles has these layers; null: one that we know nothing of. */
export const schemaOf = (layers: readonly string[]): 'openmaptiles' | 'protomaps' | null =>
  layers.includes('transportation') ? 'openmaptiles' : layers.includes('roads') ? 'protomaps' : null

const linked = (...words: string[]): string[] => words.flatMap((word) => [word, `${word}_link`])

type Road = {
  id: string
  values: string[]
  from: number
  /** Zoom and width in pixels, in turns. */
  width: [number, number, ...number[]]
  color: string
  edge: string
}
const roads: Road[] = [
  {
    id: 'lane',
    values: ['service', 'track', 'driveway', 'parking_aisle', 'pedestrian', 'raceway'],
    from: 13,
    width: [13, 0.6, 16, 3, 19, 12],
    color: 'road',
    edge: 'road-edge',
  },
  {
    id: 'street',
    values: ['minor', 'residential', 'unclassified', 'living_street', 'road', 'busway'],
    from: 11.5,
    width: [11.5, 0.5, 14, 2.6, 16, 7, 19, 26],
    color: 'road',
    edge: 'road-edge',
  },
  {
    id: 'collector',
    values: linked('tertiary', 'secondary'),
    from: 8.5,
    width: [8.5, 0.6, 12, 2, 14, 4.5, 16, 10, 19, 32],
    color: 'main',
    edge: 'main-edge',
  },
  {
    id: 'artery',
    values: linked('primary', 'trunk'),
    from: 6,
    width: [6, 0.6, 10, 2, 13, 4.5, 16, 12, 19, 36],
    color: 'main',
    edge: 'main-edge',
  },
  {
    id: 'highway',
    values: linked('motorway'),
    from: 4,
    width: [4, 0.7, 8, 1.8, 11, 3.6, 14, 6.5, 16, 14, 19, 40],
    color: 'highway',
    edge: 'highway-edge',
  },
]

/** Drawn by the browser in the fonts of the page, so no font is asked for anywhere. The first word says only how bold. */
const font = (weight: 'Medium' | 'Semibold' | 'Bold'): string[] => [
  weight,
  'Hanken Grotesk',
  'Atkinson Hyperlegible Next',
]

const isOne = ({ key, values, also }: Omit<Kinds, 'layer'>): FilterSpecification => {
  const among: ExpressionSpecification | true =
    values.length > 0 ? ['in', ['get', key], ['literal', [...values]]] : true
  if (also && among !== true) return ['all', among, also] as FilterSpecification
  return (also ?? among) as FilterSpecification
}
const stops = (width: readonly number[], wider = 0): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.5],
  ['zoom'],
  ...(width.map((value, i) => (i % 2 === 1 ? value + wider : value)) as [number, number]),
]

/** Words over pictures from above stand in white; else in the ink of the map. */
type Tone = 'map' | 'picture'

const words = (source: string, schema: Schema, tone: Tone): LayerSpecification[] => {
  const color = (token: string) => resolveColor(`var(--map-${token})`)
  const ink = (token: string) => ({
    'text-color': tone === 'picture' ? color('pale') : color(token),
    'text-halo-color': tone === 'picture' ? color('shade') : color('halo'),
    'text-halo-width': tone === 'picture' ? 1.4 : 1.6,
    'text-halo-blur': 0.4,
  })
  const { roads: road, places } = schema
  const all = roads.flatMap(({ values }) => values)
  const streetNames = (id: string, values: string[], minzoom: number, size: number[]): LayerSpecification => ({
    id,
    type: 'symbol',
    source,
    'source-layer': road.names,
    minzoom,
    filter: isOne({ key: road.key, values }),
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 320,
      'text-field': schema.name,
      'text-font': font('Medium'),
      'text-size': stops(size),
      'text-letter-spacing': 0.01,
      'text-max-angle': 38,
    },
    paint: ink('text'),
  })
  const townSize = ['city', 'town', 'village', 'locality']
  return [
    {
      id: 'words-house',
      type: 'symbol',
      source,
      'source-layer': schema.houses.layer,
      minzoom: 17,
      filter: ['has', schema.houses.number],
      layout: { 'text-field': ['get', schema.houses.number], 'text-font': font('Medium'), 'text-size': 11 },
      paint: ink('text'),
    },
    {
      id: 'words-water',
      type: 'symbol',
      source,
      'source-layer': schema.waterNames.layer,
      minzoom: 9,
      filter: isOne({ ...schema.waterNames, also: ['==', ['geometry-type'], 'Point'] }),
      layout: { 'text-field': schema.name, 'text-font': font('Medium'), 'text-size': 12.5, 'text-max-width': 7 },
      paint: ink('water-text'),
    },
    streetNames(
      'words-street',
      roads.slice(0, 2).flatMap(({ values }) => values),
      14.2,
      [14, 10.5, 17, 13, 19, 15],
    ),
    streetNames(
      'words-road',
      roads.slice(2).flatMap(({ values }) => values),
      11.5,
      [11, 10.5, 15, 13, 19, 16],
    ),
    {
      id: 'words-number',
      type: 'symbol',
      source,
      'source-layer': road.names,
      minzoom: 7,
      maxzoom: 15,
      filter: ['all', ['has', road.ref], isOne({ key: road.key, values: all.slice(-6) }) as ExpressionSpecification],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 420,
        'text-field': ['get', road.ref],
        'text-font': font('Bold'),
        'text-size': 11,
        'text-rotation-alignment': 'viewport',
        'text-pitch-alignment': 'viewport',
      },
      paint: { ...ink('text'), 'text-halo-width': 2.6, 'text-halo-blur': 0 },
    },
    {
      id: 'words-area',
      type: 'symbol',
      source,
      'source-layer': places.layer,
      minzoom: 11.5,
      maxzoom: 16.5,
      filter: isOne({ key: places.key, values: places.areas }),
      layout: {
        'text-field': schema.name,
        'text-font': font('Semibold'),
        'text-size': stops([11, 11, 15, 14]),
        'text-max-width': 7,
      },
      paint: ink('text'),
    },
    {
      id: 'words-place',
      type: 'symbol',
      source,
      'source-layer': places.layer,
      minzoom: 4,
      maxzoom: 15,
      filter: isOne({ key: places.key, values: townSize }),
      layout: {
        'text-field': schema.name,
        'text-font': font('Bold'),
        'text-size': ['match', ['get', places.key], 'city', 17, 'town', 15, 13],
        'text-max-width': 7,
        'symbol-sort-key': ['coalesce', ['get', places.rank], 99],
      },
      paint: ink('text'),
    },
  ]
}

/** Ground, water, houses, roads and borders, without a word on them. */
const ground = (source: string, schema: Schema): LayerSpecification[] => {
  const color = (token: string) => resolveColor(`var(--map-${token})`)
  const fills = (kinds: readonly Kinds[], what: 'green' | 'water'): LayerSpecification[] =>
    kinds.map((kind) => ({
      id: `${what}-${kind.layer}`,
      type: 'fill',
      source,
      'source-layer': kind.layer,
      filter: isOne(kind),
      paint: { 'fill-color': color(what), 'fill-antialias': what === 'water' },
    }))
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  const line = (road: Road, part: 'edge' | 'top'): LayerSpecification => ({
    id: `road-${road.id}-${part}`,
    type: 'line',
    source,
    'source-layer': schema.roads.layer,
    minzoom: part === 'edge' ? Math.max(road.from, 10) : road.from,
    filter: isOne({ key: schema.roads.key, values: road.values }),
    layout: round,
    paint: {
      'line-color': color(part === 'edge' ? road.edge : road.color),
      'line-width': stops(road.width, part === 'edge' ? 1.6 : 0),
    },
  })
  return [
    ...fills(schema.green, 'green'),
    ...fills(schema.water, 'water'),
    {
      id: 'streams',
      type: 'line',
      source,
      'source-layer': schema.streams.layer,
      minzoom: 9,
      filter: isOne({ ...schema.streams, also: ['==', ['geometry-type'], 'LineString'] }),
      paint: { 'line-color': color('water'), 'line-width': stops([9, 0.8, 14, 2, 18, 7]) },
    },
    {
      id: 'houses',
      type: 'fill',
      source,
      'source-layer': schema.buildings.layer,
      minzoom: 14.5,
      ...(schema.buildings.also ? { filter: schema.buildings.also as FilterSpecification } : {}),
      paint: {
        'fill-color': color('building'),
        'fill-opacity': ['interpolate', ['linear'], ['zoom'], 14.5, 0, 15.5, 1],
      },
    },
    {
      id: 'paths',
      type: 'line',
      source,
      'source-layer': schema.roads.layer,
      minzoom: 15,
      filter: isOne({ key: schema.roads.key, values: ['path', 'footway', 'cycleway', 'steps', 'sidewalk'] }),
      paint: { 'line-color': color('road-edge'), 'line-width': 1.4, 'line-dasharray': [2, 1.6] },
    },
    {
      id: 'rails',
      type: 'line',
      source,
      'source-layer': schema.roads.layer,
      minzoom: 11,
      filter: isOne({ key: schema.roads.key, values: ['rail', 'light_rail', 'subway'] }),
      paint: { 'line-color': color('border'), 'line-width': stops([11, 0.7, 16, 2.2]) },
    },
    ...roads.map((road) => line(road, 'edge')),
    ...roads.map((road) => line(road, 'top')),
    {
      id: 'borders',
      type: 'line',
      source,
      'source-layer': schema.borders.layer,
      filter: schema.borders.also as FilterSpecification,
      paint: { 'line-color': color('border'), 'line-width': 1.3, 'line-dasharray': [4, 2.5] },
    },
  ]
}

const schemas = { openmaptiles: openMapTiles, protomaps } as const

/** The layers of a street map over the tiles of a source; over pictures from above only its words. */
export const streetLayers = (source: string, kind: keyof typeof schemas, tone: Tone = 'map'): LayerSpecification[] => [
  ...(tone === 'map' ? ground(source, schemas[kind]) : []),
  ...words(source, schemas[kind], tone),
]
