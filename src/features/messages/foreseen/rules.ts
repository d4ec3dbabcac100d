import { type Channel, smsSegments } from '../rules.ts'

/** What would have left by itself in a span of the past, and what would not: how a part of the product answers a dry run of what it sends. */

type WouldLeave = {
  customerId: string
  /** When its turn would have come; quiet hours of the one it is for come on top. */
  dueAt: string
  channel: Channel
  /** Of a mail. */
  subject: string | null
  text: string
  /** Of a text. */
  segments: number
}
type WouldNot = { customerId: string; dueAt: string; reason: string }

export type Foreseen = {
  sent: WouldLeave[]
  notSent: WouldNot[]
  /** More began it than are looked at: the newest were. */
  tooMany: boolean
  /** What is taken for so and is not, as a sentence: it is off, say. */
  assumes: string | null
}

/** Stands where each customer has a link of their own, and is as long: looking makes no link, and a text counts as it would. */
export const standInToken = 'x'.repeat(43)
const theirLink = { en: '(their link)', es: '(su enlace)' } as const

/** Words with the address of a stand-in, as somebody reads them who only looks. */
const shown = (text: string, url: string, language: keyof typeof theirLink): string =>
  text.replaceAll(url, theirLink[language]).trim()

/** A message as it would leave. @param url the stand-in's address in it */
export const foreseen = (
  about: { customerId: string; dueAt: string; language: keyof typeof theirLink; url: string },
  words: { channel: 'sms'; text: string } | { channel: 'email'; subject: string; text: string },
): WouldLeave => ({
  customerId: about.customerId,
  dueAt: about.dueAt,
  channel: words.channel,
  subject: words.channel === 'email' ? words.subject : null,
  text: shown(words.text, about.url, about.language),
  segments: words.channel === 'sms' ? smsSegments(words.text).segments : 0,
})
