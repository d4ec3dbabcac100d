import { formatCents } from '../../../shared/money.ts'

/** What a business charges for paying late. */

export const lateFeeKinds = ['off', 'percent', 'fixed'] as const

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
  /** Again every 30 days while the invoice is open; else once. */
  repeats: boolean
}

/** Off, with what somebody who switches it on begins with. */
export const noLateFees: LateFees = {
  kind: 'off',
  percent: 1.5,
  fixedCents: 1500,
  graceDays: 10,
  minimumCents: 0,
  capCents: 2500,
  repeats: false,
}

/** The rule of a business from what is stored; nothing stored is off. */
export const lateFeesOf = (stored: unknown): LateFees => ({
  ...noLateFees,
  ...(typeof stored === 'object' && stored !== null ? (stored as Partial<LateFees>) : {}),
})

/** "1.5% of what is open, from 11 days late, once, $25.00 in all at most"; "off". */
export const lateFeesLabel = (rule: LateFees): string => {
  if (rule.kind === 'off') return 'off'
  const parts = [
    rule.kind === 'percent' ? `${rule.percent}% of what is open` : formatCents(rule.fixedCents),
    `from ${rule.graceDays + 1} ${rule.graceDays === 0 ? 'day' : 'days'} late`,
    rule.repeats ? 'again every 30 days' : 'once',
    rule.kind === 'percent' && rule.minimumCents > 0 ? `${formatCents(rule.minimumCents)} at least` : '',
    rule.capCents === null ? '' : `${formatCents(rule.capCents)} in all at most`,
  ]
  return parts.filter(Boolean).join(', ')
}
