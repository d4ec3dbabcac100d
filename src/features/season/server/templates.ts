import { paragraph, type WrittenLetter, writeLetter } from '../../../platform/mail/letter.ts'
import { type Day, formatDay, weekdayOf } from '../../../shared/dates.ts'
import { weekdays } from '../rules.ts'

/** What customers read who get another day. */

export type Language = 'en' | 'es'

/** One lawn that moved: its old weekday, the new one, how often it comes and its first new day, as far as that stands. */
export type MovedLawn = {
  street: string
  fromDay: number
  toDay: number
  everyWeeks: number
  firstOn: Day | null
  newDay: boolean
}

const spanish = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'] as const
const every: Record<Language, Record<number, string>> = {
  en: { 1: 'every', 2: 'every other', 3: 'every third', 4: 'every fourth' },
  es: { 1: 'cada', 2: 'cada segundo', 3: 'cada tercer', 4: 'cada cuarto' },
}

const dayIn = (day: Day, language: Language): string =>
  language === 'en'
    ? formatDay(day, { long: true })
    : new Intl.DateTimeFormat('es-US', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      )

const lawnText = ({ street, fromDay, toDay, everyWeeks, firstOn, newDay }: MovedLawn, language: Language): string => {
  const often = every[language][everyWeeks] ?? every[language][1]
  if (language === 'es') {
    const first = firstOn ? `, a partir del ${dayIn(firstOn, 'es')}` : ''
    return newDay
      ? `${street}: ${often} ${spanish[toDay]} en lugar del ${spanish[fromDay]}${first}`
      : `${street}: ${often} ${spanish[toDay]}, pero en la otra semana${first}`
  }
  const first = firstOn ? `, starting ${dayIn(firstOn, 'en')}` : ''
  return newDay
    ? `${street}: ${often} ${weekdays[toDay]} instead of ${weekdays[fromDay]}${first}`
    : `${street}: still ${often} ${weekdays[toDay]}, in the other week${first}`
}

/** The same words by text, by mail and on paper. */
export const moveNotice = (business: string, lawns: readonly MovedLawn[], language: Language): string => {
  const shown = lawns.slice(0, 6).map((lawn) => lawnText(lawn, language))
  const more = lawns.length - shown.length
  return language === 'es'
    ? `${business}: su día de servicio cambia. ${shown.join('; ')}${more > 0 ? ` y ${more} más` : ''}. Si este día no le conviene, avísenos, por favor.`
    : `${business}: your service day changes. ${shown.join('; ')}${more > 0 ? ` and ${more} more` : ''}. If that day does not work for you, please tell us.`
}

export const moveSubject = (business: string, language: Language): string =>
  language === 'es' ? `${business}: su nuevo día de servicio` : `${business}: your new service day`

/** The notice as a mail. */
export const moveLetter = (
  business: { name: string; brandColor: string | null },
  text: string,
  language: Language,
): WrittenLetter & { subject: string } => {
  const subject = moveSubject(business.name, language)
  return {
    subject,
    ...writeLetter({
      language,
      from: business.name,
      brandColor: business.brandColor ?? undefined,
      title: subject,
      parts: [paragraph(text)],
    }),
  }
}

/** The first day of a lawn is on its new weekday, or it is the visit of a holiday: then it is not named. */
export const namedFirst = (day: Day | null, toDay: number): Day | null =>
  day !== null && weekdayOf(day) === toDay ? day : null
