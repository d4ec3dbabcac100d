import { stopWords } from '../../messages/rules.ts'

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

/** What who was not answered reads: the owner's words, with the way out where they do not name it. */
export const missedText = (words: string, language: 'en' | 'es'): string => {
  // "We will stop by" is no way out
  if (/\bSTOP\b/.test(words)) return words
  return `${words} ${stopWords[language]}`
}

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
