import { type Spot, stayMs, type Whereabouts } from '../../timeclock/arrivals/rules.ts'
import type { Clock } from '../../timeclock/contract.ts'
import { isTerminal } from '../../visits/rules.ts'
import type { CrewDayPlan } from '../contract.ts'

/** What a phone may ask its person from where it is. It asks, and a person takes it or not: nothing is started, ended or edited by it. */

export type Suggestion =
  | { kind: 'start'; key: string; stopId: string; street: string; at: string }
  | { kind: 'finish'; key: string; stopId: string; street: string; at: string }
  /** `at` is null for now. */
  | { kind: 'clockOut'; key: string; why: 'atShop' | 'leftShop' | 'allDone'; since: string; at: string | null }

export const shopId = 'shop'

/** Where somebody of a crew can be today: its stops, and the shop that it comes back to. */
export const spotsOf = (plan: Pick<CrewDayPlan, 'stops' | 'crew'> | null): Spot[] => {
  const depot = plan?.crew?.depot
  return [
    ...(plan?.stops ?? []).flatMap(({ id, latitude, longitude, reachMeters }) =>
      latitude === null || longitude === null ? [] : [{ id, latitude, longitude, reachMeters }],
    ),
    ...(depot ? [{ id: shopId, ...depot, reachMeters: 120 }] : []),
  ]
}

/** After so long without a place nobody knows whether the phone is still there. */
const staleMs = 20 * 60_000
/** Unloading is work: so long at the shop before it asks. */
const shopMs = 10 * 60_000
/** The way home is work too: so long after the last stop before it asks, where the phone was not seen at the shop. */
const wayHomeMs = 60 * 60_000

const latest = (...instants: (string | null | undefined)[]): string =>
  instants.filter((one): one is string => Boolean(one)).reduce((a, b) => (Date.parse(a) > Date.parse(b) ? a : b))

/** What to ask now, or nothing. @param dismissed keys of what the person did not want */
export const suggestionOf = ({
  where,
  plan,
  clock,
  nowMs,
  dismissed,
}: {
  where: Whereabouts
  plan: Pick<CrewDayPlan, 'stops'> | null
  clock: Pick<Clock, 'state' | 'clockedInAt'> | null
  nowMs: number
  dismissed: readonly string[]
}): Suggestion | null => {
  if (!plan || clock?.state !== 'working' || where.at === '') return null
  const since = (at: string | undefined) => (at ? nowMs - Date.parse(at) : Number.NEGATIVE_INFINITY)
  const wanted = <S extends Suggestion>(one: S): S | null => (dismissed.includes(one.key) ? null : one)
  const running = plan.stops.find(({ status }) => status === 'in_progress')
  if (running) {
    const gone = where.left[running.id]
    const begun = running.intervalStartedAt ?? running.startedAt
    if (!gone || since(gone.at) < stayMs || (begun && Date.parse(gone.at) <= Date.parse(begun))) return null
    const { id: stopId, street } = running
    return wanted({ kind: 'finish', key: `finish:${stopId}:${gone.at}`, stopId, street, at: gone.at })
  }
  const lastWork =
    plan.stops
      .flatMap(({ finishedAt }) => finishedAt ?? [])
      .sort()
      .at(-1) ?? ''
  if (plan.stops.some(({ status }) => !isTerminal(status))) {
    if (since(where.at) > staleMs) return null
    const here = plan.stops.find(
      ({ id, status }) => (status === 'scheduled' || status === 'en_route') && since(where.inside[id]) >= stayMs,
    )
    const came = here && where.inside[here.id]
    if (!here || !came) return null
    const at = latest(came, lastWork, clock.clockedInAt)
    return wanted({ kind: 'start', key: `start:${here.id}:${came}`, stopId: here.id, street: here.street, at })
  }
  if (lastWork === '') return null
  const atShop = where.inside[shopId]
  if (atShop)
    return since(latest(atShop, lastWork)) < shopMs
      ? null
      : wanted({ kind: 'clockOut', key: `out:${atShop}`, why: 'atShop', since: atShop, at: null })
  const gone = where.left[shopId]
  if (gone && Date.parse(gone.at) > Date.parse(lastWork))
    return since(gone.at) < shopMs
      ? null
      : wanted({ kind: 'clockOut', key: `out:${gone.at}`, why: 'leftShop', since: gone.at, at: gone.at })
  const isOn = plan.stops.some(({ id }) => where.inside[id])
  return isOn || since(lastWork) < wayHomeMs
    ? null
    : wanted({ kind: 'clockOut', key: `out:${lastWork}`, why: 'allDone', since: lastWork, at: null })
}
