import type { Refusal } from '../../shared/can.ts'
import { counted } from '../../shared/counted.ts'
import { type Day, formatDay, formatMinute } from '../../shared/dates.ts'
import { nextStatus, statusLabel, type VisitStatus } from '../visits/rules.ts'

/** Sums and words of a day's plan. */

export type Totals = {
  stops: number
  driveSeconds: number
  driveMeters: number
  workSeconds: number
  shiftPercent: number
  laborCents: number | null
  mileageCents: number | null
  endMinute: number | null
}

export const noTotals: Totals = {
  stops: 0,
  driveSeconds: 0,
  driveMeters: 0,
  workSeconds: 0,
  shiftPercent: 0,
  laborCents: 0,
  mileageCents: 0,
  endMinute: null,
}

const metersPerMile = 1609.344

/** What a crew's time on the road costs, in cents. */
export const laborOnRoadCents = (driveSeconds: number, crewCostCentsPerHour: number): number =>
  Math.round((driveSeconds * crewCostCentsPerHour) / 3600)

/** What the truck costs on the road, in cents. */
export const mileageCents = (driveMeters: number, centsPerMile: number): number =>
  Math.round((driveMeters / metersPerMile) * centsPerMile)

/** How full a shift is: work and driving by the clock, in percent of its minutes without the break, as the calendar counts it. */
export const shiftPercent = (
  workedSeconds: number,
  shift: { startMinute: number; endMinute: number; breakMinutes: number },
): number =>
  Math.round((workedSeconds / 60 / Math.max(1, shift.endMinute - shift.startMinute - shift.breakMinutes)) * 100)

/** Totals of several crews; the share of the shift is the mean, the end is the last. Money that one may not see is null for all. */
export const addTotals = (list: readonly Totals[]): Totals => {
  const used = list.filter((t) => t.stops > 0)
  const sum = (pick: (t: Totals) => number | null): number => used.reduce((all, t) => all + (pick(t) ?? 0), 0)
  const money = (pick: (t: Totals) => number | null): number | null =>
    list.some((t) => pick(t) === null) ? null : sum(pick)
  const ends = used.flatMap((t) => (t.endMinute === null ? [] : [t.endMinute]))
  return {
    stops: sum((t) => t.stops),
    driveSeconds: sum((t) => t.driveSeconds),
    driveMeters: sum((t) => t.driveMeters),
    workSeconds: sum((t) => t.workSeconds),
    shiftPercent: used.length ? Math.round(sum((t) => t.shiftPercent) / used.length) : 0,
    laborCents: money((t) => t.laborCents),
    mileageCents: money((t) => t.mileageCents),
    endMinute: ends.length ? Math.max(...ends) : null,
  }
}

/** "41% less than in booked order", or null when there is nothing to say. */
export const savedMessage = (plannedSeconds: number, bookedSeconds: number): string | null => {
  if (bookedSeconds <= 0 || plannedSeconds >= bookedSeconds) return null
  const percent = Math.round((1 - plannedSeconds / bookedSeconds) * 100)
  return percent < 1 ? null : `${percent}% less than in booked order`
}

/** What a crew member reads when the day was sent. */
export const publishedTitle = (route: {
  day: string
  stops: number
  firstMinute: number | null
  again: boolean
}): string => {
  const day = formatDay(route.day)
  if (route.stops === 0) return `Your route for ${day} is empty now`
  const first = route.firstMinute === null ? '' : `, first at ${formatMinute(route.firstMinute)}`
  return `Your route for ${day}${route.again ? ' changed' : ''}: ${counted(route.stops, 'stop')}${first}`
}

export const planActions = ['change'] as const
export const stopActions = ['move', 'pin'] as const

/** Why a day's plan refuses to be changed. */
export const planRefusals: Record<
  (typeof planActions)[number],
  Refusal<{ day: Day; today: Day; isProposal: boolean }>
> = {
  change: ({ day, today, isProposal }) =>
    day < today
      ? 'This day is over. Its routes stay as they were.'
      : isProposal
        ? 'A proposal is not changed by hand. Use it or throw it away.'
        : null,
}

/** Why the state of a visit refuses what is done with a stop by hand. */
export const stopRefusals: Record<(typeof stopActions)[number], Refusal<{ status: VisitStatus }>> = {
  move: ({ status }) =>
    nextStatus('move', status) ? null : `This visit is ${statusLabel(status)}. It stays where it is.`,
  pin: ({ status }) =>
    status === 'scheduled' ? null : `This visit is ${statusLabel(status)}. There is nothing to pin.`,
}

/** Where the plan stands: what the one main button of the day does. */
export type NextStep = { kind: 'optimize'; stops: number } | { kind: 'publish'; crewIds: string[] } | { kind: 'none' }

type CrewState = {
  crewId: string
  status: string | null
  dirty: boolean
  ordered: boolean
  stops: readonly { begun: boolean }[]
}

/**
 * First the day is planned, then it is sent: crews with stops that were never sent, or that changed since. A day with nothing
 * to place and every stop in its order needs no planning.
 */
export const nextStep = (plan: {
  can: { change: boolean }
  crews: readonly CrewState[]
  unplaced: readonly { places: readonly unknown[]; reason: string | null }[]
}): NextStep => {
  if (!plan.can.change || plan.crews.length === 0) return { kind: 'none' }
  // In a long list not every visit is asked for its places: what has no reason against it can be tried.
  const placeable = plan.unplaced.filter((v) => v.places.length > 0 || v.reason === null).length
  const open = plan.crews.flatMap((c) => c.stops).filter((s) => !s.begun).length
  if (placeable > 0 || plan.crews.some((c) => !c.ordered)) return { kind: 'optimize', stops: open + placeable }
  const crewIds = crewsToPublish(plan.crews)
  return crewIds.length ? { kind: 'publish', crewIds } : { kind: 'none' }
}

/** Crews that have not been sent what is planned for them. */
export const crewsToPublish = (crews: readonly CrewState[]): string[] =>
  crews.filter((c) => (c.status === null || c.status === 'planned' ? c.stops.length > 0 : c.dirty)).map((c) => c.crewId)

export const runActions = ['stopRun', 'applyRun', 'dismissRun'] as const
export type RunAction = (typeof runActions)[number]

const proposalRefusal: Refusal<{ status: string }> = ({ status }) =>
  status === 'proposed' ? null : 'This proposal is not there any more. Search again; nothing was changed.'

/** Why the state of a search or proposal refuses what somebody would do with it; whether the days changed since is asked when it is used. */
export const runRefusals: Record<RunAction, Refusal<{ status: string }>> = {
  stopRun: ({ status }) => (status === 'running' ? null : 'This search is over already.'),
  applyRun: proposalRefusal,
  dismissRun: proposalRefusal,
}
