import { formatCents } from '../../../shared/money.ts'

/** Cash and checks that a crew takes at the door. The phone and the server use the same functions. */

export const doorMethods = ['cash', 'check'] as const
export type DoorMethod = (typeof doorMethods)[number]

/** More than this is a slip of the thumb. */
export const mostAtDoorCents = 1_000_000

/** How a customer has their receipt. */
export const receiptWays = ['email', 'sms'] as const
export type ReceiptWay = (typeof receiptWays)[number]

/** One receipt as the person who took the money sees it. */
export type DoorReceipt = {
  id: string
  /** "R-1007"; null until the server has given it. */
  number: string | null
  method: DoorMethod
  amountCents: number
  /** What of it is for the crew. */
  tipCents: number
  checkNumber: string
  at: string
  voided: boolean
}

/** What a crew member who may take money knows of a customer at a stop. */
export type DoorFacts = {
  /** The stops of the bundle that are this customer's. */
  visitIds: string[]
  /** When the server said so: an older word never takes the place of a newer one. */
  asOf: string
  owedCents: number
  /** What settles it when it is paid now, less the discount for paying without a card; null where there is none. */
  withoutCard: { percent: string; cents: number } | null
  /** Whether the business takes tips for its crews. */
  takesTips: boolean
  /** Money of theirs that lies on no invoice. */
  creditCents: number
  /** What is open, the oldest first, so far as it fits on a phone. */
  open: { name: string; dueOn: string; cents: number }[]
  openCount: number
  /** Where a receipt can go, without telling the address. */
  email: string | null
  phone: string | null
  language: 'en' | 'es'
  /** The last ones that this person wrote for this customer. */
  receipts: DoorReceipt[]
}

/** What stands on a receipt before it has its number: the end of the id that the phone gave it. "7F3A-21C4" */
export const referenceOf = (id: string): string => `${id.slice(-8, -4)}-${id.slice(-4)}`.toUpperCase()

/** "m•••@example.com": enough to ask "is it this one?", not enough to keep. */
export const maskedEmail = (email: string): string => email.replace(/^(.)[^@]*/, '$1•••')

/** "•••-0142" */
export const maskedPhone = (phone: string): string => `•••-${phone.replace(/\D/g, '').slice(-4)}`

/** What is wrong with money as a phone tells of it, or null. */
export const isDoorMoney = (money: {
  amountCents?: number | undefined
  tipCents?: number | undefined
  method?: DoorMethod | undefined
  checkNumber?: string | undefined
}): boolean =>
  money.amountCents !== undefined &&
  money.amountCents > 0 &&
  money.amountCents <= mostAtDoorCents &&
  (money.tipCents ?? 0) >= 0 &&
  (money.tipCents ?? 0) <= money.amountCents &&
  (money.method === 'cash' || (money.method === 'check' && Boolean(money.checkNumber?.trim())))

/** "$3.00 is missing", "$3.00 too much", or null where it is right. */
export const differenceLabel = (cashCents: number, countedCents: number): string | null =>
  cashCents === countedCents
    ? null
    : countedCents < cashCents
      ? `${formatCents(cashCents - countedCents)} is missing`
      : `${formatCents(countedCents - cashCents)} too much`

/** What a count that differs has to say. */
export const reasonMissing = 'The count differs from the receipts. Say why: it stands on the record.'
