import { formatCents, roundHalfUp } from '../../../shared/money.ts'

/** What a business suggests to customers who want to give its crew a tip. */

export const tipKinds = ['off', 'percent', 'amount'] as const

/** So many suggestions at most: more is a form, not a choice. */
export const mostSuggestions = 3

export type Tips = {
  kind: (typeof tipKinds)[number]
  /** Of the work, tax left out. */
  percents: number[]
  amountsCents: number[]
}

/** Off, with what somebody who switches it on begins with. */
export const noTips: Tips = { kind: 'off', percents: [10, 15, 20], amountsCents: [500, 1000, 2000] }

/** The rule of a business from what is stored; nothing stored is off. */
export const tipsOf = (stored: unknown): Tips => ({
  ...noTips,
  ...(typeof stored === 'object' && stored !== null ? (stored as Partial<Tips>) : {}),
})

export type TipChoice = { cents: number; percent: number | null }

/**
 * What is suggested beside work of an amount: never nothing, never the same twice, the least first.
 * @param workCents what was done, without tax
 */
export const tipChoices = ({ kind, percents, amountsCents }: Tips, workCents: number): TipChoice[] => {
  const all: TipChoice[] =
    kind === 'off'
      ? []
      : kind === 'percent'
        ? percents.map((percent) => ({ cents: roundHalfUp((workCents * percent) / 100), percent }))
        : amountsCents.map((cents) => ({ cents, percent: null }))
  const sorted = all.filter(({ cents }) => cents > 0).sort((a, b) => a.cents - b.cents)
  return sorted.filter(({ cents }, at) => cents !== sorted[at - 1]?.cents).slice(0, mostSuggestions)
}

/** The most that is taken as a tip: as much as is paid, or $100. A slip of the keys is not charged. */
export const mostTipCents = (payableCents: number): number => Math.max(payableCents, 10_000)

/** "10%, 15% or 20%"; "off". */
export const tipsLabel = ({ kind, percents, amountsCents }: Tips): string => {
  if (kind === 'off') return 'off'
  const words = kind === 'percent' ? percents.map((percent) => `${percent}%`) : amountsCents.map(formatCents)
  return new Intl.ListFormat('en-US', { type: 'disjunction' }).format(words)
}
