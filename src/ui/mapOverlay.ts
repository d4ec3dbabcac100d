import type {
  GeoJSONSource,
  Map as GlMap,
  LayerSpecification,
  MapLayerMouseEvent,
  MapMouseEvent,
  MapTouchEvent,
  StyleSpecification,
  Subscription,
} from 'maplibre-gl'
import { drawMapImage, type MapLine, type MapPin, mapImageScale, pinImageName, resolveColor } from './mapPins.ts'
import type { MapViewProps } from './mapProps.ts'

export type Overlay = {
  show: (pins: readonly MapPin[], lines: readonly MapLine[]) => void
  stop: () => void
}

const pinFeatures = (pins: readonly MapPin[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: pins.map((pin) => ({
    type: 'Feature',
    properties: {
      id: pin.id,
      name: pin.name,
      count: pin.count ?? 1,
      image: pinImageName(pin),
      rank: pin.selected ? 3 : pin.kind === 'depot' ? 2 : 1,
      opacity: pin.faded ? 0.35 : 1,
    },
    geometry: { type: 'Point', coordinates: [pin.lon, pin.lat] },
  })),
})

const lineFeatures = (lines: readonly MapLine[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: lines.map((line) => ({
    type: 'Feature',
    properties: { color: resolveColor(line.color), dashed: line.dashed ?? false, opacity: line.faded ? 0.25 : 0.88 },
    geometry: { type: 'LineString', coordinates: line.points.map(({ lat, lon }) => [lon, lat]) },
  })),
})

const join = { 'line-join': 'round', 'line-cap': 'round' } as const

const lineLayers = (): LayerSpecification[] => [
  {
    id: 'our-lines-edge',
    type: 'line',
    source: 'our-lines',
    layout: join,
    paint: {
      // pale in the dark and over pictures too: crews have dark colors
      'line-color': resolveColor('var(--on-crew)'),
      'line-width': 6.5,
      'line-opacity': ['*', 0.8, ['get', 'opacity']],
    },
  },
  {
    id: 'our-lines',
    type: 'line',
    source: 'our-lines',
    filter: ['!', ['get', 'dashed']],
    layout: join,
    paint: { 'line-color': ['get', 'color'], 'line-width': 3.5, 'line-opacity': ['get', 'opacity'] },
  },
  {
    id: 'our-lines-dashed',
    type: 'line',
    source: 'our-lines',
    filter: ['get', 'dashed'],
    layout: join,
    paint: {
      'line-color': ['get', 'color'],
      'line-width': 3,
      'line-opacity': ['get', 'opacity'],
      'line-dasharray': [1, 2],
    },
  },
]

/** Pins are placed first, so the words of the map below step aside and are never cut by one. */
const pinLayer: LayerSpecification = {
  id: 'our-pins',
  type: 'symbol',
  source: 'our-pins',
  layout: {
    'icon-image': [
      'case',
      ['has', 'point_count'],
      [
        'concat',
        'cluster|',
        [
          'case',
          ['>=', ['get', 'total'], 1000],
          ['concat', ['to-string', ['/', ['round', ['/', ['get', 'total'], 100]], 10]], 'k'],
          ['to-string', ['get', 'total']],
        ],
      ],
      ['get', 'image'],
    ],
    'icon-allow-overlap': true,
    'icon-ignore-placement': false,
    'icon-padding': 1,
    'symbol-sort-key': ['coalesce', ['get', 'rank'], 4],
  },
  paint: { 'icon-opacity': ['coalesce', ['get', 'opacity'], 1] },
}

type Data = { pins: readonly MapPin[]; lines: readonly MapLine[] }

