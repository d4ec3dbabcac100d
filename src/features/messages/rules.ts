import type { Refusal } from '../../shared/can.ts'
import { addDays, type Day, dayOf, formatTime, instantAt, minuteOfDay, weekdayOf } from '../../shared/dates.ts'
import { cutAtWord, gsm } from '../../shared/plain-text.ts'
import { spoken, wantsOut } from './stop/rules.ts'

export { plainText } from '../../shared/plain-text.ts'

export type Channel = 'email' | 'sms'
/** How something in a thread came or went; what a customer writes in their portal only comes. */
export const messageChannels = ['email', 'sms', 'portal'] as const
export type MessageChannel = (typeof messageChannels)[number]
/** account: sign-in and security mail; reply: an answer in a running conversation; both ignore quiet hours. */
export type Purpose = 'transactional' | 'marketing' | 'account' | 'reply'

export const messageStatuses = [
  'pending',
  'held',
  'sending',
  'sent',
  'delivered',
  'failed',
  'suppressed',
  'unknown',
  'received',
] as const
export type MessageStatus = (typeof messageStatuses)[number]

export type StatusTone = 'plain' | 'wait' | 'bad' | 'good'

/** Where a message is, in a few words. */
export const statusOf = (
  message: { status: MessageStatus; runAfter: string | null },
  timeZone: string,
): { label: string; tone: StatusTone } => {
  switch (message.status) {
    case 'received':
      return { label: 'Received', tone: 'plain' }
    case 'delivered':
      return { label: 'Delivered', tone: 'good' }
    case 'sent':
      return { label: 'Sent', tone: 'plain' }
    case 'held':
      return {
        label: message.runAfter ? `Leaves at ${formatTime(message.runAfter, timeZone)}` : 'Waits',
        tone: 'wait',
      }
    case 'failed':
      return { label: 'Not delivered', tone: 'bad' }
    case 'suppressed':
      return { label: 'Not sent', tone: 'bad' }
    case 'unknown':
      return { label: 'May not have arrived', tone: 'bad' }
    default:
      return { label: 'On its way', tone: 'wait' }
  }
}

/** Later news never undoes earlier: a late "sent" does not overwrite "delivered". */
const rank: Record<MessageStatus, number> = {
  pending: 0,
  held: 0,
  sending: 1,
  unknown: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  suppressed: 6,
  received: 6,
}
export const isForward = (from: MessageStatus, to: MessageStatus): boolean => rank[to] > rank[from]

const day = 1440

/** When it is quiet at night, in minutes after midnight. */
export type QuietHours = { startMinute: number; endMinute: number }
type Window = { from: number; to: number }

/** Hours of offers: on weekdays, Saturdays and Sundays. */
type OfferHours = { weekday: Window; saturday: Window; sunday: Window }
const usualHours: OfferHours = {
  weekday: { from: 540, to: 1200 },
  saturday: { from: 540, to: 1200 },
  sunday: { from: 720, to: 1020 },
}
/**
 * States whose law leaves less than our usual hours; the windows of FL, MD, MS, NJ, OK, WA (8:00 to 20:00), CT (9:00 to 20:00) and TX (9:00 to
 * 21:00, Sundays from 12:00) lie around ours. From a table that vendors publish of the states' laws; no lawyer has confirmed it.
 */
const hoursOfState: Record<string, OfferHours> = {
  RI: { weekday: { from: 540, to: 1080 }, saturday: { from: 600, to: 1020 }, sunday: { from: 720, to: 1020 } },
}

/**
 * The span of a day in which texts may leave, in minutes after midnight at the recipient: transactional by the business's quiet hours
 * (8:00 to 21:00), marketing 9:00 to 20:00 and on Sundays 12:00 to 17:00, or less by the law of the state, whichever is narrower.
 * @param state two letters of the recipient's; empty where it is not known
 */
export const sendingWindow = (purpose: Purpose, on: Day, quiet: QuietHours, state = ''): Window => {
  if (purpose === 'account' || purpose === 'reply') return { from: 0, to: day }
  const base = { from: quiet.endMinute, to: quiet.startMinute }
  if (purpose === 'transactional') return base
  const hours = hoursOfState[state] ?? usualHours
  const weekday = weekdayOf(on)
  const marketing = weekday === 0 ? hours.sunday : weekday === 6 ? hours.saturday : hours.weekday
  return { from: Math.max(base.from, marketing.from), to: Math.min(base.to, marketing.to) }
}

/**
 * When a text may leave: null for now, else the next instant at which it may.
 * @param timeZone IANA zone of the recipient; the business's where nothing better is known
 * @param state two letters of the recipient's; empty where it is not known
 */
