import type { Refusal } from '../../../shared/can.ts'
import { type Day, formatDay } from '../../../shared/dates.ts'

/** What people said of offers, as far as the office hears it. */

/** How somebody said it to the office. */
export const consentHows = ['in_person', 'phone', 'paper', 'email', 'website'] as const
export type ConsentHow = (typeof consentHows)[number]
export const consentHowLabels: Readonly<Record<ConsentHow, string>> = {
  in_person: 'In person',
  phone: 'On the phone',
  paper: 'On paper, signed',
  email: 'By e-mail',
  website: 'On a website',
}

/** As it stands in the ledger for good: who wrote it down, and how it was said. */
export const officeSource = (how: ConsentHow): string => `office: ${consentHowLabels[how]}`

const sources: Readonly<Record<string, string>> = {
  keyword: 'Their own text',
  'their text, as the office read it': 'Their own text, as the office read it',
  'answer by mail': 'Their answer to a mail',
  complaint: 'Their mail program, where they pressed “spam”',
  'unsubscribe link': 'The link under a mail',
  'customer portal': 'Customer portal',
  'door receipt': 'At the door, for a receipt',
  'website form': 'Form on the website',
  'business page': 'Your public page',
}

/** Where a word of the ledger came from, for people. */
export const sourceWords = (source: string): string =>
  sources[source] ??
  (source.startsWith('office: ') ? source.slice('office: '.length) : source.charAt(0).toUpperCase() + source.slice(1))

export const standings = ['agreed', 'never', 'taken_back', 'stopped'] as const
export type Standing = (typeof standings)[number]

type Facts = {
  channel: 'email' | 'sms'
  /** Everything, or only offers, is shut. */
  suppressed: { purpose: 'all' | 'marketing'; reason: string } | null
  last: 'grant' | 'revoke' | null
}

/** What may be sent to an address now: the same answer as the gate gives to an offer. */
export const standingOf = ({ suppressed, last }: Facts): Standing =>
  suppressed?.purpose === 'all'
    ? 'stopped'
    : suppressed || last === 'revoke'
      ? 'taken_back'
      : last === 'grant'
        ? 'agreed'
        : 'never'

/** Why the office cannot say for somebody that they agreed, or took it back. */
export const consentRefusals: Readonly<Record<'agree' | 'takeBack', Refusal<Facts>>> = {
  agree: ({ channel, suppressed }) =>
    suppressed?.purpose !== 'all'
      ? null
      : channel === 'sms'
        ? `Texts to this number are off (${suppressed.reason}). You cannot turn them on: only they can, by replying START from that phone. Nothing was recorded.`
        : `Nothing goes to this e-mail any more (${suppressed.reason}). Ask them for another address. Nothing was recorded.`,
  takeBack: ({ suppressed, last }) =>
    last !== 'grant' || suppressed ? 'They get no offers there. There is nothing to take back.' : null,
}

/** An older yes does not undo a newer no. */
export const olderThanNo = (on: Day, lastNoOn: Day | null): string | null =>
  lastNoOn !== null && on < lastNoOn
    ? `They said no on ${formatDay(lastNoOn, { year: true })}, after the day you gave. Ask them once more, and record the day on which they say yes.`
    : null
