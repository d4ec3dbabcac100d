/** What somebody typed on while what they wrote before was on its way, or while what they chose was fetched. */

import { mostCharacters } from '../rules.ts'

type Span = { from: number; to: number }

/** What is left to write after `sent` left: what was typed on behind it. What was changed within stays whole, because nobody knows what of it left. */
export const restAfter = (now: string, sent: string): string =>
  now.startsWith(sent) ? now.slice(sent.length).trimStart() : now

/** Where a span of a text stands in what has become of it. What it chose is replaced only while it is there. */
export const spanIn = (now: string, before: string, { from, to }: Span): Span => {
  // at the end is still at the end
  if (from === to && to === before.length) return { from: now.length, to: now.length }
  if (now.startsWith(before.slice(0, to))) return { from, to }
  const moved = now.length - before.length
  if (now.endsWith(before.slice(from))) return { from: from + moved, to: to + moved }
  const at = Math.min(to, now.length)
  return { from: at, to: at }
}

/** Why a text cannot be sent for its length, or null. */
export const tooLong = (text: string): string | null => {
  const over = text.trim().length - mostCharacters
  return over > 0
    ? `${over === 1 ? '1 character' : `${over} characters`} too many to send. Shorten it, or send it as an e-mail.`
    : null
}

/** The later of two messages by their ids (UUIDv7); undefined where no thread is known. */
export const laterId = (a: string | null | undefined, b: string | null): string | null | undefined =>
  a === undefined ? undefined : a === null ? b : b !== null && b > a ? b : a
