import type { Refusal } from '../../../shared/can.ts'
import { type Day, formatDay, formatMinute, formatTime } from '../../../shared/dates.ts'

/** What rain may move, how full a day may get, and how long it can be taken back. */

/** A day may be this full, in percent of its shift, before what is left is named as too much. */
export const fullestPercent = 105

/** Seconds on the clock until which a crew may work on a day that takes in rained-off stops. */
export const latestEnd = ({ start, end }: { start: number; end: number }): number =>
  end + Math.round(((end - start) * (fullestPercent - 100)) / 100)

/** Why a stop stays on its day unless somebody ticks it, or null. */
export const heldReason = (visit: {
  pinned: boolean
  locked: boolean
  windowStartMinute: number | null
  windowEndMinute: number | null
}): string | null => {
  const { windowStartMinute: from, windowEndMinute: to } = visit
  if (from !== null || to !== null)
    return from !== null && to !== null
      ? `Promised ${formatMinute(from)} to ${formatMinute(to)}.`
      : `Promised ${from !== null ? `from ${formatMinute(from)}` : `by ${formatMinute(to ?? 0)}`}.`
  return visit.pinned ? 'Pinned by hand.' : visit.locked ? 'Was put on its day by hand.' : null
}

/** Customers plan by what they were told: after this a push is not taken back as a whole. */
export const undoMinutes = 60
/** Messages of a push wait so long, so that Undo recalls them. */
export const recallMinutes = 5

/** Until when a push is taken back. */
export const undoUntil = (madeAt: string): string => new Date(Date.parse(madeAt) + undoMinutes * 60_000).toISOString()

/** Why a rain push is not taken back any more. */
export const rainUndoRefusal: Refusal<{ madeAt: string; nowMs: number; begun: string | null }> = ({
  madeAt,
  nowMs,
  begun,
}) =>
  nowMs > Date.parse(undoUntil(madeAt))
    ? `A rain push is taken back within ${undoMinutes} minutes, and this one is older: customers plan by it now. Nothing was changed; move stops one by one.`
    : begun !== null
      ? `${begun} has begun since, so the push is not taken back. Nothing was changed; move what is left one by one.`
      : null

export type Moved = { street: string; from: Day; to: Day | null; skipped: boolean }
export type RainLanguage = 'en' | 'es'

const dayIn = (day: Day, language: RainLanguage): string =>
  language === 'en'
    ? formatDay(day)
    : new Intl.DateTimeFormat('es-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      )

const said = {
  en: {
    moved: (m: Moved, from: string, to: string) => `your visit at ${m.street} moves from ${from} to ${to}`,
    skipped: (m: Moved, from: string) => `we skip the visit at ${m.street} on ${from}; your next one stays as it is`,
    open: (m: Moved, from: string) => `we cannot come to ${m.street} on ${from}; we will tell you the new day`,
    because: 'Because of rain',
    end: 'You need not do anything.',
  },
  es: {
    moved: (m: Moved, from: string, to: string) => `su visita en ${m.street} pasa del ${from} al ${to}`,
    skipped: (m: Moved, from: string) => `no haremos la visita en ${m.street} del ${from}; la siguiente sigue igual`,
    open: (m: Moved, from: string) => `no podemos ir a ${m.street} el ${from}; le avisaremos el nuevo día`,
    because: 'Por la lluvia',
    end: 'No tiene que hacer nada.',
  },
} as const

/** What became of the messages of a push that was taken back; null when there were none. */
export const recallWords = ({ recalled, told }: { recalled: number; told: readonly string[] }): string | null => {
  const back = recalled > 0 ? `${recalled} ${recalled === 1 ? 'message was' : 'messages were'} recalled` : null
  const [first, second, ...more] = told
  const names = [first, second, more.length > 0 ? `${more.length} more` : undefined].filter(Boolean).join(', ')
  const left = told.length > 0 ? `Told already, so tell them again: ${names}` : null
  return [back, left].filter(Boolean).join('. ') || null
}

/** "12 by text, 3 by e-mail" */
export const tellsWords = ({ texts, emails }: { texts: number; emails: number }): string =>
  [texts > 0 ? `${texts} by text` : null, emails > 0 ? `${emails} by e-mail` : null].filter(Boolean).join(', ')

/** When the messages of a push leave: e-mails after a while in which it is taken back, texts not in the quiet hours either. */
export const leaveWords = (
  { texts, emails, quietUntil }: { texts: number; emails: number; quietUntil: string | null },
  timeZone: string,
): string | null => {
  if (texts + emails === 0) return null
  if (quietUntil === null || texts === 0) return `Messages leave in ${recallMinutes} minutes`
  const later = `texts wait until ${formatTime(quietUntil, timeZone)}`
  return emails > 0
    ? `E-mails leave in ${recallMinutes} minutes, ${later}`
    : `${later[0]?.toUpperCase()}${later.slice(1)}`
}

/** What a customer is told of all their visits that rain moves, as one text. */
export const rainMessage = (businessName: string, moves: readonly Moved[], language: RainLanguage): string => {
  const words = said[language]
  const lines = moves.map((m) => {
    const from = dayIn(m.from, language)
    return m.skipped
      ? words.skipped(m, from)
      : m.to === null
        ? words.open(m, from)
        : words.moved(m, from, dayIn(m.to, language))
  })
  return `${businessName}: ${words.because}, ${lines.join('; ')}. ${words.end}`
}

export const rainSubject = (businessName: string, language: RainLanguage): string =>
  language === 'en' ? `${businessName}: rain moves your visit` : `${businessName}: la lluvia cambia su visita`
