import { onSiteMinutes, workedSecondsAt } from '../../visits/rules.ts'
import type { CrewStop } from '../contract.ts'

/** What numbers a phone shows, and how it rounds them. */

/** How much of a photo has got there, in whole percent; never 100, because what has got there whole is gone from here. */
export const sharePercent = (sentBytes: number, byteCount: number): number =>
  byteCount > 0 ? Math.min(99, Math.max(0, Math.floor((100 * sentBytes) / byteCount))) : 0

/** Bytes as megabytes to a tenth: "1.5". */
export const megabytesText = (bytes: number): string => (bytes / 1_048_576).toFixed(1)

/** Seconds as a running clock shows them: "1:07". A minute counts when it is over. */
export const runningText = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** A minute of the day as a field for times takes it: "06:05". */
export const timeValue = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((n) => String(n).padStart(2, '0')).join(':')

/** The minute of a day that a time field holds, back from `timeValue`; null for what is no time. */
export const minuteOfValue = (value: string): number | null => {
  const [hours = Number.NaN, minutes = Number.NaN] = value.split(':').map(Number)
  const minute = hours * 60 + minutes
  return Number.isNaN(minute) ? null : minute
}

/** A sum as it stands in a field for money: "55.00"; empty for nothing. */
export const dollarsValue = (cents: number): string => (cents > 0 ? (cents / 100).toFixed(2) : '')

/** What is open at a door without what this phone has taken and not sent yet. */
export const openAtDoor = (
  owedCents: number,
  slips: readonly { state: string; amountCents: number; tipCents?: number }[],
): { waitsCents: number; openCents: number } => {
  const waitsCents = slips.reduce(
    (sum, { state, amountCents, tipCents = 0 }) => sum + (state === 'waiting' ? amountCents - tipCents : 0),
    0,
  )
  return { waitsCents, openCents: Math.max(0, owedCents - waitsCents) }
}

/** What money at a door is more than what is open, its tip left out, or leaves of it; neither where it is all that was asked for. */
export const restAtDoor = (paid: {
  cents: number
  tipCents: number
  openCents: number
  /** What settles it now: less than what is open where there is a discount. */
  askedCents: number
}): { overCents: number; leftCents: number } => {
  const forWork = paid.cents - paid.tipCents
  return {
    overCents: Math.max(0, forWork - paid.openCents),
    leftCents: forWork < paid.askedCents ? paid.openCents - forWork : 0,
  }
}

/** Minutes that a stop is planned with on site, by the clock. */
export const plannedMinutes = (stop: CrewStop): number => stop.minutes ?? onSiteMinutes(stop.budgetMinutes, stop.people)
/** Whole minutes on site until now. */
export const workedMinutes = (stop: CrewStop, nowMs: number): number => Math.floor(workedSecondsAt(stop, nowMs) / 60)
export const driveMinutes = (stop: Pick<CrewStop, 'driveSeconds'>): number => Math.round((stop.driveSeconds ?? 0) / 60)

/** The scale of a week's bars: eight hours, or its longest day. */
export const longestDaySeconds = (days: readonly { paidSeconds: number }[]): number =>
  Math.max(8 * 3600, ...days.map(({ paidSeconds }) => paidSeconds))
