import { addDays, type Day, formatDay } from '../../shared/dates.ts'
import type { Language } from '../businesses/notices/rules.ts'

/** What customers are told of their visits: arrival windows, days and times in their words, what a move is called. */

/** Until enough visits are known, an arrival may be so many minutes from its plan. */
export const usualErrorMinutes = 120
/** From so many starts on the business's own error counts. */
export const fewestStarts = 20
const stepMinutes = 30

export type Window = { from: number; to: number }

/**
 * When a crew is expected: the planned start and what visits of this business are off by, rounded outward to half hours, so never narrower than
 * the error that was measured. Minutes after midnight, within the day.
 */
export const arrivalWindow = (startMinute: number, errorMinutes: number | null): Window => {
  const error = errorMinutes ?? usualErrorMinutes
  const from = Math.floor((startMinute - error) / stepMinutes) * stepMinutes
  const to = Math.ceil((startMinute + error) / stepMinutes) * stepMinutes
  return { from: Math.max(0, from), to: Math.min(1440, Math.max(to, from + stepMinutes)) }
}

/**
 * The same on the day itself, from how late the crew is by now. What has passed is left off; a crew that has not come yet comes at the earliest now.
 */
export const liveWindow = (
  startMinute: number,
  errorMinutes: number | null,
  { lateMinutes, nowMinute }: { lateMinutes: number; nowMinute: number },
): Window => {
  const { from, to } = arrivalWindow(Math.max(startMinute + lateMinutes, nowMinute), errorMinutes)
  const now = Math.floor(nowMinute / stepMinutes) * stepMinutes
  return { from: Math.min(Math.max(from, now), 1440 - stepMinutes), to }
}

/** "9 AM", "9:30 AM" */
export const clockWords = (minute: number): string => {
  const hour = Math.floor(minute / 60) % 24
  const rest = minute % 60
  return `${hour % 12 === 0 ? 12 : hour % 12}${rest ? `:${String(rest).padStart(2, '0')}` : ''} ${hour < 12 ? 'AM' : 'PM'}`
}

export const windowWords = ({ from, to }: Window, language: Language): string =>
  `${clockWords(from)} ${language === 'es' ? 'a' : 'to'} ${clockWords(to)}`

/** "Tue, Jun 9", "mar, 9 jun" */
export const dayWords = (day: Day, language: Language, long = false): string =>
  language === 'en'
    ? formatDay(day, { long })
    : new Intl.DateTimeFormat('es-US', {
        weekday: long ? 'long' : 'short',
        month: long ? 'long' : 'short',
        day: 'numeric',
        timeZone: 'UTC',
      }).format(new Date(`${day}T00:00:00Z`))

/** One visit that is elsewhere than its customer was told. */
export type Stray = { told: Day | null; now: Day | null; canceled: boolean }

const movedWords = {
  en: {
    to: (from: string, to: string) => `your visit of ${from} is now on ${to}`,
    set: (to: string) => `your visit is now on ${to}`,
    off: (from: string) => `we cannot come on ${from}; we will tell you the new day`,
    canceled: (from: string) => `your visit of ${from} is canceled`,
  },
  es: {
    to: (from: string, to: string) => `su visita del ${from} ahora es el ${to}`,
    set: (to: string) => `su visita ahora es el ${to}`,
    off: (from: string) => `no podemos ir el ${from}; le avisaremos el nuevo dia`,
    canceled: (from: string) => `su visita del ${from} fue cancelada`,
  },
} as const

/** Moves as one sentence for a customer. */
export const changesWords = (strays: readonly Stray[], language: Language): string => {
  const words = movedWords[language]
  const said = strays.map(({ told, now, canceled }) => {
    const from = told && dayWords(told, language)
    const to = now && dayWords(now, language)
    if (canceled) return words.canceled(from ?? '')
    if (to) return from ? words.to(from, to) : words.set(to)
    return words.off(from ?? '')
  })
  return [...new Set(said)].join('; ')
}

/** A link shows a visit for so many days after it. */
export const linkDays = 5

export const linkIsOver = (last: Day, today: Day): boolean => addDays(last, linkDays) < today

/**
 * Whether a notice of a move may go now: one a customer and day, unless what is told is about today or tomorrow and the next morning is too late.
 */
export const mayTellMoveNow = (
  strays: readonly Stray[],
  { today, toldToday }: { today: Day; toldToday: boolean },
): boolean =>
  !toldToday ||
  strays.some(
    ({ told, now }) => (told !== null && told <= addDays(today, 1)) || (now !== null && now <= addDays(today, 1)),
  )
