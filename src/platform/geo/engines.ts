import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { config } from '../config.ts'
import { censusGeocoder } from './census.ts'
import type { Geocoder } from './geocoder.ts'
import { googleGeocoder } from './google-geocoding.ts'
import { googleEngine } from './google-routes.ts'
import { nominatimGeocoder } from './nominatim.ts'
import { osrmEngine } from './osrm.ts'
import type { GeocoderSettings, TravelSettings } from './settings.ts'
import type { TravelEngine } from './travel-engine.ts'
import { valhallaEngine } from './valhalla.ts'
import { hasValhalla, localValhallaEngine } from './valhalla-local.ts'

/** Which road engine and which address service the environment names, and whether they can work. */

/** `words` say why it is off although it is named. */
export type TravelSetup =
  | { state: 'none' }
  | { state: 'on'; name: string; engine: TravelEngine; host: string }
  | { state: 'off'; name: string; message: string; missing: string[] }

const googleUrl = 'https://routes.googleapis.com'

/** The engine of these settings. One that is only half set up stays off, with what is missing. */
export const travelSetupOf = (settings: TravelSettings): TravelSetup => {
  const { engine, url, key, profile } = settings
  const off = (name: string, message: string, missing: string[]): TravelSetup => ({
    state: 'off',
    name,
    message,
    missing,
  })
  const hostOf = (address: string) => new URL(address).host
  switch (engine) {
    case undefined:
      return { state: 'none' }
    case 'osrm':
      if (!url) return off('OSRM', 'its address is missing', ['SWATH_TRAVEL_URL'])
      return {
        state: 'on',
        name: 'OSRM',
        engine: osrmEngine({ url, profile: profile ?? 'driving' }),
        host: hostOf(url),
      }
    case 'valhalla':
      if (!url) return off('Valhalla', 'its address is missing', ['SWATH_TRAVEL_URL'])
      return {
        state: 'on',
        name: 'Valhalla',
        engine: valhallaEngine({ url, profile: profile ?? 'auto' }),
        host: hostOf(url),
      }
    case 'google': {
      if (!key) return off('Google Routes', 'its key is missing', ['SWATH_TRAVEL_KEY'])
      const address = url ?? googleUrl
      return {
        state: 'on',
        name: 'Google Routes',
        engine: googleEngine({ url: address, key, traffic: settings.traffic }),
        host: hostOf(address),
      }
    }
    case 'valhalla-local': {
      const { tiles, valhallaPackage } = settings
      const name = 'Valhalla on this server'
      if (!tiles) return off(name, 'the folder of its road tiles is not named', ['SWATH_VALHALLA_TILES'])
      if (!existsSync(join(tiles, '2')) && !existsSync(join(tiles, '0')))
        return off(name, `there are no road tiles in ${tiles}`, ['SWATH_VALHALLA_TILES'])
      if (!hasValhalla(valhallaPackage)) return off(name, `the package ${valhallaPackage} is not installed`, [])
      return {
        state: 'on',
        name,
        engine: localValhallaEngine({ tiles, package: valhallaPackage, profile: profile ?? 'auto' }),
        host: 'this server',
      }
    }
  }
}

let setup: TravelSetup | undefined

/** What this process asks for roads. */
export const travelSetup = (): TravelSetup => {
  setup ??= travelSetupOf(config.travel)
  return setup
}

/** The engine of this process, or null: then every drive is estimated. */
export const travelEngine = (): TravelEngine | null => {
  const now = travelSetup()
  return now.state === 'on' ? now.engine : null
}

/** For tests: another engine, or none; without an argument what the environment says. */
export const configureTravelEngine = (engine?: TravelEngine | null): void => {
  setup =
    engine === undefined ? undefined : engine ? { state: 'on', name: 'Test', engine, host: 'test' } : { state: 'none' }
}

export type GeocoderSetup =
  | { state: 'none' }
  | { state: 'on'; name: string; geocoder: Geocoder; host: string }
  | { state: 'off'; name: string; message: string; missing: string[] }

const publicNominatim = 'https://nominatim.openstreetmap.org'
const publicCensus = 'https://geocoding.geo.census.gov'
const publicGoogle = 'https://maps.googleapis.com'

/** The address service of these settings. One that is only half set up stays off, with what is missing. */
export const geocoderSetupOf = ({ service, url, key, contact }: GeocoderSettings): GeocoderSetup => {
  const on = (geocoder: Geocoder, address: string): GeocoderSetup => ({
    state: 'on',
    name: geocoder.name,
    geocoder,
    host: new URL(address).host,
  })
  switch (service) {
    case undefined:
      return { state: 'none' }
    case 'nominatim': {
      const address = url ?? publicNominatim
      if (!contact)
        return {
          state: 'off',
          name: 'Nominatim',
          message: 'its usage policy asks for an e-mail address, and none is set',
          missing: ['SWATH_GEOCODER_CONTACT'],
        }
      // One a second is the public server's limit; one's own bears more.
      const everyMs = new URL(address).host.endsWith('openstreetmap.org') ? 1_000 : 50
      return on(nominatimGeocoder({ url: address, contact, everyMs }), address)
    }
    case 'google':
      if (!key) return { state: 'off', name: 'Google', message: 'its key is missing', missing: ['SWATH_GEOCODER_KEY'] }
      return on(googleGeocoder({ url: url ?? publicGoogle, key }), url ?? publicGoogle)
    case 'census':
      return on(censusGeocoder({ url: url ?? publicCensus }), url ?? publicCensus)
  }
}

let addresses: GeocoderSetup | undefined

/** What this process asks for addresses. */
export const geocoderSetup = (): GeocoderSetup => {
  addresses ??= geocoderSetupOf(config.geocoder)
  return addresses
}

/** The address service of this process, or null: then addresses stand in the middle of their ZIP code. */
export const geocoder = (): Geocoder | null => {
  const now = geocoderSetup()
  return now.state === 'on' ? now.geocoder : null
}

/** For tests: another service, or none; without an argument what the environment says. */
export const configureGeocoder = (service?: Geocoder | null): void => {
  addresses =
    service === undefined
      ? undefined
      : service
        ? { state: 'on', name: service.name, geocoder: service, host: 'test' }
        : { state: 'none' }
}
