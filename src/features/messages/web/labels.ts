import { formatDay, formatTime } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { MessageChannel } from '../rules.ts'

/** What something was written by. */
export const channelLabel = (channel: MessageChannel | 'note'): string =>
  ({ email: 'E-mail', sms: 'Text', portal: 'Portal', note: 'Internal note' })[channel]

/** "912 555-0123" of a number, the address itself of a mail. */
export const addressLabel = (address: string): string => formatPhone(address)

/** "10:15 AM" today, else the day. */
export const whenLabel = (at: string, today: string, dayAt: string, timeZone: string): string =>
  dayAt === today ? formatTime(at, timeZone) : formatDay(dayAt)

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
