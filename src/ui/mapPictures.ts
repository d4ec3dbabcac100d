import type { SourceSpecification } from 'maplibre-gl'
import type { MapSettings } from '../shared/maps.ts'
import type { Streets } from './mapAnswer.ts'
import { type Base, checkPicture, filled, kept, noAnswer, patienceMs, squareAt, type View, within } from './mapAsk.ts'
import { streetLayers } from './mapStreets.ts'

type GoogleSession = { session: string; tileWidth?: number }
const openSession = kept(async (address: string): Promise<GoogleSession> => {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mapType: 'satellite', language: 'en-US', region: 'US' }),
    signal: AbortSignal.timeout(patienceMs),
  })
  const answer = (await response.json()) as Partial<GoogleSession>
  if (!response.ok || typeof answer.session !== 'string') throw noAnswer('Google', response.status)
  return answer as GoogleSession
})

const layersOfPictures = async (satellite: NonNullable<MapSettings['satellite']>) => {
  if (satellite.kind === 'tiles') return satellite.layers
  const { url, key } = satellite
  const { session, tileWidth = 256 } = await openSession(`${url}/v1/createSession?key=${key}`)
  const address = `${url}/v1/2dtiles/{z}/{x}/{y}?session=${session}&key=${key}`
  return [{ url: address, tileSize: tileWidth, minZoom: 0, maxZoom: 20, attribution: 'Google Maps' }]
}

/**
 * Pictures from above that have answered for this view, with the names of streets on them where those are known by now.
 * @throws Error when they do not answer before the signal ends, or with anything but pictures
 */
export const readyPictures = async (
  satellite: NonNullable<MapSettings['satellite']>,
  streets: Promise<unknown>,
  described: () => Promise<Streets> | null,
  view: View,
  signal: AbortSignal,
): Promise<Base> => {
  const layers = await within(layersOfPictures(satellite), signal)
  const ground = layers[0]
  if (!ground) throw noAnswer('nobody')
  const at = squareAt(view, ground.minZoom, ground.maxZoom)
  const [named] = await Promise.all([
    Promise.race([streets.then(described), new Promise<null>((resolve) => setTimeout(resolve, 800, null))]).catch(
      () => null,
    ),
    checkPicture(filled(ground.url, at), signal),
  ])
  const own = named && 'own' in named ? named : null
  return {
    watched: ['pictures-0'],
    style: {
      version: 8,
      sources: {
        ...Object.fromEntries(
          layers.map((layer, i): [string, SourceSpecification] => [
            `pictures-${i}`,
            {
              type: 'raster',
              tiles: [layer.url],
              tileSize: layer.tileSize,
              minzoom: layer.minZoom,
              maxzoom: layer.maxZoom,
              attribution: layer.attribution,
            },
          ]),
        ),
        ...(own ? { streets: own.own.source } : {}),
      },
      layers: [
        ...layers.map((_, i) => ({
          id: `pictures-${i}`,
          type: 'raster' as const,
          source: `pictures-${i}`,
          paint: { 'raster-fade-duration': 0 },
        })),
        ...(own ? streetLayers('streets', own.schema, 'picture') : []),
      ],
    },
  }
}

/** Whose pictures are in view, in the provider's words; only Google changes them from place to place. */
export const pictureCredit = async (
  satellite: MapSettings['satellite'],
  bounds: { north: number; south: number; east: number; west: number },
  zoom: number,
): Promise<string> => {
  if (satellite?.kind !== 'google') return ''
  const { url, key } = satellite
  const { session } = await openSession(`${url}/v1/createSession?key=${key}`)
  const where = new URLSearchParams(Object.entries(bounds).map(([name, value]) => [name, value.toFixed(5)]))
  const asked = await fetch(
    `${url}/tile/v1/viewport?session=${session}&key=${key}&zoom=${Math.round(Math.max(0, zoom))}&${where}`,
    { signal: AbortSignal.timeout(patienceMs) },
  )
  const { copyright } = (await asked.json()) as { copyright?: unknown }
  return typeof copyright === 'string' ? copyright : ''
}
