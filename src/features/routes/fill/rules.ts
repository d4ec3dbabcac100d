import { type Day, daysBetween, formatDay } from '../../../shared/dates.ts'
import { nearMessages, type SameWork } from '../../visits/days/rules.ts'

/** Which of the due work a day takes first, and what it never takes. */

/** Up to here, driving included, a crew's day is filled: the rest is room for what goes wrong. */
export const fullPercent = 90
/** What closes within so many days comes before what pays better. */
const soonDays = 7

/** Visits that one yes places at the most. */
export const mostPlaces = 200

export type FillFacts = {
  visitId: string
  jobId: string
  /** Of a round of a program its window; of the waiting list the day from which on it is due. */
  opensOn: Day | null
  closesOn: Day | null
  /** A round: what is put down outside its window is wasted. */
  isRound: boolean
  daysLate: number
  budgetMinutes: number
  priceCents: number
  minGapDays: number
  previousDay: Day | null
  nextDay: Day | null
  /** What is done where: a property and a service. */
  works: readonly string[]
  /** The nearest day on which another job does the same work there, and which job. */
  sameWork: SameWork | null
}

/** With what has to be as it was when somebody says yes. */
export type DueFacts = FillFacts & { version: number; fromDay: Day | null }

/** Why work is not put on a day whatever room there is, or null. */
export const fillRefusal = (facts: FillFacts, day: Day): string | null => {
  const { opensOn, closesOn, isRound } = facts
  if (opensOn !== null && day < opensOn)
    return isRound ? `Its window opens on ${formatDay(opensOn)}.` : `It waits until ${formatDay(opensOn)}.`
  if (isRound && closesOn !== null && closesOn < day)
    return `Its window closed on ${formatDay(closesOn)}. Place it by hand if it is still to be done.`
  return nearMessages({ ...facts, sameWork: facts.sameWork ? [facts.sameWork] : [] }, day)[0] ?? null
}

/** Cents a labor minute, the driving that it adds counted as work. */
const centsPerMinute = (one: Pick<FillFacts, 'priceCents' | 'budgetMinutes'>, addedDriveSeconds: number): number =>
  one.priceCents / Math.max(1, one.budgetMinutes + Math.max(0, addedDriveSeconds) / 60)

type Ranked = { facts: FillFacts; addedDriveSeconds: number }

/** Best first: what is late, longest first; what closes soon; then what pays most for its time with the driving that it adds. */
export const byWorth =
  (day: Day) =>
  (a: Ranked, b: Ranked): number => {
    const left = ({ facts }: Ranked) =>
      facts.closesOn === null ? soonDays + 1 : Math.min(soonDays + 1, Math.max(0, daysBetween(day, facts.closesOn)))
    return (
      b.facts.daysLate - a.facts.daysLate ||
      left(a) - left(b) ||
      centsPerMinute(b.facts, b.addedDriveSeconds) - centsPerMinute(a.facts, a.addedDriveSeconds) ||
      a.addedDriveSeconds - b.addedDriveSeconds ||
      (a.facts.visitId < b.facts.visitId ? -1 : 1)
    )
  }
