import type { Refusal } from '../../../shared/can.ts'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'

export const disputeKinds = ['inquiry', 'dispute', 'return'] as const
export type DisputeKind = (typeof disputeKinds)[number]
export const disputeStatuses = ['needs_response', 'under_review', 'won', 'lost', 'closed'] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

type Stand = { kind: DisputeKind; status: DisputeStatus }

/** Whether the bank has not decided yet. */
export const isUndecided = (status: DisputeStatus): boolean => status === 'needs_response' || status === 'under_review'

const rankOf = ({ kind, status }: Stand): number =>
  !isUndecided(status) ? 4 : (kind === 'inquiry' ? 0 : 2) + (status === 'under_review' ? 1 : 0)

/** Whether a bank that had decided decided otherwise afterwards. */
export const isDecidedOtherwise = (known: Stand, seen: Stand): boolean =>
  !isUndecided(known.status) && !isUndecided(seen.status) && known.status !== seen.status

/** Whether a dispute goes on from what is known to what was seen now: only forward. A second decision is no step (`isDecidedOtherwise`). */
export const movesOn = (known: Stand, seen: Stand): boolean => rankOf(seen) > rankOf(known)

const reasons: Record<string, string> = {
  credit_not_processed: 'The customer says that a refund was promised and did not come.',
  duplicate: 'The customer says that they were charged twice.',
  fraudulent: 'The cardholder says that they did not make this payment.',
  general: 'The bank does not say why.',
  product_not_received: 'The customer says that the work was not done.',
  product_unacceptable: 'The customer says that the work was not what was agreed.',
  subscription_canceled: 'The customer says that they had canceled before they were charged.',
  unrecognized: 'The cardholder does not recognize the payment.',
  bank_cannot_process: 'The bank could not process the transfer.',
  check_returned: 'The bank returned the transfer.',
  debit_not_authorized: 'The account’s holder says that they did not allow the transfer.',
  incorrect_account_details: 'The account does not exist or was closed.',
  insufficient_funds: 'There was not enough money in the account.',
}

/** Why a payment is questioned, as a sentence. */
export const reasonLabel = (reason: string): string => reasons[reason] ?? 'The bank does not say why.'

/** What to show a bank that says so, in a sentence. */
const advice: Record<string, string> = {
  credit_not_processed: 'Show what was refunded and when, or why no refund was owed.',
  duplicate: 'Show that each charge was for other work: an invoice and a visit for each.',
  fraudulent:
    'Show that the customer knew of the work: their messages, their address, earlier invoices that they paid.',
  product_not_received: 'Show that the work was done: the day, the times on the property and the photos.',
  product_unacceptable: 'Show what was agreed and the photos of the finished work.',
  subscription_canceled: 'Show what was agreed about stopping, and that nobody had asked to stop before the visit.',
  unrecognized: 'Show the invoice, whom it was sent to, and the customer’s messages.',
}
export const adviceFor = (reason: string): string =>
  advice[reason] ?? 'Show what was agreed, that the work was done, and that the customer knew of it.'

export const kindLabels: Record<DisputeKind, string> = { inquiry: 'Inquiry', dispute: 'Dispute', return: 'Returned' }

const outcome: Record<DisputeStatus, string> = {
  needs_response: 'Waits for your answer',
  under_review: 'The bank is looking into it',
  won: 'Won: the money is back',
  lost: 'Lost: the bank kept the money',
  closed: 'Closed: nothing was taken',
}

export type Submission = 'none' | 'sending' | 'sent' | 'refused'

type Facts = Stand & {
  submission: Submission
  dueAt: string | null
  nowMs: number
  money: 'none' | 'taken' | 'returned'
}

const isLate = ({ dueAt, nowMs }: Pick<Facts, 'dueAt' | 'nowMs'>): boolean =>
  dueAt !== null && Date.parse(dueAt) <= nowMs

/** Where a dispute stands, in a line. */
export const disputeState = (facts: Facts): string =>
  facts.kind === 'return'
    ? 'The bank gave the money back to the customer'
    : facts.status === 'needs_response' && facts.submission === 'none' && isLate(facts)
      ? 'The day for evidence has passed: the bank decides without it'
      : facts.status === 'needs_response' && (facts.submission === 'sending' || facts.submission === 'sent')
        ? 'Your evidence is on its way to the bank'
        : facts.status === 'won' && facts.money === 'taken'
          ? 'Won: the money is on its way back'
          : outcome[facts.status]

