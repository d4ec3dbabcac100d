import type { MapService } from '../../../shared/maps.ts'

/** The rows about places and roads. */

/** A service outside that the environment may name: none, one that works, or one that is only half set up. */
export type Outside =
  | { state: 'none' }
  | { state: 'on'; name: string; host: string }
  | { state: 'off'; name: string; message: string; missing: readonly string[] }

type State = { mode: 'real' | 'builtIn' | 'off'; message: string; missing: { name: string; example: string }[] }

const examples: Record<string, string> = {
  SWATH_TRAVEL_ENGINE: 'osrm, valhalla, valhalla-local or google',
  SWATH_TRAVEL_URL: 'http://osrm.your-server.com:5000',
  SWATH_TRAVEL_KEY: 'the key of your Google project',
  SWATH_VALHALLA_TILES: '/srv/valhalla/tiles',
  SWATH_GEOCODER: 'census, nominatim or google',
  SWATH_GEOCODER_KEY: 'the key of your Google project',
  SWATH_GEOCODER_CONTACT: 'office@your-business.com',
}
const asMissing = (names: readonly string[]) => names.map((name) => ({ name, example: examples[name] ?? '…' }))

/** Where the streets under pins and routes come from, and the pictures from above. */
export const mapState = ({ services, file }: { services: readonly MapService[]; file: string | undefined }): State => {
  const streets = services.find(({ shows }) => shows === 'streets')
  const pictures = services.find(({ shows }) => shows === 'pictures')
  const ground = streets
    ? `Streets come from ${streets.name}, which each browser asks itself. When it does not answer, the outline of states and counties is drawn.`
    : file
      ? 'Streets come from a map file on this server.'
      : 'Routes are drawn on an outline of states and counties with a mile grid.'
  const above = pictures ? ` Satellite pictures come from ${pictures.name}, once somebody asks for them.` : ''
  return {
    mode: streets || pictures ? 'real' : 'builtIn',
    message: `${ground}${above}${streets || pictures ? '' : ' No map service is asked.'}`,
    missing: [],
  }
}

/** Where drive times come from. */
export const travelState = (outside: Outside): State =>
  outside.state === 'on'
    ? {
        mode: 'real',
        message: `Drive times come from ${outside.name} (${outside.host}) and are kept. What it does not answer is estimated from distance and says so.`,
        missing: [],
      }
    : outside.state === 'off'
      ? {
          mode: 'off',
          message: `${outside.name} is chosen for drive times, but ${outside.message}. Until then they are estimated from distance.`,
          missing: asMissing(outside.missing),
        }
      : {
          mode: 'builtIn',
          message: 'Drive times are estimated from distance; how fast your roads are is set in your profile.',
          missing: asMissing(['SWATH_TRAVEL_ENGINE', 'SWATH_TRAVEL_URL']),
        }

/** Where the places of addresses come from. */
export const geocodingState = (outside: Outside): State =>
  outside.state === 'on'
    ? {
        mode: 'real',
        message: `Addresses are looked up with ${outside.name} (${outside.host}), behind the screens and once each. What it does not know stands in the middle of its ZIP code and says so.`,
        missing: [],
      }
    : outside.state === 'off'
      ? {
          mode: 'off',
          message: `${outside.name} is chosen for addresses, but ${outside.message}. Until then an address stands in the middle of its ZIP code.`,
          missing: asMissing(outside.missing),
        }
      : {
          mode: 'builtIn',
          message:
            'An address without coordinates stands in the middle of its ZIP code, marked as approximate, until you drag its pin. No service is asked.',
          missing: asMissing(['SWATH_GEOCODER']),
        }
