import type { Refusal } from '../../shared/can.ts'
import { counted } from '../../shared/counted.ts'
import { greetingOf } from '../../shared/names.ts'
import { formatPhone } from '../../shared/phone.ts'
import { asSms, fillText } from '../businesses/notices/rules.ts'
import { smsSegments, stopWords } from '../messages/rules.ts'

/** More people at once want a campaign: who agreed, what it costs, and when it leaves are looked at more closely there. */
export const mostChosen = 500
/** So long nothing leaves, so that taking it back is in time. */
export const undoMinutes = 1
/** Two parts of a plain text. */
export const mostCharacters = 300

export const ways = ['best', 'sms', 'email'] as const
export type Way = (typeof ways)[number]
/** What it is about decides who may get it: news of their service goes to everybody, an offer to who agreed to offers. */
export const abouts = ['service', 'offer'] as const
export type About = (typeof abouts)[number]

export const variables = ['name', 'business', 'phone'] as const

type Address = { address: string | null; closed: string | null; agreed: boolean }
export type Reached = { channel: 'sms' | 'email'; address: string } | { channel: null; reason: string }

const noAddress = { sms: 'No mobile number on file', email: 'No e-mail on file' } as const

/** How one customer is reached, or why not: by text, else by mail, unless one of them was asked for. */
export const reachedBy = (way: Way, about: About, of: { sms: Address; email: Address }): Reached => {
  const wanted = way === 'best' ? (['sms', 'email'] as const) : ([way] as const)
  const refusals: string[] = []
  for (const channel of wanted) {
    const { address, closed, agreed } = of[channel]
    if (address === null) refusals.push(noAddress[channel])
    else if (closed !== null) refusals.push(closed)
    else if (about === 'offer' && !agreed) refusals.push('Never agreed to offers')
    else return { channel, address }
  }
  const told = refusals.filter((reason) => !(Object.values(noAddress) as string[]).includes(reason))
  return {
    channel: null,
    reason: told[0] ?? (way === 'best' ? 'No mobile number or e-mail on file' : (refusals[0] ?? 'Not reached')),
  }
}

export const valuesFor = (
  customer: { name: string; company: string | null },
  business: { name: string; phone: string | null },
): Record<(typeof variables)[number], string> => ({
  name: greetingOf(customer),
  business: business.name,
  phone: business.phone ? formatPhone(business.phone) : '',
})

/** The words for a customer: Spanish for who reads Spanish, where it was written. */
export const wordsFor = (
  language: 'en' | 'es',
  text: { en: string; es: string },
): { language: 'en' | 'es'; text: string } =>
  language === 'es' && text.es !== '' ? { language: 'es', text: text.es } : { language: 'en', text: text.en }

/** A text as it leaves: plain characters, and how to get no more where the law wants it. */
export const smsFor = (
  person: { name: string; company: string | null; language: 'en' | 'es' },
  business: { name: string; phone: string | null },
  words: { en: string; es: string },
  tellsStop: boolean,
): string => {
  const { language, text } = wordsFor(person.language, words)
  return `${asSms(fillText(text, valuesFor(person, business)))}${tellsStop ? ` ${stopWords[language]}` : ''}`
}

/** What a plan counts for a text. */
export const segmentsOf = (text: string): number => smsSegments(text).segments

type MailingFacts = { waiting: number; onTheWay: number; stoppedAt: string | null }

/** Whether anything of it can still be kept back. */
export const mailingRefusals: Record<'stop', Refusal<MailingFacts>> = {
  stop: ({ waiting, onTheWay, stoppedAt }) =>
    stoppedAt !== null
      ? 'It was stopped already.'
      : waiting + onTheWay === 0
        ? 'All of it has left already. Nothing can be stopped.'
        : null,
}

/** Braces that mean nothing, so that nobody reads them: `{nme}`. */
export const unknownVariables = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]*)\}/g)]
    .map(([whole, name]) => ({ whole, name: (name ?? '').trim() }))
    .filter(({ name }) => !(variables as readonly string[]).includes(name))
    .map(({ whole }) => whole)

/** What is wrong with braces, as a sentence; null where nothing is. */
export const bracesProblem = (text: string): string | null => {
  const unknown = unknownVariables(text)
  if (unknown.length === 0) return null
  return `${unknown.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} not known. Use {name}, {business} or {phone}.`
}

/** What becomes of it, in words: "38 texts and 4 e-mails". */
export const countWords = ({ texts, mails }: { texts: number; mails: number }): string =>
  [texts > 0 ? counted(texts, 'text', 'texts') : '', mails > 0 ? counted(mails, 'e-mail', 'e-mails') : '']
    .filter(Boolean)
    .join(' and ') || 'Nothing'
