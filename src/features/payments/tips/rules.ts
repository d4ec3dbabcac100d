import { type Day, daysBetween } from '../../../shared/dates.ts'
import { allocateCents } from '../../../shared/money.ts'

/** Whose a tip is. */

export type Share = { userId: string; cents: number }

/**
 * A tip for some visits: each visit gets the same, and of it each person who worked there. Adds up to the cent; no one worked is nobody's.
 * @param worked who worked on which visit
 */
export const shareTip = (tipCents: number, worked: readonly { visitId: string; userId: string }[]): Share[] => {
  const visits = [...Map.groupBy(worked, ({ visitId }) => visitId).values()]
  const weights = new Map<string, number>()
  for (const people of visits)
    for (const { userId } of people) weights.set(userId, (weights.get(userId) ?? 0) + 1 / people.length)
  const people = [...weights].sort(([a], [b]) => (a < b ? -1 : 1))
  if (people.length === 0) return []
  const cents = allocateCents(
    tipCents,
    people.map(([, weight]) => weight),
  )
  return people.map(([userId], at) => ({ userId, cents: cents[at] ?? 0 }))
}

/**
 * What of a movement of a tip is whose, in proportion to their shares; one that goes back is below zero. Of what is left each has their share to the
 * cent, in however many parts it goes back.
 * @param beforeCents what of the tip was there before it
 */
export const shareMove = (amountCents: number, shares: readonly Share[], beforeCents = 0): Share[] => {
  const of = (totalCents: number) =>
    allocateCents(
      totalCents,
      shares.map((share) => share.cents),
    )
  const [before, after] = [of(beforeCents), of(beforeCents + amountCents)]
  return shares.map(({ userId }, at) => ({ userId, cents: (after[at] ?? 0) - (before[at] ?? 0) }))
}

/** Why a span of days is no report of tips, or null. */
export const periodProblem = (from: Day, to: Day): string | null =>
  from > to
    ? 'The first day is after the last.'
    : daysBetween(from, to) > 365
      ? 'A list of tips goes over a year at most.'
      : null
