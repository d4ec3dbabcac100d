import { z } from 'zod'

/** The part of the environment that says who knows roads, addresses and the weather. */

const address = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must look like http://osrm.example.com:5000',
  })
  .transform((text) => text.replace(/\/+$/, ''))

export const geoEnvironment = {
  SWATH_TRAVEL_ENGINE: z
    .enum(['osrm', 'valhalla', 'valhalla-local', 'google'], 'must be osrm, valhalla, valhalla-local or google')
    .optional(),
  SWATH_TRAVEL_URL: address.optional(),
  SWATH_TRAVEL_KEY: z.string().optional(),
  SWATH_TRAVEL_PROFILE: z
    .string()
    .regex(/^[a-z_-]{1,30}$/, 'must be a word like driving, auto or truck')
    .optional(),
  SWATH_TRAVEL_TRAFFIC: z
    .enum(['0', '1'], 'must be 1 or 0')
    .transform((value) => value === '1')
    .optional(),
  SWATH_VALHALLA_TILES: z.string().optional(),
  SWATH_VALHALLA_PACKAGE: z.string().optional(),
  SWATH_GEOCODER: z.enum(['nominatim', 'google', 'census'], 'must be nominatim, google or census').optional(),
  SWATH_GEOCODER_URL: address.optional(),
  SWATH_GEOCODER_KEY: z.string().optional(),
  SWATH_GEOCODER_CONTACT: z.email('must be an e-mail address').optional(),
  SWATH_WEATHER: address.optional(),
}

/** Values that no message may show. */
export const geoSecrets = ['SWATH_TRAVEL_KEY', 'SWATH_GEOCODER_KEY', 'SWATH_WEATHER']

export type TravelSettings = {
  engine: 'osrm' | 'valhalla' | 'valhalla-local' | 'google' | undefined
  url: string | undefined
  key: string | undefined
  profile: string | undefined
  /** Google: with the usual traffic of the day and hour. */
  traffic: boolean
  /** Folder of road tiles for Valhalla in this process. */
  tiles: string | undefined
  valhallaPackage: string
}

export type GeocoderSettings = {
  service: 'nominatim' | 'google' | 'census' | undefined
  url: string | undefined
  key: string | undefined
  contact: string | undefined
}

export type GeoSettings = {
  /** Who answers how long drives take; none: they are estimated. */
  travel: TravelSettings
  /** Who answers where addresses are; none: the middle of their ZIP code. */
  geocoder: GeocoderSettings
  /** Where an Open-Meteo-compatible service listens; none: the office marks wet hours by hand. */
  weatherUrl: string | undefined
}

/** The settings in what was read of the environment. */
export const geoSettingsOf = (values: z.output<z.ZodObject<typeof geoEnvironment>>): GeoSettings => ({
  travel: {
    engine: values.SWATH_TRAVEL_ENGINE,
    url: values.SWATH_TRAVEL_URL,
    key: values.SWATH_TRAVEL_KEY,
    profile: values.SWATH_TRAVEL_PROFILE,
    traffic: values.SWATH_TRAVEL_TRAFFIC ?? false,
    tiles: values.SWATH_VALHALLA_TILES,
    valhallaPackage: values.SWATH_VALHALLA_PACKAGE ?? '@valhallajs/valhallajs',
  },
  geocoder: {
    service: values.SWATH_GEOCODER,
    url: values.SWATH_GEOCODER_URL,
    key: values.SWATH_GEOCODER_KEY,
    contact: values.SWATH_GEOCODER_CONTACT,
  },
  weatherUrl: values.SWATH_WEATHER,
})
