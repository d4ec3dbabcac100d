import { type Day, formatDay } from '../../../shared/dates.ts'

/** Where a customer pays no sales tax: everywhere, nowhere, or in these states. */
export type TaxExempt = boolean | readonly string[]

type Certificate = { state: string | null; validFrom: Day; validUntil: Day | null }

/** Whether work in a state is exempt. @param state where the work is done, if anybody knows */
export const isExemptIn = (exempt: TaxExempt, state: string | null | undefined): boolean =>
  typeof exempt === 'boolean' ? exempt : typeof state === 'string' && exempt.includes(state)

/** How a certificate stands on a day. */
export const standingOf = ({ validFrom, validUntil }: Omit<Certificate, 'state'>, day: Day) =>
  day < validFrom ? 'ahead' : validUntil !== null && day > validUntil ? 'expired' : 'valid'
export const standings = ['valid', 'ahead', 'expired'] as const

/**
 * Where a customer is exempt on a day. Once certificates are on file only they count: when the last one has expired, tax is charged again.
 * @param byHand the mark on the customer, which counts while no certificate is on file
 */
export const exemptOn = (byHand: boolean, certificates: readonly Certificate[], day: Day): TaxExempt => {
  if (certificates.length === 0) return byHand
  const valid = certificates.filter((one) => standingOf(one, day) === 'valid')
  return valid.some(({ state }) => state === null) || [...new Set(valid.flatMap(({ state }) => state ?? []))].sort()
}

/** A certificate that ends is warned of so many days ahead. */
export const exemptionWarningDays = 30

/** "GA, until Dec 31, 2026". */
export const certificateLabel = ({ state, validFrom, validUntil }: Certificate): string =>
  `${state ?? 'Every state'}, ${validUntil ? `until ${formatDay(validUntil, { year: true })}` : `since ${formatDay(validFrom, { year: true })}`}`
