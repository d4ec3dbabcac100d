import type { Refusal } from '../../shared/can.ts'
import { addDays, dayOf, instantAt } from '../../shared/dates.ts'

/** The business's own funnel: homeowners who asked for a price. The product owner's funnel is `prospects`. */

export const stages = ['new', 'contacted', 'quoted', 'won', 'lost'] as const
export type Stage = (typeof stages)[number]
export const stageLabel: Record<Stage, string> = {
  new: 'New',
  contacted: 'Contacted',
  quoted: 'Quoted',
  won: 'Won',
  lost: 'Lost',
}
/** Stages in which somebody still waits for the business. */
export const openStages: readonly Stage[] = ['new', 'contacted', 'quoted']
export const isOpen = (stage: Stage): boolean => openStages.includes(stage)

export const sources = ['call', 'text', 'email', 'website', 'profile', 'referral', 'neighbor', 'ad', 'other'] as const
export type Source = (typeof sources)[number]
export const sourceLabel: Record<Source, string> = {
  call: 'Phone call',
  text: 'Text',
  email: 'E-mail',
  website: 'Website form',
  profile: 'Business page',
  referral: 'Referral',
  neighbor: 'Neighbor',
  ad: 'Ad',
  other: 'Other',
}

export const lostReasons = [
  'price',
  'competitor',
  'no_answer',
  'out_of_area',
  'not_offered',
  'timing',
  'declined',
  'spam',
  'other',
] as const
export type LostReason = (typeof lostReasons)[number]
export const lostReasonLabel: Record<LostReason, string> = {
  price: 'Price',
  competitor: 'Chose somebody else',
  no_answer: 'Never answered',
  out_of_area: 'Out of our area',
  not_offered: 'We do not offer it',
  timing: 'Not now',
  declined: 'Declined the quote',
  spam: 'Spam or wrong number',
  other: 'Other',
}

/** What happens to a lead by itself. `replied`: somebody of the business wrote or called. */
export const facts = ['replied', 'quoteSent', 'quoteApproved', 'quoteDeclined', 'booked'] as const
export type Fact = (typeof facts)[number]
const leadsTo: Record<Fact, Stage> = {
  replied: 'contacted',
  quoteSent: 'quoted',
  quoteApproved: 'won',
  quoteDeclined: 'lost',
  booked: 'won',
}
export const factLabel: Record<Fact, string> = {
  replied: 'First answer sent',
  quoteSent: 'Quote sent',
  quoteApproved: 'Quote approved',
  quoteDeclined: 'Quote declined',
  booked: 'Work booked',
}

/**
 * The stage that a fact leads to, or null where it changes nothing. A fact only moves forward; what a person chose stays against all that happened
 * before they chose it; won stays won, and what was lost comes back only by an approved quote or booked work.
 * @param at ISO instant at which the fact happened
 */
export const stageAfterFact = (
  lead: { stage: Stage; stageBy: 'facts' | 'person'; stageAt: string },
  fact: Fact,
  at: string,
): Stage | null => {
  const to = leadsTo[fact]
  if (lead.stage === to || lead.stage === 'won') return null
  if (lead.stageBy === 'person' && Date.parse(at) <= Date.parse(lead.stageAt)) return null
  if (lead.stage === 'lost') return to === 'won' ? to : null
  if (to === 'lost') return to
  return stages.indexOf(to) > stages.indexOf(lead.stage) ? to : null
}

const minuteMs = 60_000

/** How long a new lead waits before each word to the office: 15 minutes, 4 hours, and the morning of the next day. */
export const reminders = ['quarter', 'hours', 'nextDay'] as const
export type Reminder = (typeof reminders)[number]
/** The minute of the next day at which the last reminder comes. */
const nextMorningMinute = 8 * 60

/** When the office hears that a lead still waits. @param timeZone the business's */
export const reminderAt = (createdAt: string, reminder: Reminder, timeZone: string): string => {
  const ms = Date.parse(createdAt)
  if (reminder === 'quarter') return new Date(ms + 15 * minuteMs).toISOString()
  if (reminder === 'hours') return new Date(ms + 240 * minuteMs).toISOString()
  return instantAt(addDays(dayOf(createdAt, timeZone), 1), nextMorningMinute, timeZone)
}

export const reminderWords: Record<Reminder, string> = {
  quarter: 'has waited 15 minutes for an answer',
  hours: 'has waited 4 hours for an answer',
  nextDay: 'asked yesterday and has no answer yet',
}

/** Why the office is shown two people as one: what they have in common. */
export const ties = ['phone', 'email', 'address'] as const
export type Tie = (typeof ties)[number]
export const tieLabel: Record<Tie, string> = { phone: 'phone', email: 'e-mail', address: 'address' }

const wordsOfName = (name: string): string[] =>
  (name.includes('@') ? '' : name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word && !['mr', 'mrs', 'ms', 'miss', 'dr'].includes(word))

