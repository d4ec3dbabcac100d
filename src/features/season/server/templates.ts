import { paragraph, type WrittenLetter, writeLetter } from '../../../platform/mail/letter.ts'
import { type Day, formatDay, weekdayNames, weekdayOf } from '../../../shared/dates.ts'
import { nthWord } from '../../jobs/wording/rules.ts'

/** What customers read who get another day. */

export type Language = 'en' | 'es'

/** One lawn that moved: its old weekday, the new one, how often it comes and its first new day, as far as that stands. */
export type MovedLawn = {
  street: string
  /** Which work it is, in the language of the letter, where other work comes to the same address; else null. */
  work: string | null
  fromDay: number
  toDay: number
  everyWeeks: number
  /** The first ... last (-1) of its weekday in a month, where it comes so. */
  nth: number | null
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

const spanishNth: Record<number, string> = { 1: 'primer', 2: 'segundo', 3: 'tercer', 4: 'cuarto', 5: 'quinto' }

/** "every other Tuesday", "the third Tuesday of each month". */
const oftenText = ({ everyWeeks, nth }: MovedLawn, day: number, language: Language): string => {
  const often = every[language][everyWeeks] ?? every[language][1]
  if (language === 'es')
    return nth === null ? `${often} ${spanish[day]}` : `el ${spanishNth[nth] ?? 'último'} ${spanish[day]} de cada mes`
  return nth === null ? `${often} ${weekdayNames[day]}` : `the ${nthWord(nth)} ${weekdayNames[day]} of each month`
}

/** The day that it had, behind "instead of". */
const oldText = ({ nth, fromDay }: MovedLawn, language: Language): string =>
  language === 'es'
    ? `${nth === null ? '' : `${spanishNth[nth] ?? 'último'} `}${spanish[fromDay]}`
    : `${nth === null ? '' : `the ${nthWord(nth)} `}${weekdayNames[fromDay]}`

/** "110 Palmetto Gate (Mowing)". */
const placeText = ({ street, work }: MovedLawn): string => (work === null ? street : `${street} (${work})`)

const lawnText = (lawn: MovedLawn, language: Language): string => {
  const { toDay, firstOn, newDay } = lawn
  const street = placeText(lawn)
  const often = oftenText(lawn, toDay, language)
  if (language === 'es') {
    const first = firstOn ? `, a partir del ${dayIn(firstOn, 'es')}` : ''
    return newDay
      ? `${street}: ${often} en lugar del ${oldText(lawn, 'es')}${first}`
      : `${street}: ${often}, pero en la otra semana${first}`
  }
  const first = firstOn ? `, starting ${dayIn(firstOn, 'en')}` : ''
  return newDay
    ? `${street}: ${often} instead of ${oldText(lawn, 'en')}${first}`
    : `${street}: still ${often}, in the other week${first}`
}

/** A lawn that stays as it was after all. */
const stayText = (lawn: MovedLawn, language: Language): string =>
  `${placeText(lawn)}: ${oftenText(lawn, lawn.fromDay, language)}${language === 'es' ? ', como antes' : ', as before'}`

/** The same words by text, by mail and on paper: that lawns moved, or that they stay although they were told to move. */
export const letterText = (
  kind: 'moves' | 'stays',
  business: string,
  lawns: readonly MovedLawn[],
  language: Language,
): string => {
  const shown = lawns
    .slice(0, 6)
    .map((lawn) => (kind === 'moves' ? lawnText(lawn, language) : stayText(lawn, language)))
    .join('; ')
  const more =
    lawns.length > 6 ? `${language === 'es' ? ` y ${lawns.length - 6} más` : ` and ${lawns.length - 6} more`}` : ''
  if (kind === 'stays')
    return language === 'es'
      ? `${business}: su día de servicio no cambia; no tenga en cuenta nuestro aviso anterior. ${shown}${more}.`
      : `${business}: your service day stays after all; please disregard our last note. ${shown}${more}.`
  return language === 'es'
    ? `${business}: su día de servicio cambia. ${shown}${more}. Si este día no le conviene, avísenos, por favor.`
    : `${business}: your service day changes. ${shown}${more}. If that day does not work for you, please tell us.`
}

export const subjectOf = (kind: 'moves' | 'stays', business: string, language: Language): string =>
  kind === 'moves'
    ? language === 'es'
      ? `${business}: su nuevo día de servicio`
      : `${business}: your new service day`
    : language === 'es'
      ? `${business}: su día de servicio no cambia`
      : `${business}: your service day stays`

/** The notice as a mail. */
export const moveLetter = (
  business: { name: string; brandColor: string | null },
  { text, subject, language }: { text: string; subject: string; language: Language },
): WrittenLetter & { subject: string } => ({
  subject,
  ...writeLetter({
    language,
    from: business.name,
    brandColor: business.brandColor ?? undefined,
    title: subject,
    parts: [paragraph(text)],
  }),
})

/** The first day of a lawn is on its new weekday, or it is the visit of a holiday: then it is not named. */
export const namedFirst = (day: Day | null, toDay: number): Day | null =>
  day !== null && weekdayOf(day) === toDay ? day : null