/** A base map with our pins over it, and our lines below its words. */
export const withOverlay = (base: StyleSpecification, { pins, lines }: Data, cluster: boolean): StyleSpecification => {
  const words = base.layers.findIndex(({ type }) => type === 'symbol')
  const below = words < 0 ? base.layers.length : words
  return {
    ...base,
    sources: {
      ...base.sources,
      'our-lines': { type: 'geojson', data: lineFeatures(lines) },
      'our-pins': {
        type: 'geojson',
        data: pinFeatures(pins),
        cluster,
        clusterRadius: 44,
        clusterMaxZoom: 13,
        clusterProperties: { total: ['+', ['get', 'count']] },
      },
    },
    layers: [...base.layers.slice(0, below), ...lineLayers(), ...base.layers.slice(below), pinLayer],
  }
}

const pinSource = (map: GlMap) => map.getSource<GeoJSONSource>('our-pins')

/** Puts other places on a map that is dressed already. */
export const showPlaces = (map: GlMap, { pins, lines }: Data): void => {
  pinSource(map)?.setData(pinFeatures(pins))
  map.getSource<GeoJSONSource>('our-lines')?.setData(lineFeatures(lines))
}

const end = (heard: readonly Subscription[]): void => {
  for (const one of heard) one.unsubscribe()
}

/** Draws pins when a map first needs them. */
export const drawImages = (map: GlMap): void => {
  map.setMissingStyleImageResolver((name) => {
    const image = map.hasImage(name) ? null : drawMapImage(name)
    if (image) map.addImage(name, image, { pixelRatio: mapImageScale })
  })
}

/** What pins do when they are pressed, dragged or pointed at, on whatever base map. */
export const addOverlay = (map: GlMap, props: () => MapViewProps): Overlay => {
  let shown: readonly MapPin[] = props().pins
  let letGo = () => {}

  const draw = (pins: readonly MapPin[]) => pinSource(map)?.setData(pinFeatures(pins))
  const at = (event: MapMouseEvent) =>
    map.getLayer('our-pins') ? map.queryRenderedFeatures(event.point, { layers: ['our-pins'] })[0] : undefined

  const onClick = async (event: MapMouseEvent) => {
    const hit = at(event)
    if (!hit) return props().onMapClick?.({ lat: event.lngLat.lat, lon: event.lngLat.lng })
    const cluster = hit.properties.cluster_id as number | undefined
    if (cluster === undefined) return props().onPinClick?.(String(hit.properties.id))
    const zoom = await pinSource(map)?.getClusterExpansionZoom(cluster)
    map.easeTo({
      center: (hit.geometry as GeoJSON.Point).coordinates as [number, number],
      zoom: zoom ?? map.getZoom() + 2,
    })
  }
  const onMove = (event: MapMouseEvent) => {
    const hit = at(event)
    map.getCanvas().style.cursor = hit ? 'pointer' : props().onMapClick ? 'crosshair' : ''
    map.getCanvas().title = hit ? String(hit.properties.name ?? `${hit.properties.total} here`) : ''
  }
  const onGrab = (event: MapLayerMouseEvent | MapTouchEvent) => {
    const id = (event as MapLayerMouseEvent).features?.[0]?.properties.id as string | undefined
    const { onPinDrag, draggableIds } = props()
    if (!onPinDrag || id === undefined || (draggableIds && !draggableIds.includes(id))) return
    event.preventDefault()
    let to: { lat: number; lon: number } | null = null
    const move = (moved: MapMouseEvent | MapTouchEvent) => {
      to = { lat: moved.lngLat.lat, lon: moved.lngLat.lng }
      const place = to
      draw(shown.map((pin) => (pin.id === id ? { ...pin, ...place } : pin)))
    }
    const drop = () => {
      letGo()
      if (to) onPinDrag(id, to)
      else draw(shown)
    }
    const held = [
      map.on('mousemove', move),
      map.on('touchmove', move),
      map.on('mouseup', drop),
      map.on('touchend', drop),
    ]
    letGo = () => end(held)
  }
  const heard = [
    map.on('click', onClick),
    map.on('mousemove', onMove),
    map.on('mousedown', 'our-pins', onGrab),
    map.on('touchstart', 'our-pins', onGrab),
  ]

  return {
    show: (pins, lines) => {
      shown = pins
      showPlaces(map, { pins, lines })
    },
    stop: () => {
      letGo()
      end(heard)
    },
  }
}
