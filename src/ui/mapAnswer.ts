import { addProtocol, type SourceSpecification, type StyleSpecification } from 'maplibre-gl'
import { FetchSource, PMTiles, Protocol, TileType } from 'pmtiles'
import type { MapSettings } from '../shared/maps.ts'
import {
  type Base,
  checkPicture,
  checkVector,
  filled,
  get,
  isVectorTile,
  kept,
  noAnswer,
  patienceMs,
  squareAt,
  type View,
  within,
} from './mapAsk.ts'
import { schemaOf, streetLayers } from './mapStreets.ts'

/** Asks for streets, and believes nothing before a square of them is there. */

type Described = {
  source: SourceSpecification
  /** Fails when the square does not come, or is none. */
  check: (view: View, signal: AbortSignal) => Promise<void>
}

const vectorSource = (tiles: string, from: number, to: number, attribution: string): SourceSpecification => ({
  type: 'vector',
  tiles: [tiles],
  minzoom: from,
  maxzoom: to,
  attribution: attribution || '<a href="https://www.openstreetmap.org/copyright" target="_blank">© OpenStreetMap</a>',
})

type TileJson = { tiles: string[]; minzoom?: number; maxzoom?: number; attribution?: string }
const isTileJson = (answer: unknown): answer is TileJson => {
  const { tiles } = (answer ?? {}) as Partial<TileJson>
  return Array.isArray(tiles) && typeof tiles[0] === 'string' && /^https?:.*\{z\}/.test(tiles[0])
}
const layersOf = (answer: unknown): string[] => {
  const layers = (answer as { vector_layers?: { id?: unknown }[] } | null)?.vector_layers
  return Array.isArray(layers) ? layers.map((layer) => String(layer?.id)) : []
}

const fromTileJson = (json: TileJson, type: 'vector' | 'raster' = 'vector'): Described => {
  const tiles = json.tiles[0] ?? ''
  const [from, to] = [json.minzoom ?? 0, json.maxzoom ?? 14]
  return {
    source: vectorSource(tiles, from, to, json.attribution ?? ''),
    check: (view, signal) =>
      (type === 'vector' ? checkVector : checkPicture)(filled(tiles, squareAt(view, from, to)), signal),
  }
}

const protocol = new Protocol()
addProtocol('pmtiles', protocol.tile)

const openArchive = async (url: string): Promise<Described & { layers: string[] }> => {
  const address = new URL(url, location.href).href
  const archive = new PMTiles(new FetchSource(address))
  protocol.add(archive)
  const head = await archive.getHeader()
  if (head.tileType !== TileType.Mvt) throw noAnswer(`${address}: no vector tiles`)
  const about = (await archive.getMetadata()) as { attribution?: string }
  return {
    layers: layersOf(about),
    source: vectorSource(`pmtiles://${address}/{z}/{x}/{y}`, head.minZoom, head.maxZoom, about.attribution ?? ''),
    check: async (view, signal) => {
      const { z, x, y } = squareAt(view, head.minZoom, head.maxZoom)
      const tile = await archive.getZxy(z, x, y, signal)
      // a cut has no squares elsewhere: that too is an answer
      if (tile && !isVectorTile(new Uint8Array(tile.data))) throw noAnswer(`${address}: nonsense`)
    },
  }
}
const archives = kept(openArchive)

/** The first source of a style that somebody draws for us. */
const firstOf = async (style: StyleSpecification, base: string, signal: AbortSignal): Promise<Described | null> => {
  for (const source of Object.values(style.sources)) {
    if (source.type !== 'vector' && source.type !== 'raster') continue
    if (source.tiles) return fromTileJson({ ...source, tiles: source.tiles } as TileJson, source.type)
    if (source.url?.startsWith('pmtiles://')) return archives(source.url.slice('pmtiles://'.length))
    const json: unknown = await (await get(new URL(source.url ?? '', base).href, signal)).json()
    if (!isTileJson(json)) throw noAnswer(`${source.url}: nonsense`)
    return fromTileJson(json, source.type)
  }
  return null
}

const isStyle = (answer: unknown): answer is StyleSpecification => {
  const { version, sources, layers } = (answer ?? {}) as Partial<StyleSpecification>
  return version === 8 && typeof sources === 'object' && Array.isArray(layers) && layers.length > 0
}

/** Streets that were described: tiles to draw in our colors, or somebody's whole style. */
export type Streets =
  | { own: Described; schema: 'openmaptiles' | 'protomaps' }
  | { foreign: StyleSpecification; first: Described | null }

const inOurColors = (own: Described, layers: readonly string[], from: string): Streets => {
  const schema = schemaOf(layers)
  if (!schema) throw noAnswer(`${from}: tiles of an unknown kind`)
  return { own, schema }
}

const describeAddress = async (url: string): Promise<Streets> => {
  const signal = AbortSignal.timeout(patienceMs)
  const answer: unknown = await (await get(url, signal)).json()
  if (isTileJson(answer)) return inOurColors(fromTileJson(answer), layersOf(answer), url)
  if (!isStyle(answer)) throw noAnswer(`${url}: nonsense`)
  return { foreign: answer, first: await firstOf(answer, url, signal) }
}
const addresses = kept(describeAddress)

/** What is known of the streets of these settings; asked for once, and again after it failed. */
export const describeStreets = async ({ kind, url }: NonNullable<MapSettings['streets']>): Promise<Streets> => {
  if (kind === 'address') return addresses(url)
  const archive = await archives(url)
  return inOurColors(archive, archive.layers, url)
}

/**
 * Streets that have answered for this view.
 * @throws Error when they do not answer before the signal ends, or with anything but a map
 */
export const readyStreets = async (
  streets: NonNullable<MapSettings['streets']>,
  view: View,
  signal: AbortSignal,
): Promise<Base> => {
  const found = await within(describeStreets(streets), signal)
  const first = 'own' in found ? found.own : found.first
  if (first) await within(first.check(view, signal), signal)
  if ('foreign' in found)
    return {
      style: found.foreign,
      isForeign: true,
      watched: Object.entries(found.foreign.sources).flatMap(([id, { type }]) =>
        type === 'vector' || type === 'raster' ? [id] : [],
      ),
    }
  return {
    style: { version: 8, sources: { streets: found.own.source }, layers: streetLayers('streets', found.schema) },
    watched: ['streets'],
  }
}