export const quietUntil = (
  purpose: Purpose,
  now: Date,
  timeZone: string,
  quiet: QuietHours,
  state = '',
): string | null => {
  const today = dayOf(now, timeZone)
  const minute = minuteOfDay(now, timeZone)
  for (let ahead = 0; ahead < 8; ahead++) {
    const on = addDays(today, ahead)
    const window = sendingWindow(purpose, on, quiet, state)
    if (window.to <= window.from) continue
    if (ahead > 0 || minute < window.from) return instantAt(on, window.from, timeZone)
    if (minute < window.to) return null
  }
  return instantAt(addDays(today, 8), 720, timeZone)
}

export type GateFacts = {
  channel: Channel
  purpose: Purpose
  /** The address is shut: a STOP, a bounce, an unsubscribe from everything. */
  suppressed: { purpose: 'all' | 'marketing'; reason: string } | null
  /** The last word on marketing to this address; null when it was never asked. */
  marketingConsent: 'grant' | 'revoke' | null
  /** ISO instant until which it is quiet at the recipient, or null. */
  quietUntil: string | null
  /** SMS segments still free this month; null is without limit. */
  segmentsLeft: number | null
  segments: number
  /** A text of theirs may ask for no more texts, and nobody has said yet what it meant. */
  inDoubt?: boolean
  /** ISO instant until which this number has had as many offers as a day may bring, or null. */
  fullUntil?: string | null
}

/** Offers by text that a number gets in 24 hours; more are against the law in FL and OK, and too many anywhere. */
export const mostOffersADay = 3

/**
 * Until when no further offer may leave for a number.
 * @param leftAt ISO instants at which offers left for it, in any order
 */
export const offersFullUntil = (leftAt: readonly string[], nowMs: number): string | null => {
  const dayMs = day * 60_000
  const recent = leftAt.map((at) => Date.parse(at)).filter((ms) => ms > nowMs - dayMs)
  const first = recent.sort((a, b) => b - a)[mostOffersADay - 1]
  return first === undefined ? null : new Date(first + dayMs).toISOString()
}

export type Verdict =
  | { kind: 'send' }
  | { kind: 'hold'; until: string; reason: string }
  | { kind: 'suppress'; reason: string }

/** Why a text does not leave that is past what the plan brings a month. */
export const limitReason = 'The monthly SMS limit of the plan is used up'

/** The one gate that every message passes at the moment it would leave. */
export const gate = (facts: GateFacts): Verdict => {
  if (facts.suppressed && (facts.suppressed.purpose === 'all' || facts.purpose === 'marketing')) {
    // Security mail still reaches somebody who unsubscribed, but nothing goes to an address that bounces or said STOP.
    return { kind: 'suppress', reason: facts.suppressed.reason }
  }
  if (facts.purpose === 'marketing' && facts.marketingConsent !== 'grant') {
    return {
      kind: 'suppress',
      reason: facts.marketingConsent === 'revoke' ? 'Unsubscribed from marketing' : 'No consent to marketing on record',
    }
  }
  if (facts.purpose === 'marketing' && facts.inDoubt)
    return {
      kind: 'suppress',
      reason: 'They may have asked for no more texts: say what they meant in their conversation',
    }
  if (facts.channel === 'sms' && facts.segmentsLeft !== null && facts.segments > facts.segmentsLeft) {
    return { kind: 'suppress', reason: limitReason }
  }
  if (facts.channel === 'sms' && facts.purpose === 'marketing' && facts.fullUntil)
    return { kind: 'hold', until: facts.fullUntil, reason: `${mostOffersADay} offers in a day are enough` }
  if (facts.channel === 'sms' && facts.quietUntil)
    return { kind: 'hold', until: facts.quietUntil, reason: 'Quiet hours at the recipient' }
  return { kind: 'send' }
}

/** Begins the key of what a person wrote by hand to somebody; nothing else that leaves has one. */
export const byHand = 'manual:'
export const isWrittenByHand = (dedupeKey: string): boolean => dedupeKey.startsWith(byHand)

/** What who writes is told of an answer that left since they saw the thread. `userId` and `name` of who wrote it. */
export const answeredWords = (
  answer: { userId: string | null; name: string | null; bodyText: string; createdAt: string },
  who: { userId: string },
  nowMs: number,
): string => {
  const minutes = Math.floor((nowMs - Date.parse(answer.createdAt)) / 60_000)
  const ago =
    minutes < 2
      ? 'a moment ago'
      : minutes < 60
        ? `${minutes} minutes ago`
        : minutes < 120
          ? 'an hour ago'
          : 'since you opened this'
  const [name, where] =
    answer.userId === who.userId ? ['You', ' in another window'] : [answer.name ?? 'Somebody of the office', '']
  return `${name} answered ${ago}${where}: “${cutAtWord(answer.bodyText, 90)}” Nothing was sent. Press Send again if yours should leave, too.`
}

