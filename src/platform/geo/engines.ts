import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { config } from '../config.ts'
import { googleEngine } from './google-routes.ts'
import { osrmEngine } from './osrm.ts'
import type { TravelSettings } from './settings.ts'
import type { TravelEngine } from './travel-engine.ts'
import { valhallaEngine } from './valhalla.ts'
import { hasValhalla, localValhallaEngine } from './valhalla-local.ts'

/** Which road engine the environment names, and whether it can work. */

/** `words` say why it is off although it is named. */
export type TravelSetup =
  | { state: 'none' }
  | { state: 'on'; name: string; engine: TravelEngine; host: string }
  | { state: 'off'; name: string; words: string; missing: string[] }

const googleUrl = 'https://routes.googleapis.com'

/** The engine of these settings. One that is only half set up stays off, with what is missing. */
export const travelSetupOf = (settings: TravelSettings): TravelSetup => {
  const { engine, url, key, profile } = settings
  const off = (name: string, words: string, missing: string[]): TravelSetup => ({ state: 'off', name, words, missing })
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
