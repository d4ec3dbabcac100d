import zoneAt from '@photostructure/tz-lookup'
import { type Purpose, type QuietHours, quietUntil } from '../rules.ts'

/** The hours of a recipient: of the place where they live, not of the business that writes. */

/** Where somebody may be: what the clock says there, and whose law holds. */
export type Home = { timeZone: string; state: string }

type Place = { latitude: number; longitude: number; state: string }

/** The homes of some places, each once. @param places in degrees, with the two letters of their state */
export const homesAt = (places: readonly Place[]): Home[] => {
  const homes = places.map(({ latitude, longitude, state }) => ({
    timeZone: zoneAt(latitude, longitude),
    state: state.trim().toUpperCase(),
  }))
  return homes.filter(
    (home, at) => homes.findIndex(({ timeZone, state }) => timeZone === home.timeZone && state === home.state) === at,
  )
}

/** More turns than zones of the country: windows of two of them always meet. */
const mostTurns = 16

/**
 * When a text may leave that is read at one of several homes: it is quiet as long as it is at any of them.
 * @param homes of the recipient; with none, `otherwise` is where they are
 * @param otherwise IANA zone of the business
 * @returns null for now, else an ISO instant at which it is quiet nowhere
 */
export const quietAtHome = (
  purpose: Purpose,
  now: Date,
  homes: readonly Home[],
  otherwise: string,
  quiet: QuietHours,
): string | null => {
  const all = homes.length > 0 ? homes : [{ timeZone: otherwise, state: '' }]
  let until: string | null = null
  for (let turn = 0; turn < mostTurns; turn++) {
    const at: Date = until === null ? now : new Date(until)
    const next = all
      .map(({ timeZone, state }) => quietUntil(purpose, at, timeZone, quiet, state))
      .filter((one) => one !== null)
      .sort()
      .at(-1)
    if (next === undefined) break
    until = next
  }
  return until
}
