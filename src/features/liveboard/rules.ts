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
