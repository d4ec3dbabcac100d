import type { Day } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'

/** What a business charges for paying late. */

export const lateFeeKinds = ['off', 'percent', 'fixed'] as const

/** A second fee, for who still has not paid: "then $25 from 30 days late". */
export type SecondFee = {
  /** From so many days late; later than the first. */
  fromDays: number
  kind: 'percent' | 'fixed'
  percent: number
  fixedCents: number
  /** Since when it is charged: what was issued before speaks of the first fee only. Without it, as long as the first. */
  since?: Day
}

export type LateFees = {
  kind: (typeof lateFeeKinds)[number]
  /** Of what is open, tax left out. */
  percent: number
  fixedCents: number
  /** So many days after the due day cost nothing. */
  graceDays: number
  /** A percentage never comes to less than this. */
  minimumCents: number
  /** All fees of one invoice never come to more; null is without an end. */
  capCents: number | null
  /** The last fee again every 30 days while the invoice is open; else each once. */
  repeats: boolean
  second: SecondFee | null
}

/** What a second fee begins with when it is added. */
export const secondFeeAfter = ({ graceDays }: Pick<LateFees, 'graceDays'>): SecondFee => ({
  fromDays: Math.max(30, graceDays + 16),
  kind: 'fixed',
  percent: 1.5,
  fixedCents: 2500,
})

/** Why a second fee cannot begin on its day: the first is charged from the day after the days of grace. */
export const secondFeeProblem = ({ graceDays, second }: Pick<LateFees, 'graceDays' | 'second'>): string | null =>
  second === null || second.fromDays > graceDays + 1
    ? null
    : `Later than the first fee, which is charged from ${daysLate(graceDays + 1)}`

/** Whether the cap leaves nothing, or less than it says, of fixed fees that are charged after each other. */
export const isCapBelowFees = ({ kind, fixedCents, second, capCents }: LateFees): boolean =>
  capCents !== null && second?.kind === 'fixed' && capCents < second.fixedCents + (kind === 'fixed' ? fixedCents : 1)

/** Off, with what somebody who switches it on begins with. */
export const noLateFees: LateFees = {
  kind: 'off',
  percent: 1.5,
  fixedCents: 1500,
  graceDays: 10,
  minimumCents: 0,
  capCents: 2500,
  repeats: false,
  second: null,
}

/** The rule of a business from what is stored; nothing stored is off. */
export const lateFeesOf = (stored: unknown): LateFees => ({
  ...noLateFees,
  ...(typeof stored === 'object' && stored !== null ? (stored as Partial<LateFees>) : {}),
})

const daysLate = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'} late`

const amountLabel = ({ kind, percent, fixedCents }: Pick<LateFees, 'kind' | 'percent' | 'fixedCents'>): string =>
  kind === 'percent' ? `${percent}% of what is open` : formatCents(fixedCents)

/**
 * "1.5% of what is open, from 11 days late, once, $25.00 in all at most"; "5% of what is open, from 15 days late, then $25.00 from 30 days
 * late, each once"; "off".
 */
export const lateFeesLabel = (rule: LateFees): string => {
  if (rule.kind === 'off') return 'off'
  const { second } = rule
  const isPercent = rule.kind === 'percent' || second?.kind === 'percent'
  const parts = [
    amountLabel(rule),
    `from ${daysLate(rule.graceDays + 1)}`,
    second ? `then ${amountLabel(second)} from ${daysLate(second.fromDays)}` : '',
    rule.repeats ? 'again every 30 days' : second ? 'each once' : 'once',
    isPercent && rule.minimumCents > 0 ? `${formatCents(rule.minimumCents)} at least` : '',
    rule.capCents === null ? '' : `${formatCents(rule.capCents)} in all at most`,
  ]
  return parts.filter(Boolean).join(', ')
}
