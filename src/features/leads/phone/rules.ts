import { readPhone } from '../../../shared/phone.ts'
import { wireText } from '../../../shared/wire-text.ts'

export const usualTexts = {
  en: 'Sorry we missed your call! Text us what you need and we will get right back to you.',
  es: 'Sentimos no poder contestar. Escribanos que necesita y le respondemos pronto.',
} as const

const answeredWords = new Set(['completed', 'answered'])

/**
 * Whether somebody took a call, by the words of the provider.
 * @param status `DialCallStatus`: completed, answered, busy, no-answer, failed, canceled
 * @param bridged `DialBridged`: "false" where it was picked up and never put through, as by a mailbox that presses no key
 */
export const wasTaken = (status: string, bridged: string | null): boolean =>
  answeredWords.has(status) && bridged !== 'false'

/**
 * What who was not answered reads: the business by its name, for they have not heard of this number, and the owner's words.
 * @param stop how to get no more, where they were never texted; left out where the owner's words name it
 */
export const missedText = (words: string, businessName: string, stop: string): string => {
  const names = words.toLowerCase().includes(businessName.toLowerCase())
  // "We will stop by" is no way out
  return `${names ? '' : `${businessName}: `}${words}${/\bSTOP\b/.test(words) ? '' : stop}`
}

/** So many texts go back to missed callers of one business in 24 hours; more is no day of a lawn-care business but somebody who dials for money. */
export const mostTextsBack = 60
/** One number gets one text in so many hours, however often it calls. */
export const hoursBetweenTexts = 24

/** What a provider writes in place of a number that is hidden: words, and the numbers that their letters make on a keypad. */
const hidden =
  /^(\+?(266696687|7378742833|2562533|8566696|8656696|86282452253)|anonymous|restricted|blocked|unknown|unavailable|private|)$/i

/** Who calls: their number, what stands in its place, or nothing where it is hidden. */
export type Caller =
  | { kind: 'number'; phone: string; textable: boolean }
  /** A short code, an extension, an address of the internet: no number that one can call. */
  | { kind: 'other'; shown: string }
  | { kind: 'hidden' }

/** Who calls, by what a provider says of them. */
export const callerOf = (from: string): Caller => {
  const said = from.trim().replace(/^sips?:([^@]*)@.*$/i, '$1')
  if (hidden.test(said)) return { kind: 'hidden' }
  const phone = readPhone(said)
  return phone ? { kind: 'number', phone, textable: isTextable(phone) } : { kind: 'other', shown: wireText(said, 40) }
}

/** Areas of +1 in which no text of ours is welcome: other countries, which cost as abroad, what nobody reads, and what costs the sender. */
const noTexts = new Set(
  [
    // the Caribbean and Bermuda
    '242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876',
    // toll-free, premium, and numbers of no place
    '800 822 833 844 855 866 877 880 881 882 883 884 885 886 887 888 889 900 456 600 622 633 700 710',
    '500 521 522 523 524 525 526 527 528 529 532 533 535 538 542 543 544 545 546 547 549 550 552 553 554 556 566 569 577 578 588 589',
  ].flatMap((areas) => areas.split(' ')),
)

/** Whether a text may go to who called: a number of the United States, its territories or Canada that a person may read. */
export const isTextable = (phone: string): boolean =>
  /^\+1[2-9]\d\d[2-9]\d{6}$/.test(phone) && !noTexts.has(phone.slice(2, 5)) && !/^\+1...(976|.11)/.test(phone)

/** Whether two numbers would ring each other for ever. */
export const ringsItself = (ways: { callNumber: string | null; forwardTo: string | null }): boolean =>
  ways.forwardTo !== null && ways.forwardTo === ways.callNumber

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const response = (inner: string): string => `<?xml version="1.0" encoding="UTF-8"?><Response>${inner}</Response>`

/** Lets the phone ring; how it ended comes to `endedUrl`. */
export const dialXml = (call: { to: string; seconds: number; endedUrl: string; takenUrl: string | null }): string =>
  response(
    `<Dial timeout="${call.seconds}" answerOnBridge="true" action="${escaped(call.endedUrl)}"><Number${
      call.takenUrl ? ` url="${escaped(call.takenUrl)}"` : ''
    }>${escaped(call.to)}</Number></Dial>`,
  )

/** Asks whoever picked up for a key; who presses none is a mailbox and is hung up on. */
export const keyXml = (businessName: string, takenUrl: string): string =>
  response(
    `<Gather numDigits="1" timeout="8" action="${escaped(takenUrl)}"><Say>A call for ${escaped(
      businessName,
    )}. Press any key to take it.</Say></Gather><Hangup/>`,
  )

export const throughXml = (): string => response('')

/** What a caller hears at the end of a call that nobody took. */
export const sorryXml = (words: { en: string; es: string | null }): string =>
  response(
    `<Say>${escaped(words.en)}</Say>${words.es ? `<Say language="es-US">${escaped(words.es)}</Say>` : ''}<Hangup/>`,
  )