/** What the first text to somebody ends with. */
export const stopWords = { en: 'Reply STOP to opt out.', es: 'Responda STOP para no recibir mas.' } as const

const startMessage = new Set(['start', 'unstop'])
const helpMessage = new Set(['help', 'info', 'ayuda'])
export type Keyword = 'stop' | 'start' | 'help' | null

/**
 * What an inbound text asks for, by any reasonable words: "STOP", "Stop.", "please don't text me". "YES" opts in only for somebody who opted out;
 * customers answer YES to quotes.
 */
export const keywordOf = (text: string, isOptedOut: boolean): Keyword => {
  if (wantsOut(text) === 'sure') return 'stop'
  const bare = spoken(text)
    .replace(/^(please|pls) /, '')
    .replace(/ (please|pls|thanks|thank you)$/, '')
  if (startMessage.has(bare) || (bare === 'yes' && isOptedOut)) return 'start'
  if (helpMessage.has(bare)) return 'help'
  return null
}

/** The longest text that a person sends, whatever it is counted as. */
export const mostCharacters = 160

/** How a text is counted: GSM-7 parts of 160 (153 when more than one), else UCS-2 parts of 70 (67). */
const gsmDouble = /[\^{}\\[~\]|€]/g
export const smsSegments = (text: string): { segments: number; units: number; plain: boolean } => {
  const plain = gsm.test(text)
  const units = plain ? text.length + (text.match(gsmDouble)?.length ?? 0) : text.length
  const [one, many] = plain ? [160, 153] : [70, 67]
  return { units, plain, segments: units <= one ? 1 : Math.ceil(units / many) }
}

/** Characters that make a text cost more, each once, an emoji of several parts as the one that people see. */
export const costlyCharacters = (text: string): string[] => [
  ...new Set(
    [...new Intl.Segmenter('en').segment(text)]
      .map(({ segment }) => segment)
      .filter((character) => !smsSegments(character).plain),
  ),
]

/** "🙂 is not a plain character": what makes a text cost more, in words; empty when nothing does. */
export const costlyLabel = (text: string): string => {
  const found = costlyCharacters(text)
  if (found.length === 0) return ''
  return `${found.slice(0, 4).join(' ')} ${found.length === 1 ? 'is not a plain character' : 'are not plain characters'}`
}

export type MessageAction = 'resend'

export type MessageFacts = {
  direction: string
  status: MessageStatus
  /** Why what it is about must not be sent any more: its invoice was voided. */
  stoppedReason: string | null
  /** Why nothing may go to its address, as far as its purpose goes. */
  addressReason: string | null
  wasResent: boolean
}

const unsent: readonly MessageStatus[] = ['failed', 'unknown', 'suppressed']

/** Why a message refuses what somebody wants to do with it. */
export const messageRefusals: Record<MessageAction, Refusal<MessageFacts>> = {
  resend: ({ direction, status, stoppedReason, addressReason, wasResent }) =>
    direction !== 'outbound' || !unsent.includes(status)
      ? 'This message does not need to be sent again.'
      : stoppedReason !== null
        ? `${stoppedReason}. Messages about it are not sent again.`
        : wasResent
          ? 'This message was sent again already. Look at the newer one.'
          : addressReason !== null
            ? `Nothing can be sent to this address: ${addressReason}.`
            : null,
}

/** What a mail server says, in words for people: by the codes of RFC 3463, where it gives one. */
const troubles: readonly [RegExp, (address: string) => string][] = [
  [
    /5\.1\.[1-6]|5\.1\.10|user unknown|no such (user|mailbox|recipient)|does ?n.t exist|unknown (user|recipient)/i,
    (address) => `There is no mailbox ${address}`,
  ],
  [/[45]\.2\.2|mailbox( is)? full|quota/i, (address) => `The mailbox ${address} is full`],
  [/5\.2\.1|disabled|inactive/i, (address) => `The mailbox ${address} is closed`],
  [/5\.7\.|spam|blocked|policy/i, (address) => `The mail server of ${address} took our mail for unwanted`],
  [/^\s*[45]\d\d\b/, (address) => `The mail server of ${address} did not take it`],
]

/** Why a message did not arrive: what a server answered as people say it, anything else as it is. */
export const troubleWords = (reason: string, address: string): string =>
  /\b[45]\d\d\b|\b[45]\.\d+\.\d+\b/.test(reason)
    ? (troubles.find(([says]) => says.test(reason))?.[1](address) ?? reason)
    : reason
