import type { Refusal } from '../../shared/can.ts'
import { counted } from '../../shared/counted.ts'
import { dayOf, daysBetween } from '../../shared/dates.ts'
import { type MessageStatus, smsSegments } from '../messages/rules.ts'
import { holesIn, type TemplateVariable, templateVariables } from '../messages/templates/rules.ts'
import { type AutomationKind, kinds, type Way } from './kinds/rules.ts'

export const mostAutomations = 40
export const longestText = 600
export const longestSubject = 150
/** Texts that leave by themselves, of automations or of other parts, that one customer gets in a day: over that an automation is silent. */
export const mostTextsADay = 2
/** Two years and a bit: so long what became of a beginning is kept, longer than any automation leaves between two of the same. */
export const keptDays = 800
/** Nobody said yes or no for so long: what it says is old. */
export const decideDays = 7
/** The past that a dry run looks at. */
export const dryRunDays = 30
/** So many beginnings of an automation a dry run looks at, and so many people any of them names. */
export const mostNamed = 300
/** So many visits or invoices the dry run of what another part sends looks at: what it reads of each is less. */
export const mostVisits = 3000
/** So many waiting ones are answered at once. */
export const mostAtOnce = 50

export const approvals = ['self', 'ask'] as const
export type Approval = (typeof approvals)[number]

export const runStatuses = ['waiting', 'sent', 'skipped', 'dropped', 'canceled'] as const
export type RunStatus = (typeof runStatuses)[number]

/** Why a run ends whose visit, job or quote is no more what it was; what becomes so again begins it again. */
export const goneWords = 'What it was about has changed'

/** What a message is about. */
export type About = { subjectId: string; propertyId: string | null }

/** One message of an automation that a customer got, or would have got. */
export type Sent = About & { automationId: string; atMs: number; channel: Way }

type WayFacts = {
  /** E-mail address or E.164 number; null where there is none. */
  address: string | null
  /** Why nothing may go there. */
  shut: string | null
  agreed: boolean
}

export type JudgeFacts = {
  optedOut: boolean
  /** Nobody of this customer gets this kind of news. */
  noRecipient: string | null
  /** Who of this customer gets it, the first first. */
  people: readonly Readonly<Record<Way, WayFacts>>[]
  /** What they got of all automations in the time that counts. */
  sent: readonly Sent[]
  /** When other parts texted them by themselves. */
  otherTexts: readonly number[]
  /** Segments that the plan has left; null without a limit. */
  segmentsLeft: number | null
  mostWeekly: number
  /** Of the business: caps count its days. */
  timeZone: string
}

export type Judged = { channel: Way; address: string; reason: null } | { channel: null; reason: string }

const noAddress: Readonly<Record<Way, string>> = { sms: 'No mobile number on file', email: 'No e-mail on file' }

type Judging = { id: string; kind: AutomationKind; everyDays: number; channels: readonly Way[]; textEn: string }

/** Whether words name a visit: with several properties the day is said with its street, so that two of them do not read as one said twice. */
const namesVisit = (text: string): boolean =>
  holesIn(text).some((variable) => variable === 'next visit day' || variable === 'last visit day')

/** Whether a message some days ago is the same again. Another day of the same treatment is news, and so is a visit at another of their properties. */
const isTheSame = ({ id, kind, textEn }: Judging, about: About, one: Sent): boolean => {
  if (one.automationId !== id) return false
  const { timing, isOffer } = kinds[kind]
  if (timing === 'before' && one.subjectId === about.subjectId) return false
  const isElsewhere = one.propertyId !== null && about.propertyId !== null && one.propertyId !== about.propertyId
  return isOffer || !isElsewhere || !namesVisit(textEn)
}

/** Why a customer has had enough of these messages, or null. Days are those of the calendar: who had it on a Monday may have it on the next one. */
const capReason = (
  automation: Judging,
  about: About,
  { sent, mostWeekly, timeZone }: JudgeFacts,
  atMs: number,
): string | null => {
  const today = dayOf(atMs, timeZone)
  const within = (days: number) =>
    sent.filter((one) => one.atMs <= atMs && daysBetween(dayOf(one.atMs, timeZone), today) < days)
  const { everyDays } = automation
  if (within(everyDays).some((one) => isTheSame(automation, about, one)))
    return everyDays === 1 ? 'They had it that day' : `They had it less than ${everyDays} days ago`
  const week = within(7).length
  return week >= mostWeekly ? `They had ${week} automatic messages in 7 days, and ${mostWeekly} is the most` : null
}

/**
 * Whether a customer gets a message of an automation, and by which way: the first of its channels that is open to somebody of theirs. Live messages
 * and the dry run ask the same.
 * @param atMs when it would leave
 */
export const judge = (automation: Judging, about: About, facts: JudgeFacts, atMs: number): Judged => {
  if (facts.optedOut) return { channel: null, reason: 'Switched off for this customer' }
  if (facts.noRecipient !== null) return { channel: null, reason: facts.noRecipient }
  const cap = capReason(automation, about, facts, atMs)
  if (cap !== null) return { channel: null, reason: cap }
  const { isOffer } = kinds[automation.kind]
  const today = dayOf(atMs, facts.timeZone)
  const texts = [
    ...facts.sent.flatMap(({ channel, atMs: at }) => (channel === 'sms' ? [at] : [])),
    ...facts.otherTexts,
  ].filter((at) => at <= atMs && dayOf(at, facts.timeZone) === today).length
  const refusals: string[] = []
  for (const channel of automation.channels)
    for (const [n, ways] of facts.people.entries()) {
      const { address, shut, agreed } = ways[channel]
      const refusal =
        address === null
          ? noAddress[channel]
          : shut !== null
            ? shut
            : isOffer && !agreed
              ? `Never agreed to offers by ${channel === 'sms' ? 'text' : 'e-mail'}`
              : channel === 'sms' && facts.segmentsLeft !== null && facts.segmentsLeft <= 0
                ? 'The SMS segments of this month are used up'
                : channel === 'sms' && texts >= mostTextsADay
                  ? `They had ${texts} texts that day`
                  : null
      if (address !== null && refusal === null) return { channel, address, reason: null }
      // what is wrong with the first of them is said
      if (n === 0 && refusal !== null) refusals.push(refusal)
    }
  const none = Object.values(noAddress)
  return {
    channel: null,
    reason:
      refusals.length === 2 && refusals.every((one) => none.includes(one))
        ? 'No mobile number or e-mail on file'
        : refusals.join('. '),
  }
}