export const disputeActions = ['edit', 'submit'] as const
export type DisputeAction = (typeof disputeActions)[number]

const closed = (facts: Facts): string | null =>
  facts.kind === 'return'
    ? 'A returned transfer cannot be contested. Ask the customer to pay another way.'
    : !isUndecided(facts.status)
      ? 'This was decided, so no evidence is taken any more. Nothing was changed.'
      : facts.submission === 'sending' || facts.submission === 'sent' || facts.status === 'under_review'
        ? 'The evidence was sent, and a bank takes it once. Nothing was changed.'
        : isLate(facts)
          ? 'The day for evidence has passed, so the bank does not take it any more. Nothing was changed.'
          : null

/** Why a dispute's state refuses an action. */
export const disputeRefusals = { edit: closed, submit: closed } satisfies Record<DisputeAction, Refusal<Facts>>

/** Why no reminder of a disputed invoice leaves. */
export const stopWords = (amountCents: number): string => `A payment of ${formatCents(amountCents)} is disputed`
/** And after the bank kept the money. */
export const lostWords = (amountCents: number): string =>
  `The bank gave a payment of ${formatCents(amountCents)} back to them`

/** What the work and the customer say, as it goes to a bank. */
export type EvidenceFacts = {
  business: string
  customer: { name: string; email: string | null }
  payment: { amountCents: number; receivedOn: Day; refundedBeforeCents: number }
  invoices: {
    name: string
    issueOn: Day | null
    sentAt: string | null
    viewedAt: string | null
    totalCents: number
    mailedTo: string | null
  }[]
  visits: {
    id: string
    day: Day
    place: string
    work: string
    /** "9:12 AM to 9:48 AM"; null where nobody tapped. */
    times: string | null
    crew: string | null
    finishedBy: string | null
    note: string
    photos: { url: string; kind: string }[]
  }[]
  messages: { id: string; at: string; fromCustomer: boolean; text: string }[]
  agreements: string[]
}

const day = (on: Day): string => formatDay(on, { year: true })

/** So many invoices of a payment go with it as one paper: a bank reads 50 pages. */
export const mostAttached = 20

export const photosLine = 'Photos of the work are in the attached paper.'

/** What a person would write to a bank from all this, to begin with. */
export const evidenceText = (facts: EvidenceFacts, on: (instant: string) => string): string => {
  const { business, customer, payment, invoices, visits, messages, agreements } = facts
  const parts = [
    `${customer.name} paid ${business} ${formatCents(payment.amountCents)} on ${day(payment.receivedOn)} for lawn care at their property.`,
    ...invoices.map(
      (one, at) =>
        `${one.name} over ${formatCents(one.totalCents)}${one.issueOn ? ` of ${day(one.issueOn)}` : ''}${
          one.mailedTo && one.sentAt ? ` was mailed to ${one.mailedTo} on ${on(one.sentAt)}` : ''
        }${one.viewedAt ? ` and opened by the customer on ${on(one.viewedAt)}` : ''}.${at < mostAttached ? ' It is attached.' : ''}`,
    ),
    ...(visits.length > 0
      ? [
          [
            'Work done:',
            ...visits.map((visit) =>
              [
                `- ${day(visit.day)}, ${visit.place}: ${visit.work}.`,
                visit.times ? `On the property ${visit.times}.` : '',
                visit.crew ? `Crew: ${visit.crew}.` : '',
                visit.finishedBy ? `Finished by ${visit.finishedBy}.` : '',
                visit.note ? `Note of the crew: ${visit.note}` : '',
              ]
                .filter(Boolean)
                .join(' '),
            ),
          ].join('\n'),
        ]
      : []),
    ...(visits.some((visit) => visit.photos.length > 0) ? [photosLine] : []),
    ...(agreements.length > 0 ? [['What was agreed:', ...agreements.map((one) => `- ${one}`)].join('\n')] : []),
    ...(messages.length > 0
      ? [
          [
            'Messages:',
            ...messages.map(
              ({ at, fromCustomer, text }) => `- ${on(at)}, ${fromCustomer ? customer.name : business}: “${text}”`,
            ),
          ].join('\n'),
        ]
      : []),
    ...(payment.refundedBeforeCents > 0
      ? [`${formatCents(payment.refundedBeforeCents)} of this payment had been refunded before it was disputed.`]
      : []),
  ]
  return parts.join('\n\n').slice(0, longestText)
}

/** The longest text that a bank takes along with the papers. */
export const longestText = 20_000
