import { formatCents } from '../../../shared/money.ts'
import { clockWords, dayWords, type Window } from '../../notices/rules.ts'
import { roughMinutes } from '../rules.ts'

type Language = 'en' | 'es'

const spanishHour = (words: string): string => `${/^1(:|\b)/.test(words) ? 'la' : 'las'} ${words}`

/** "between 8 and 10 AM", "entre las 11 AM y la 1 PM" */
const between = ({ from, to }: Window, language: Language): string => {
  const [first, last] = [clockWords(from), clockWords(to)]
  const short = first.slice(-2) === last.slice(-2) ? first.slice(0, -3) : first
  return language === 'en' ? `between ${short} and ${last}` : `entre ${spanishHour(short)} y ${spanishHour(last)}`
}

export type NextVisit = {
  day: string
  isToday: boolean
  /** stopped: begun, and nobody is there now. */
  status: 'waits' | 'on the way' | 'there' | 'stopped'
  window: Window | null
  lateMinutes: number | null
  /** Only where their customer has more than one property. */
  street: string | null
}

/** What is said of the next visit; null where nothing is certain. */
export const nextVisitWords = ({ status, isToday, street, ...visit }: NextVisit, language: Language): string | null => {
  const when = visit.window ? `, ${between(visit.window, language)}` : ''
  const en = language === 'en'
  if (status === 'stopped') return null
  if (status === 'there')
    return en
      ? `Our crew is at ${street ?? 'your property'} right now.`
      : `Nuestro equipo está en ${street ?? 'su propiedad'} ahora mismo.`
  if (status === 'on the way')
    return en
      ? `Our crew is on the way to ${street ?? 'you'} now.`
      : `Nuestro equipo ya va en camino${street ? ` a ${street}` : ''}.`
  if (isToday)
    return en
      ? `We come${street ? ` to ${street}` : ''} today${when}.`
      : `Vamos hoy${street ? ` a ${street}` : ''}${when}.`
  const day = dayWords(visit.day, language, true)
  return en
    ? `Your next visit${street ? ` at ${street}` : ''} is ${day}${when}.`
    : `Su próxima visita${street ? ` en ${street}` : ''} es el ${day}${when}.`
}

/** Said to who asks for it where nothing is on the calendar. */
export const noVisitWords = (language: Language): string =>
  language === 'en'
    ? 'You have no visit on our schedule right now. Would you like one?'
    : 'Ahora no tiene ninguna visita en nuestra agenda. ¿Quiere una?'

export const lateWords = (
  lateMinutes: number,
  { window, street }: Pick<NextVisit, 'window' | 'street'>,
  language: Language,
): string => {
  const minutes = roughMinutes(lateMinutes)
  const rest = window
    ? language === 'en'
      ? ` We expect to be ${street ? `at ${street}` : 'there'} ${between(window, language)}.`
      : ` Esperamos llegar${street ? ` a ${street}` : ''} ${between(window, language)}.`
    : ''
  return language === 'en'
    ? `We are running about ${minutes} minutes late today.${rest}`
    : `Hoy vamos con unos ${minutes} minutos de retraso.${rest}`
}

export const balanceWords = (cents: number, language: Language): string => {
  if (cents <= 0)
    return language === 'en'
      ? 'You have no open invoices. Thank you!'
      : 'No tiene facturas pendientes. ¡Muchas gracias!'
  return language === 'en'
    ? `Your open balance is ${formatCents(cents)}. You can see and pay it here: {pay link}`
    : `Su saldo pendiente es ${formatCents(cents)}. Puede verlo y pagarlo aquí: {pay link}`
}

export type LastVisit = { day: string; services: string; street: string | null }

export const lastVisitWords = ({ day, services, street }: LastVisit, language: Language): string => {
  const what = services ? `: ${services}` : ''
  const on = dayWords(day, language, true)
  return language === 'en'
    ? `We were last ${street ? `at ${street}` : 'there'} on ${on}${what}.`
    : `Estuvimos ${street ? `en ${street}` : 'ahí'} por última vez el ${on}${what}.`
}