/** What a run is called, with what became of its message. */
export const runState = ({
  status,
  reason,
  message,
}: {
  status: RunStatus
  reason: string | null
  message: { status: MessageStatus; reason: string | null } | null
}): { label: string; tone: 'done' | 'wait' | 'late' | 'neutral'; why: string | null } => {
  if (status === 'waiting') return { label: 'Waits for your yes', tone: 'wait', why: reason }
  if (status === 'skipped') return { label: 'Not sent', tone: 'neutral', why: reason }
  if (status === 'dropped') return { label: 'Dropped', tone: 'neutral', why: reason }
  if (status === 'canceled') return { label: 'Canceled', tone: 'neutral', why: reason }
  switch (message?.status) {
    case 'delivered':
      return { label: 'Delivered', tone: 'done', why: null }
    case 'pending':
    case 'sending':
      return { label: 'On its way', tone: 'wait', why: null }
    case 'held':
      return { label: 'Held', tone: 'wait', why: message.reason }
    case 'suppressed':
      return { label: 'Not sent', tone: 'neutral', why: message.reason }
    case 'failed':
      return { label: 'Not delivered', tone: 'late', why: message.reason }
    case 'unknown':
      return { label: 'May not have arrived', tone: 'late', why: message.reason }
    default:
      return { label: 'Sent', tone: 'done', why: null }
  }
}

/** Why a message that waits cannot be decided on. */
const decided: Refusal<{ status: RunStatus }> = ({ status }) =>
  status === 'waiting' ? null : 'Somebody has decided on this one already, or what it was about has changed.'
export const runRefusals = { approve: decided, edit: decided, drop: decided }

type SwitchFacts = {
  kind: string
  archived: boolean
  channels: readonly Way[]
  subjectEn: string
  subjectEs: string
  textEs: string
  serviceIds: readonly string[]
  hasAddress: boolean
  isOffer: boolean
}

/** Why an automation cannot be switched on as it is. */
export const switchProblem = (facts: SwitchFacts): string | null => {
  if (facts.archived) return 'This automation was removed. Nothing was changed.'
  if (facts.channels.includes('email') && facts.subjectEn.trim() === '')
    return 'It goes by e-mail, too: write a subject first. Nothing was changed.'
  if (facts.channels.includes('email') && facts.textEs.trim() !== '' && facts.subjectEs.trim() === '')
    return 'It has Spanish words and goes by e-mail, too: write a Spanish subject first. Nothing was changed.'
  if (facts.kind === 'upsell' && facts.serviceIds.length === 0)
    return 'Choose the service that it offers first, so that nobody is offered what they have. Nothing was changed.'
  return facts.isOffer && facts.channels.includes('email') && !facts.hasAddress
    ? 'An offer by e-mail has to say where your business is: add its address under Profile, or send it by text only. Nothing was changed.'
    : null
}

/** What the variables say where nobody is meant: in a preview and in a test. */
export const sampleValues = (
  language: 'en' | 'es',
  business: { name: string; phone: string },
): Record<TemplateVariable, string> => ({
  'customer first name': 'Rebecca',
  'customer name': 'Rebecca Odom',
  'business name': business.name,
  'business phone': business.phone,
  'my name': business.name,
  'next visit day': language === 'es' ? 'martes, 9 de junio' : 'Tuesday, June 9',
  'next visit time': language === 'es' ? '9 AM a 11 AM' : '9 AM to 11 AM',
  'last visit day': language === 'es' ? 'martes, 2 de junio' : 'Tuesday, June 2',
  balance: '$120.00',
  'pay link': language === 'es' ? '(su enlace de pago)' : '(their link to pay)',
})

/** What stands in an automatic message; `{my name}` is the business, because nobody writes it by hand. */
export const automationVariables = templateVariables

/** The subject in a language; over Spanish words without one of their own that of the kind, never an English one. */
export const subjectFor = (
  automation: { kind: AutomationKind; subjectEn: string; subjectEs: string },
  language: 'en' | 'es',
): string =>
  language === 'es' ? automation.subjectEs.trim() || kinds[automation.kind].es.subject : automation.subjectEn

/** What a text costs as it would leave, with how to get no more where it is an offer. */
export const segmentsOf = (text: string): number => smsSegments(text).segments

/** Why people got nothing, each reason once, the most frequent first. */
export const countReasons = (reasons: readonly string[]): { reason: string; count: number }[] =>
  [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, all]) => ({ reason, count: all.length }))
    .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason))

/** "41 messages: 29 texts, 12 e-mails", whichever there are. */
export const wouldWords = ({ texts, mails }: { texts: number; mails: number }): string => {
  const ways = [texts > 0 ? counted(texts, 'text') : '', mails > 0 ? counted(mails, 'e-mail') : ''].filter(Boolean)
  return `${counted(texts + mails, 'message')}: ${ways.join(', ')}`
}
