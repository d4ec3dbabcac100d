import { type Day, daysBetween } from '../../../shared/dates.ts'
import { roundHalfUp } from '../../../shared/money.ts'
import type { LateFees } from '../../businesses/latefees/rules.ts'

/** A fee that repeats comes again after so many days. */
export const periodDays = 30

/** A fee that is due: its number among the fees of its invoice, and whether it is the second kind of fee. */
export type FeeStep = { period: number; isSecond: boolean }

/** What holds for an invoice: one that was issued before there was a second fee has the first only, as its terms say. */
export const ruleFor = (rule: LateFees, issueOn: Day | null): LateFees =>
  rule.second?.since && (issueOn === null || issueOn < rule.second.since) ? { ...rule, second: null } : rule

/**
 * Which fee an open invoice costs on a day: 0 is the first; null while it costs none. Where there is a second fee it is the next one from its
 * day on, and what repeats is the second.
 * @param from the day it is late from (`lateFrom`); fees begin on the day after the days of grace
 * @param firstPeriod the period that begins there: where an invoice counts anew, the one after those that were charged before
 */
export const feeStep = (rule: LateFees, from: Day, today: Day, firstPeriod = 0): FeeStep | null => {
  const late = daysBetween(from, today)
  if (rule.kind === 'off' || late <= rule.graceDays) return null
  const { second } = rule
  const isSecond = second !== null && late >= second.fromDays
  if (!rule.repeats) return { period: isSecond ? 1 : 0, isSecond }
  const periods = (since: number) => Math.floor((late - since) / periodDays)
  if (second === null) return { period: firstPeriod + periods(rule.graceDays + 1), isSecond }
  return { period: firstPeriod + (isSecond ? 1 + periods(second.fromDays) : 0), isSecond }
}

/** Why a fee has no reminders of its own while its late invoice is open. */
export const remindedWith = (lateInvoice: string): string => `It is reminded of with ${lateInvoice}`

/** Why the late fee of an invoice rests that its customer never got. */
export const didNotReach = (lateInvoice: string): string => `${lateInvoice} did not reach them`

/** Why the late fee of an invoice rests of which nobody knows whether its customer got it. */
export const mayNotHaveReached = (lateInvoice: string): string => `${lateInvoice} may not have reached them`

/** Why a late fee rests, by the words that stand on its invoice. */
export const restsBecause = (stopped: string | null): 'wrote' | 'paid' | 'unreached' | 'unknown' | null =>
  stopped === null
    ? null
    : stopped.endsWith(didNotReach(''))
      ? 'unreached'
      : stopped.endsWith(mayNotHaveReached(''))
        ? 'unknown'
        : stopped.startsWith('Part of it was paid')
          ? 'paid'
          : 'wrote'

type WithFees<Fee> = { balanceCents: number; lateFees: readonly Fee[] }

/** The late fees of an invoice that somebody still owes. */
export const openFees = <Fee extends { openCents: number }>({ lateFees }: Pick<WithFees<Fee>, 'lateFees'>): Fee[] =>
  lateFees.filter(({ openCents }) => openCents > 0)

/** What is open on an invoice together with its late fees, in cents. */
export const owedWithFees = (invoice: WithFees<{ openCents: number }>): number =>
  invoice.balanceCents + openFees(invoice).reduce((sum, { openCents }) => sum + openCents, 0)

/**
 * Cents of the next fee of an invoice; 0 where none is left. Tax is left out of what it is a part of, and a fee never is more than what
 * is open.
 * @param chargedCents what earlier fees of the same invoice come to that were not waived
 * @param isSecond the second kind of fee
 */
export const feeCents = (
  rule: LateFees,
  invoice: { totalCents: number; taxCents: number; paidCents: number },
  chargedCents: number,
  isSecond = false,
): number => {
  const openCents = invoice.totalCents - invoice.paidCents
  if (rule.kind === 'off' || openCents <= 0) return 0
  const netCents = roundHalfUp((openCents * (invoice.totalCents - invoice.taxCents)) / invoice.totalCents)
  const { kind, percent, fixedCents } = (isSecond ? rule.second : null) ?? rule
  const wanted = kind === 'fixed' ? fixedCents : Math.max(rule.minimumCents, roundHalfUp((netCents * percent) / 100))
  const left = rule.capCents === null ? Number.POSITIVE_INFINITY : rule.capCents - chargedCents
  return Math.max(0, Math.min(wanted, netCents, left))
}
