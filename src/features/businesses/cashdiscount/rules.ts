import { roundHalfUp } from '../../../shared/money.ts'

/** What a business takes off an invoice that is paid in full by bank, check or cash. A card is never charged more: decision 037. */

/** Hundredths of a percent: more than 10 % is no discount for a way to pay. */
export const mostDiscountBps = 1000

/** What somebody who switches it on begins with: about what a card costs. */
export const usualDiscountBps = 300

/** Hundredths of a percent as a percentage that a person types, and back. */
export const percentOf = (bps: number): number => bps / 100
export const bpsOf = (percent: number): number => Math.min(mostDiscountBps, Math.max(1, roundHalfUp(percent * 100)))

/** Ways to pay that cost the business no card. */
export const isWithoutCard = (method: string): boolean => method === 'ach' || method === 'check' || method === 'cash'

/** "3%", "2.75%"; "off" for none. */
export const discountLabel = (bps: number): string => (bps === 0 ? 'off' : `${bps / 100}%`)

/** What is taken off an amount that is paid in full without a card. */
export const cashDiscountCents = (openCents: number, bps: number): number =>
  Math.min(openCents, Math.max(0, roundHalfUp((openCents * bps) / 10_000)))

/**
 * What is credited beside money that came without a card. Only money that pays all that is open less the discount earns it: what is still open
 * then is what was taken off.
 * @param openCents what was open before the money came
 * @param mostCents the discount on it
 */
export const earnedDiscountCents = (openCents: number, paidCents: number, mostCents: number): number =>
  paidCents > 0 && paidCents < openCents && openCents - paidCents <= mostCents ? openCents - paidCents : 0

/**
 * What comes off several invoices that are paid together without a card: all that is not paid, if it is no more than their discounts.
 * @param openCents what is open on each, the one that is paid first before the others
 * @returns what comes off each
 */
export const discountsOf = (openCents: readonly number[], paidCents: number, bps: number): number[] => {
  const most = openCents.map((cents) => cashDiscountCents(cents, bps))
  const sum = (of: readonly number[]) => of.reduce((all, cents) => all + cents, 0)
  let left = earnedDiscountCents(sum(openCents), paidCents, sum(most))
  return most.map((cents) => {
    const off = Math.min(cents, left)
    left -= off
    return off
  })
}

/**
 * Whether money for an invoice is for the others of its customer too: more than is open on it, or less only by the discount on all of them, as
 * their statement says. What is open on it alone, in full or less its own discount, is for it alone.
 */
export const isForOthersToo = (
  paidCents: number,
  own: { cents: number; discountCents: number },
  others: { cents: number; discountCents: number },
): boolean =>
  others.cents > 0 &&
  (paidCents > own.cents ||
    (paidCents < own.cents &&
      earnedDiscountCents(own.cents + others.cents, paidCents, own.discountCents + others.discountCents) > 0))

/** What of a discount stands while a part of its payment is owed again, in proportion. */
export const standingDiscountCents = (discountCents: number, paidCents: number, lostCents: number): number =>
  roundHalfUp((discountCents * (paidCents - lostCents)) / paidCents)

/** What the law of a place says about charging more for a card. */
export type CardLaw = {
  /** What it says, as the owner reads it. */
  says: string
  source: string
  /** When this was last held against the source. */
  asOf: string
}

const asOf = '2026-11-24'

/** A discount for another way to pay than a card: what federal law says, and what it leaves to the states. */
export const discountLaw: CardLaw = {
  says: 'Federal law keeps card issuers and card networks from forbidding you a discount for cash, checks and the like. It has to be offered to every customer and said clearly, as the page of the invoice does; a state may ask for more.',
  source: '15 U.S.C. § 1666f and § 1693o-2(b)(2)',
  asOf,
}

/** States with a law of their own about surcharges on cards. */
const surchargeLaws: Record<string, CardLaw> = {
  CO: {
    says: 'Colorado limits a surcharge on credit cards to 2% of the sum or what the card costs the business, with a notice in the law’s own words and a line of its own on the receipt; never on debit cards, checks or cash.',
    source: 'C.R.S. § 5-2-212',
    asOf,
  },
  CT: {
    says: 'Connecticut forbids a surcharge for any way to pay. A discount for cash, check or debit card is allowed, and the receipt shows it as a discount.',
    source: 'Conn. Gen. Stat. § 42-133ff',
    asOf,
  },
  MA: {
    says: 'Massachusetts forbids a surcharge on who pays by credit card. A discount for cash or check is allowed where every customer is offered it and it is said clearly.',
    source: 'M.G.L. c. 140D, § 28A',
    asOf,
  },
  ME: {
    says: 'Maine forbids a surcharge on who pays by credit or debit card. A discount is no surcharge; the price without it must be as easy to see.',
    source: '9-A M.R.S. § 8-509',
    asOf,
  },
  NY: {
    says: 'New York limits a surcharge to what the card company charges the business. The price by card has to be posted clearly, and nobody may pay more than the posted price; the price in cash may stand beside it.',
    source: 'N.Y. Gen. Bus. Law § 518',
    asOf,
  },
}

const elsewhere: CardLaw = {
  says: 'Card networks limit a surcharge to what the card costs, Visa to 3% at most, want 30 days’ notice, and allow none on debit cards. Your state may limit or forbid it: we name the laws of CO, CT, MA, ME and NY only.',
  source: 'the rules of the card networks',
  asOf,
}

/** What is said under every law that is named: nobody's advice. */
export const checkLaw =
  'Laws change, and this is no advice: check the law of your state, or ask your accountant, before you switch this on.'

/** What is said about surcharges where a business is. @param state two letters; null where it is not known */
export const surchargeLaw = (state: string | null): CardLaw => surchargeLaws[state ?? ''] ?? elsewhere
