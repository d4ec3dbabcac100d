import { addDays, type Day, isDay } from '../../../shared/dates.ts'
import { type MeasuredBy, measureFirst, noMeasure } from '../../services/measures/rules.ts'
import type { JobStatus } from '../states/rules.ts'
import { later } from '../undated/rules.ts'

/** Programs of rounds: what a business offers every year, as windows of the year. */

/** A round of a program: what is done, in which part of the year, how long after the round before it. */
export type ProgramStep = {
  name: string
  serviceId: string
  /** First and last day of its window, `MM-DD`; one that ends before it begins goes over New Year. */
  from: string
  to: string
  minGapDays: number
  /** Null: the price rule of the service. */
  priceCents: number | null
  /** Labor minutes; null: the time rule of the service. */
  minutes: number | null
}

/** Farther ahead nobody puts a program on. */
export const yearsAhead = 2

const dayIn = (year: number, monthDay: string): Day | null => {
  const day = `${year}-${monthDay}`
  return isDay(day) ? day : null
}
/** February 29 of a common year: a window opens the day after, never early, and closes the day before. */
const opening = (year: number, from: string): Day => dayIn(year, from) ?? `${year}-03-01`
const closing = (year: number, to: string): Day => dayIn(year, to) ?? `${year}-02-28`

/**
 * The windows of rounds in a season, in days; both ends are part of them. A round that begins earlier in the year than the one before it belongs
 * to the next year.
 * @param year the year in which the first round opens
 */
export const windowsOf = (
  steps: readonly Pick<ProgramStep, 'from' | 'to'>[],
  year: number,
): { opensOn: Day; closesOn: Day }[] => {
  let at = year
  let before = ''
  return steps.map(({ from, to }) => {
    if (from < before) at += 1
    before = from
    const [opensOn, closesOn] = [opening(at, from), closing(to < from ? at + 1 : at, to)]
    return { opensOn, closesOn: later(opensOn, closesOn) }
  })
}

/** Whether the rounds can be kept at all: null, or which one's gap does not fit before its window closes, and why. */
export const spacingProblemOf = (
  steps: readonly Pick<ProgramStep, 'from' | 'to' | 'minGapDays'>[],
): { step: number; message: string } | null => {
  const windows = windowsOf(steps, 2025)
  for (const [at, step] of steps.entries()) {
    const [before, own] = [windows[at - 1], windows[at]]
    if (before && own && addDays(before.opensOn, step.minGapDays) > own.closesOn)
      return {
        step: at,
        message: `Even done on the first day of the round before it, this one is due after its window: ${step.minGapDays} days do not fit.`,
      }
  }
  return null
}

/** The season that a program is put on for: this year as long as one of its windows is open or ahead. */
export const seasonYearOf = (steps: readonly Pick<ProgramStep, 'from' | 'to'>[], today: Day): number => {
  const year = Number(today.slice(0, 4))
  return windowsOf(steps, year).some(({ closesOn }) => closesOn >= today) ? year : year + 1
}

/** Days before the first window of a season opens on which a program renews. */
export const renewAheadDays = 45

export type Renewal = {
  /** The season, by the year in which its first round opens. */
  year: number
  /** The day whose night makes it, and whose prices it has. */
  renewsOn: Day
  /** The windows of its rounds; what is past by then is left out. */
  windows: { opensOn: Day; closesOn: Day; step: number }[]
}

/**
 * The season that follows one at a property. One that nobody made in time is left out for the next that still can be done.
 * @param year the season that stands
 */
export const renewalOf = (steps: readonly Pick<ProgramStep, 'from' | 'to'>[], year: number, today: Day): Renewal => {
  const next = Math.max(year + 1, seasonYearOf(steps, today))
  const windows = windowsOf(steps, next).map((window, step) => ({ ...window, step }))
  const renewsOn = addDays(windows[0]?.opensOn ?? `${next}-01-01`, -renewAheadDays)
  const day = later(renewsOn, today)
  return { year: next, renewsOn, windows: windows.filter(({ closesOn }) => closesOn >= day) }
}

/** What a job of a program is, as far as its renewal goes. */
export type RenewalFacts = {
  status: JobStatus
  archivedAt: string | null
  endOn: Day | null
  programArchivedAt: string | null
  placeArchivedAt: string | null
  /** What of the property a price rule needs and nobody measured. */
  missingMeasure: MeasuredBy | null
  missingService: boolean
}

/** Why a job of a program does not renew although it should, as a sentence; null where it does. */
export const renewalRefusal = (facts: RenewalFacts, renewsOn: Day): string | null => {
  if (facts.archivedAt || facts.status === 'completed' || facts.status === 'canceled')
    return 'This job is over, so it does not renew.'
  if (facts.status === 'paused') return 'This job is paused. It renews once it goes on.'
  if (facts.status === 'draft') return 'This job is a draft. It renews once it is active.'
  if (facts.endOn && facts.endOn < renewsOn) return 'This job ends before that day, so it does not renew.'
  if (facts.programArchivedAt) return 'The program is archived. Restore it, and the job renews.'
  if (facts.placeArchivedAt) return 'The customer or the property is archived, so the job does not renew.'
  if (facts.missingService)
    return 'A service of the program is archived. Restore it or change the program, and the job renews.'
  if (facts.missingMeasure)
    return `The property has ${noMeasure[facts.missingMeasure]}, which the price rule needs. ${measureFirst[facts.missingMeasure]}, and the job renews.`
  return null
}

/** Six rounds of a cool-season lawn, four to nine weeks apart. */
export const sixRounds: readonly Omit<ProgramStep, 'serviceId'>[] = [
  { name: 'Round 1, early spring', from: '02-15', to: '04-05', minGapDays: 0, priceCents: null, minutes: null },
  { name: 'Round 2, late spring', from: '04-10', to: '05-31', minGapDays: 35, priceCents: null, minutes: null },
  { name: 'Round 3, early summer', from: '06-01', to: '07-10', minGapDays: 28, priceCents: null, minutes: null },
  { name: 'Round 4, late summer', from: '07-15', to: '08-31', minGapDays: 28, priceCents: null, minutes: null },
  { name: 'Round 5, early fall', from: '09-05', to: '10-20', minGapDays: 28, priceCents: null, minutes: null },
  { name: 'Round 6, winterizer', from: '10-25', to: '12-15', minGapDays: 35, priceCents: null, minutes: null },
]