const fits = (word: string, other: string): boolean =>
  word === other || (Math.min(word.length, other.length) === 1 && word[0] === other[0])

/** Whether two names may be one person's: the same words, initials too, or fewer of them. A number or an address as a name says nothing. */
export const mayBeSamePerson = (one: string, other: string): boolean => {
  const [less = [], more = []] = [wordsOfName(one), wordsOfName(other)].sort((a, b) => a.length - b.length)
  return less.every((word) => more.some((candidate) => fits(word, candidate)))
}

/**
 * Whether a new request joins a lead that is there: one that is still at its beginning, of the same person at the same place. A quote that is out, work
 * that was sold and a customer are answered; who asks then asks for something else.
 */
export const joinsLead = (
  lead: { stage: Stage; name: string; samePlace: boolean; isConverted: boolean },
  name: string,
): boolean =>
  (lead.stage === 'new' || lead.stage === 'contacted' || lead.stage === 'lost') &&
  !lead.isConverted &&
  lead.samePlace &&
  mayBeSamePerson(lead.name, name)

/** What a lead has to do with a quote or with work: whether what becomes of that moves the lead. */
export type FactScope = {
  /** The lead that the quote was made of. */
  leadId: string | null
  /** Since when the quote is there, or when the work was booked: who asked later asked for something else. */
  since: string
  propertyId: string | null
  /** Work that is of no quote: it answers who was made a customer or was answered, not a request that still waits. */
  isByHand: boolean
}

export const belongsTo = (
  lead: {
    id: string
    createdAt: string
    propertyId: string | null
    convertedAt: string | null
    stage: Stage
    repliedAt: string | null
  },
  scope: FactScope,
): boolean => {
  if (scope.leadId) return lead.id === scope.leadId
  if (Date.parse(lead.createdAt) > Date.parse(scope.since)) return false
  if (lead.propertyId && scope.propertyId && lead.propertyId !== scope.propertyId) return false
  return !(scope.isByHand && lead.convertedAt === null && isWaiting(lead))
}

/** Whether the first answer is still owed. */
export const isWaiting = (lead: { stage: Stage; repliedAt: string | null }): boolean =>
  lead.stage === 'new' && lead.repliedAt === null

/** How long a lead waits, as it reads and how urgent it is; null where nobody waits. */
export const waitOf = (
  lead: { stage: Stage; repliedAt: string | null; askedAt: string },
  nowMs: number,
): { text: string; tone: 'neutral' | 'wait' | 'late' } | null => {
  if (!isWaiting(lead)) return null
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(lead.askedAt)) / minuteMs))
  const text =
    minutes < 1
      ? 'just now'
      : minutes < 60
        ? `${minutes} min`
        : minutes < 2880
          ? `${Math.floor(minutes / 60)} h`
          : `${Math.floor(minutes / 1440)} days`
  return { text, tone: minutes < 15 ? 'neutral' : minutes < 240 ? 'wait' : 'late' }
}

export const leadActions = ['update', 'move', 'note', 'text', 'mail', 'convert'] as const
export type LeadAction = (typeof leadActions)[number]
export type LeadFacts = { name: string; phone: string | null; email: string | null; customerId: string | null }

/** Why a lead refuses what somebody wants to do with it. */
export const leadRefusals: Record<LeadAction, Refusal<LeadFacts>> = {
  update: () => null,
  move: () => null,
  note: () => null,
  text: ({ name, phone }) => (phone ? null : `${name} left no phone number. Add one first; your text is still here.`),
  mail: ({ name, email }) => (email ? null : `${name} left no e-mail. Add one first; your mail is still here.`),
  convert: ({ name, customerId }) => (customerId ? `${name} is a customer already. Nothing was changed.` : null),
}

export const callOutcomes = ['talked', 'voicemail', 'no_answer'] as const
export type CallOutcome = (typeof callOutcomes)[number]
export const callOutcomeLabel: Record<CallOutcome, string> = {
  talked: 'We talked',
  voicemail: 'Left a voicemail',
  no_answer: 'Nobody picked up',
}
/** What stands as asked for while nobody knows more than that they called. */
export const missedCallWords = 'Missed call'
/** Whether a call answers the lead. */
export const callAnswers = (outcome: CallOutcome): boolean => outcome !== 'no_answer'

/** What somebody typed or followed, as codes are kept; null where it is none. */
export const readCode = (text: string): string | null => {
  const code = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return /^[A-Z0-9]{4,12}$/.test(code) ? code : null
}

const and = new Intl.ListFormat('en-US', { type: 'conjunction' })
/** "Mow, Mulch, and Edging". */
export const listed = (names: readonly string[]): string => and.format(names)

/** What a price that was told says nothing of, as a sentence. @param names services that are priced after a look */
export const notInPrice = (names: readonly string[]): string =>
  `${listed(names)} ${names.length === 1 ? 'is' : 'are'} not in it: priced after a look.`
