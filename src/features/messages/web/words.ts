import { formatDay, formatTime } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { Message } from '../contract.ts'
import { smsSegments } from '../rules.ts'

export type Tone = 'plain' | 'wait' | 'bad' | 'good'

/** Where a message is, in a few words. */
export const statusOf = (
  message: Pick<Message, 'status' | 'runAfter' | 'direction'>,
  timeZone: string,
): { words: string; tone: Tone } => {
  switch (message.status) {
    case 'received':
      return { words: 'Received', tone: 'plain' }
    case 'delivered':
      return { words: 'Delivered', tone: 'good' }
    case 'sent':
      return { words: 'Sent', tone: 'plain' }
    case 'held':
      return {
        words: message.runAfter ? `Leaves at ${formatTime(message.runAfter, timeZone)}` : 'Waits',
        tone: 'wait',
      }
    case 'failed':
      return { words: 'Not delivered', tone: 'bad' }
    case 'suppressed':
      return { words: 'Not sent', tone: 'bad' }
    case 'unknown':
      return { words: 'May not have arrived', tone: 'bad' }
    default:
      return { words: 'On its way', tone: 'wait' }
  }
}

/** "912 555-0123" of a number, the address itself of a mail. */
export const addressWords = (address: string): string => formatPhone(address)

/** "10:15 AM" today, else the day. */
export const whenWords = (at: string, today: string, dayAt: string, timeZone: string): string =>
  dayAt === today ? formatTime(at, timeZone) : formatDay(dayAt)

/** Characters that make a text cost more, each once. */
export const costlyCharacters = (text: string): string[] => [
  ...new Set([...text].filter((character) => !smsSegments(character).plain)),
]

export type TextPart = { text: string; href: string | null }

/** A text cut at its addresses, so that they can be links. A full stop after one is not part of it. */
export const linkParts = (text: string): TextPart[] => {
  const parts: TextPart[] = []
  let rest = 0
  for (const match of text.matchAll(/https?:\/\/[^\s<>"]+/g)) {
    const href = match[0].replace(/[.,;:!?)]+$/, '')
    if (match.index > rest) parts.push({ text: text.slice(rest, match.index), href: null })
    parts.push({ text: href, href })
    rest = match.index + href.length
  }
  if (rest < text.length) parts.push({ text: text.slice(rest), href: null })
  return parts
}
