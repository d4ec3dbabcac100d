import { type Day, dayOf, formatDay, formatTime } from '../../shared/dates.ts'
import type { VisitStatus } from '../visits/rules.ts'

/** Who is where doing what, in the words and colors of the board. */

export const personStates = ['working', 'shop', 'rain', 'break', 'off', 'away'] as const
export type PersonState = (typeof personStates)[number]
export const personLabel: Record<PersonState, string> = {
  working: 'on the clock',
  shop: 'at the shop',
  rain: 'waits for the rain',
  break: 'on a break',
  off: 'not clocked in',
  away: 'off today',
}

/** What a person does by their open entry of the clock; `away` is who has the day off. */
export const personState = (kind: 'work' | 'shop' | 'rain' | 'break' | null, away: boolean): PersonState =>
  kind === null ? (away ? 'away' : 'off') : kind === 'work' ? 'working' : kind

export const stopStates = ['working', 'onTheWay', 'paused', 'done', 'skipped', 'open'] as const
export type StopState = (typeof stopStates)[number]

/** How a stop stands on the board; null for what no crew has to do any more. */
export const stopState = (status: VisitStatus): StopState | null => {
  if (status === 'in_progress') return 'working'
  if (status === 'en_route') return 'onTheWay'
  if (status === 'paused') return 'paused'
  if (status === 'completed') return 'done'
  if (status === 'skipped' || status === 'missed') return 'skipped'
  return status === 'scheduled' ? 'open' : null
}

/** Blue is being worked, yellow paused, green done, red skipped, an outline not begun. */
export const stopLabel: Record<StopState, string> = {
  working: 'being worked',
  onTheWay: 'on the way there',
  paused: 'paused',
  done: 'done',
  skipped: 'skipped',
  open: 'not begun',
}

type Stop = { state: StopState }

/** Where a crew is: at the stop that it works, is on its way to or has paused at, in this order; null between two stops. */
export const stopAtHand = <S extends Stop>(stops: readonly S[]): S | null =>
  (['working', 'onTheWay', 'paused'] as const)
    .map((state) => stops.find((stop) => stop.state === state))
    .find((stop) => stop !== undefined) ?? null

type Times = {
  startedAt: string | null
  intervalStartedAt: string | null
  enRouteAt: string | null
  finishedAt: string | null
  pausedAt: string | null
}

/** Since when a stop is as it is: by the instant of the tap that made it so, not by when the phone told it. */
export const stopSince = (state: StopState, times: Times): string | null => {
  if (state === 'working') return times.intervalStartedAt ?? times.startedAt
  if (state === 'onTheWay') return times.enRouteAt
  if (state === 'paused') return times.pausedAt ?? times.startedAt
  return state === 'open' ? null : times.finishedAt
}

/** "2:14 PM", and "Mon, Jun 1, 2:14 PM" for what began on another day, on the clock of the business. */
export const sinceText = (at: string, today: Day, timeZone: string): string => {
  const day = dayOf(at, timeZone)
  return day === today ? formatTime(at, timeZone) : `${formatDay(day)}, ${formatTime(at, timeZone)}`
}

type Begun = Stop & { since: string | null }

/** Where a crew was last: the stop at hand, else the one that it closed last; null before its first. */
export const lastStop = <S extends Begun>(stops: readonly S[]): S | null =>
  stopAtHand(stops) ??
  stops.reduce<S | null>(
    (last, stop) =>
      (stop.state === 'done' || stop.state === 'skipped') &&
      stop.since !== null &&
      (last?.since == null || Date.parse(stop.since) >= Date.parse(last.since))
        ? stop
        : last,
    null,
  )

/** The color of a person's pin: as the stop where the crew is or was last; yellow on a break and in the rain. */
export const pinState = (person: PersonState, stops: readonly Begun[]): StopState =>
  person === 'break' || person === 'rain' ? 'paused' : (lastStop(stops)?.state ?? 'open')

/** Whether somebody is on the clock, where a position may be shown; a break is not. */
export const isOnClock = (state: PersonState): boolean => state === 'working' || state === 'shop' || state === 'rain'
