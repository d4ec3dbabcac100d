import { roundHalfUp } from '../../../shared/money.ts'
import { skipReasonLabel, skipReasons } from '../reasons/rules.ts'

/** Why a visit is skipped: who may say so, what has to go along, and what it costs the customer. */

export { isSkipReason, skipReasonLabel } from '../reasons/rules.ts'

export const skipUsers = ['both', 'crew', 'office', 'nobody'] as const
export const skipCharges = ['none', 'full', 'percent', 'fee'] as const

export type SkipRule = {
  /** One of ours, or the words of one's own. */
  code: string
  /** Own words in Spanish; empty: the same. */
  nameEs: string
  usedBy: (typeof skipUsers)[number]
  needsPhoto: boolean
  needsNote: boolean
  charge: (typeof skipCharges)[number]
  chargePercent: number | null
  chargeCents: number | null
}

/** The reasons a business begins with; none is charged. "Other" says nothing without words. */
export const usualSkips: readonly SkipRule[] = skipReasons.map((code) => ({
  code,
  nameEs: '',
  usedBy: 'both',
  needsPhoto: false,
  needsNote: code === 'other',
  charge: 'none',
  chargePercent: null,
  chargeCents: null,
}))

/** The reasons of a business from what is stored; nothing stored means the usual ones. */
export const skipRulesOf = (stored: unknown): SkipRule[] =>
  Array.isArray(stored) && stored.length > 0 ? (stored as SkipRule[]) : [...usualSkips]

/** The reasons that somebody may give. */
export const skipsFor = (rules: readonly SkipRule[], who: 'crew' | 'office'): SkipRule[] =>
  rules.filter((rule) => rule.usedBy === 'both' || rule.usedBy === who)

/**
 * Cents that a skip costs, or null when it costs nothing.
 * @param visit what its work would have cost; work that nobody is billed for is not charged either
 */
export const skipChargeOf = (
  rule: Pick<SkipRule, 'charge' | 'chargePercent' | 'chargeCents'> | undefined,
  visit: { workCents: number; billable: boolean },
): number | null => {
  if (!rule || !visit.billable) return null
  const cents =
    rule.charge === 'full'
      ? visit.workCents
      : rule.charge === 'percent'
        ? roundHalfUp((visit.workCents * (rule.chargePercent ?? 0)) / 100)
        : rule.charge === 'fee'
          ? (rule.chargeCents ?? 0)
          : 0
  return cents > 0 ? cents : null
}

/** How a charged skip stands on an invoice: "Locked gate, trip charge". */
export const chargeLine = (code: string): string => `${skipReasonLabel(code)}, trip charge`

/** What a rule charges, in a few words. */
export const chargeWords = (rule: SkipRule, money: (cents: number) => string): string =>
  rule.charge === 'full'
    ? 'full price'
    : rule.charge === 'percent'
      ? `${rule.chargePercent ?? 0}% of the price`
      : rule.charge === 'fee'
        ? money(rule.chargeCents ?? 0)
        : 'no charge'

/** What is wrong with a list of reasons, by its path, or null. */
export const skipRulesProblem = (rules: readonly SkipRule[]): { path: string; message: string } | null => {
  const seen = new Set<string>()
  for (const [index, rule] of rules.entries()) {
    const key = skipReasonLabel(rule.code).toLowerCase()
    if (seen.has(key)) return { path: `${index}.code`, message: 'This reason stands here twice.' }
    seen.add(key)
    if (rule.charge === 'percent' && rule.chargePercent === null)
      return { path: `${index}.chargePercent`, message: 'How many percent?' }
    if (rule.charge === 'fee' && rule.chargeCents === null)
      return { path: `${index}.chargeCents`, message: 'How much is the fee?' }
  }
  return skipsFor(rules, 'crew').length === 0
    ? { path: '0.usedBy', message: 'Leave the crews at least one reason.' }
    : null
}
