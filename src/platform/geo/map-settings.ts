import { basename, resolve } from 'node:path'
import { z } from 'zod'
import type { MapPictures, MapService, MapSettings } from '../../shared/maps.ts'

/** The part of the environment that says what maps are drawn with, and who is asked for it. */

const isWeb = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Scheme, host and port of an address that may have places to fill in, like {z}. */
export const originOf = (url: string): string => new URL(url.replaceAll(/[{}]/g, '')).origin

const pictureServices = ['usgs', 'mapbox', 'google', 'none'] as const

export const mapEnvironment = {
  SWATH_MAP_STYLE: z
    .string()
    .refine((text) => text === 'none' || isWeb(text), {
      error: 'must be none or the address of a MapLibre style, like https://maps.example.com/style.json',
    })
    .optional(),
  SWATH_MAP_PMTILES: z
    .string()
    .refine((text) => (isWeb(text) ? true : !/^\w{2,}:/.test(text)) && /\.pmtiles(\?|$)/i.test(text), {
      error: 'must be a file or an address that ends with .pmtiles, like /srv/maps/georgia.pmtiles',
    })
    .optional(),
  SWATH_MAP_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine((hosts) => hosts.every((one) => isWeb(one) && new URL(one).pathname === '/' && !/[\s;'"]/.test(one)), {
      error: 'must be addresses without a path, like https://tiles.example.com,https://fonts.example.com',
    })
    .optional(),
  SWATH_SATELLITE: z
    .string()
    .refine(
      (text) =>
        (pictureServices as readonly string[]).includes(text) ||
        (isWeb(text) &&
          ['{z}', '{x}', '{y}'].every((part) => text.includes(part)) &&
          !/[{}]/.test(new URL(text).origin)),
      { error: 'must be usgs, mapbox, google, none or an address like https://tiles.example.com/{z}/{x}/{y}.jpg' },
    )
    .optional(),
  SWATH_SATELLITE_KEY: z
    .string()
    .regex(/^[\w.-]{8,200}$/, 'must be the key of that service')
    .optional(),
}

/** Values that no message may show. */
export const mapSecrets = ['SWATH_SATELLITE_KEY']

export type MapServerSettings = {
  /** What browsers are told. */
  shown: MapSettings
  /** Our own archive of tiles, as an absolute path; undefined: there is none to serve. */
  file: string | undefined
  /** Who is asked, for the content security policy, the privacy notice and the Integrations screen. */
  services: MapService[]
}

/** Without a key, without a limit; asks for its name to be shown. */
const openFreeMap = 'https://tiles.openfreemap.org/planet'

const usgs: MapPictures[] = [
  {
    url: 'https://basemap.nationalmap.gov/arcgis/rest/services/USGSImageryOnly/MapServer/tile/{z}/{y}/{x}',
    tileSize: 256,
    minZoom: 0,
    maxZoom: 16,
    attribution: 'Pictures: <a href="https://www.usgs.gov/" target="_blank">USGS The National Map</a>, USDA NAIP',
  },
  // drawn when asked for, a second a picture: only where the ready ones end
  {
    url: 'https://imagery.nationalmap.gov/arcgis/rest/services/USGSNAIPPlus/ImageServer/exportImage?bbox={bbox-epsg-3857}&bboxSR=3857&imageSR=3857&size=512,512&format=jpg&f=image',
    tileSize: 512,
    minZoom: 16,
    maxZoom: 18,
    attribution: '',
  },
]

const mapbox = (key: string): MapPictures => ({
  url: `https://api.mapbox.com/v4/mapbox.satellite/{z}/{x}/{y}@2x.jpg90?access_token=${key}`,
  tileSize: 512,
  minZoom: 0,
  maxZoom: 20,
  attribution:
    '<a href="https://www.mapbox.com/about/maps/" target="_blank">© Mapbox</a> <a href="https://www.maxar.com/" target="_blank">© Maxar</a>',
})

/** Where our own archive is served; its name does not change, what is in it may. */
export const mapFilePath = (file: string): string => `/maps/${encodeURIComponent(basename(file))}`

type Values = z.output<z.ZodObject<typeof mapEnvironment>>

const streetsOf = (values: Values): Pick<MapServerSettings, 'file' | 'services'> & Pick<MapSettings, 'streets'> => {
  const { SWATH_MAP_STYLE: style, SWATH_MAP_PMTILES: archive, SWATH_MAP_HOSTS: more = [] } = values
  if (archive) {
    const url = isWeb(archive) ? archive : mapFilePath(archive)
    const hosts = isWeb(archive) ? [originOf(archive)] : []
    return {
      streets: { kind: 'pmtiles', url },
      file: isWeb(archive) ? undefined : resolve(archive),
      services: hosts.map((host) => ({ name: new URL(host).hostname, hosts, shows: 'streets' as const })),
    }
  }
  if (style === 'none') return { streets: null, file: undefined, services: [] }
  const url = style ?? openFreeMap
  const hosts = [...new Set([originOf(url), ...more.map(originOf)])]
  const name = url === openFreeMap ? 'OpenFreeMap' : new URL(url).hostname
  return { streets: { kind: 'address', url }, file: undefined, services: [{ name, hosts, shows: 'streets' }] }
}

const picturesOf = (values: Values): Pick<MapServerSettings, 'services'> & Pick<MapSettings, 'satellite'> => {
  const { SWATH_MAP_STYLE: style, SWATH_MAP_PMTILES: archive, SWATH_SATELLITE_KEY: key = '' } = values
  // who takes the street maps into their own hands wants nobody else asked, unless they say so
  const which = values.SWATH_SATELLITE ?? (style === 'none' || archive ? 'none' : 'usgs')
  if (which === 'none') return { satellite: null, services: [] }
  if (which === 'google') {
    const url = 'https://tile.googleapis.com'
    return {
      satellite: { kind: 'google', url, key },
      services: [{ name: 'Google', hosts: [url], shows: 'pictures' }],
    }
  }
  const layers =
    which === 'usgs'
      ? usgs
      : which === 'mapbox'
        ? [mapbox(key)]
        : [{ url: which, tileSize: 256, minZoom: 0, maxZoom: 19, attribution: new URL(which).hostname }]
  const name = which === 'usgs' ? 'the U.S. Geological Survey' : which === 'mapbox' ? 'Mapbox' : new URL(which).hostname
  const hosts = [...new Set(layers.map((layer) => originOf(layer.url)))]
  return { satellite: { kind: 'tiles', layers }, services: [{ name, hosts, shows: 'pictures' }] }
}

/** What is wrong between values that are each right, as "NAME must ...", or null. */
export const mapProblem = (values: Values): string | null => {
  const { SWATH_MAP_STYLE: style, SWATH_MAP_PMTILES: archive, SWATH_SATELLITE: pictures } = values
  if (style && archive) return 'SWATH_MAP_STYLE and SWATH_MAP_PMTILES exclude each other; set one of them'
  if ((pictures === 'mapbox' || pictures === 'google') && !values.SWATH_SATELLITE_KEY)
    return `SWATH_SATELLITE=${pictures} needs SWATH_SATELLITE_KEY, the key of that service`
  return null
}

/** The settings in what was read of the environment. */
export const mapSettingsOf = (values: Values): MapServerSettings => {
  const { streets, file, services } = streetsOf(values)
  const pictures = picturesOf(values)
  return { shown: { streets, satellite: pictures.satellite }, file, services: [...services, ...pictures.services] }
}

/** Origins that a page may ask for maps, for the content security policy. */
export const mapHosts = ({ services }: MapServerSettings): string[] => [
  ...new Set(services.flatMap((one) => one.hosts)),
]
