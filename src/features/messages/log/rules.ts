import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import type { Channel, MessageStatus, Purpose } from '../rules.ts'

/** Why each message was sent or was not, in words. */

/** What became of a message, as the office asks for it. */
export const outcomes = ['left', 'waits', 'stopped', 'unknown'] as const
export type Outcome = (typeof outcomes)[number]

export const statusesOf: Record<Outcome, readonly MessageStatus[]> = {
  left: ['sent', 'delivered'],
  waits: ['pending', 'held', 'sending'],
  stopped: ['failed', 'suppressed'],
  unknown: ['unknown'],
}

/** What a message is about, by the beginning of the key that keeps it from going twice; the first that fits. */
const causes: readonly (readonly [begin: string, words: string])[] = [
  ['manual:', 'Written by the office'],
  ['resend:', 'Sent again by the office'],
  ['on_way:', 'On my way'],
  ['reminder:', 'Reminder of a visit'],
  ['rain:', 'Moved for the weather'],
  ['moved:', 'Visit moved'],
  ['skipped:', 'Visit skipped'],
  ['completed:', 'Visit completed'],
  ['treated:', 'What was applied to the lawn'],
  ['review:', 'Question for a review'],
  ['referral:', 'Thanks for a referral'],
  ['missed-call:', 'Answer to a missed call'],
  ['keyword:', 'Answer to STOP, START or HELP'],
  ['autopay', 'Autopay'],
  ['card-', 'Card on file'],
  ['bank-', 'Bank payment'],
  ['refund:', 'Refund'],
  ['dispute:', 'Disputed payment'],
  ['door:', 'Receipt from the crew'],
  ['payment:', 'Receipt or credit note'],
  ['paid-too-much:', 'Paid more than was owed'],
  ['billing-plan', 'Billing plan'],
  ['statement', 'Statement'],
  ['portal', 'Customer portal'],
  ['price:', 'Letter about a new price'],
  ['season:', 'Letter about a new service day'],
  ['booking:', 'Online booking'],
  ['lead:', 'Answer to a request'],
  ['quote', 'Quote'],
  ['renewal', 'Season renewal'],
  ['extra:', 'Extra work'],
  ['mailing:', 'Message to several'],
  ['campaign:', 'Campaign'],
]

/**
 * What a message is about.
 * @param key that keeps it from going twice
 */
export const causeOf = (key: string, purpose: Purpose): string => {
  if (key.startsWith('invoice:'))
    return key.includes(':reminder') ? 'Invoice reminder' : key.includes(':receipt') ? 'Receipt' : 'Invoice'
  const known = causes.find(([begin]) => key.startsWith(begin))
  if (known) return known[1]
  return purpose === 'reply' ? 'Written by the office' : purpose === 'marketing' ? 'Offer' : 'Message'
}

export type LogFacts = {
  channel: Channel
  purpose: Purpose
  status: MessageStatus
  /** Why it waits or did not leave, as the gate or the provider said. */
  reason: string | null
  runAfter: string | null
  sentAt: string | null
  deliveredAt: string | null
  openedAt: string | null
  createdAt: string
  attempts: number
  /** The last word of this address on offers before it was written. */
  consent: { action: 'grant' | 'revoke'; source: string; at: string } | null
  isResent: boolean
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** What it rests on that somebody may be written to about this. */
const basisOf = ({ channel, purpose, consent }: LogFacts, dayAt: (at: string) => string): string => {
  if (purpose === 'marketing')
    return consent?.action === 'grant'
      ? `They agreed to offers by ${channel === 'sms' ? 'text' : 'mail'} on ${dayAt(consent.at)} (${consent.source}).`
      : channel === 'sms'
        ? 'Nobody had agreed to offers by text.'
        : 'An offer by mail: everybody can end these with one click.'
  if (purpose === 'reply') return 'An answer in a conversation; quiet hours do not hold it.'
  return 'About their own work or bill; no consent to offers is needed.'
}

/**
 * Why a message was sent or was not, in sentences: the outcome first, then what it rests on.
 * @param timeZone IANA zone of the business
 */
export const whyOf = (facts: LogFacts, timeZone: string): string[] => {
  const dayAt = (at: string) => formatDay(dayOf(at, timeZone), { year: true })
  const at = (instant: string) => `${formatDay(dayOf(instant, timeZone))} at ${formatTime(instant, timeZone)}`
  const { status, reason, runAfter } = facts
  const outcome = {
    received: 'Received.',
    delivered: `Arrived${facts.deliveredAt ? ` on ${at(facts.deliveredAt)}` : ''}.`,
    sent: `Handed over${facts.sentAt ? ` on ${at(facts.sentAt)}` : ''}; nobody has said yet that it arrived.`,
    held: `Waits${runAfter ? ` until ${at(runAfter)}` : ''}.`,
    pending: 'About to leave.',
    sending: 'Is being handed over right now.',
    failed: 'Did not arrive.',
    suppressed: 'Was not sent.',
    unknown: 'The line broke while it was handed over: it may have arrived or not. It is not sent again by itself.',
  }[status]
  return [
    reason && ['failed', 'suppressed', 'held', 'unknown'].includes(status) ? `${outcome} ${sentence(reason)}` : outcome,
    basisOf(facts, dayAt),
    ...(facts.openedAt ? [`Opened on ${at(facts.openedAt)}.`] : []),
    ...(facts.attempts > 1 ? [`${facts.attempts} tries.`] : []),
    ...(facts.isResent ? ['The office sent it again.'] : []),
  ]
}
