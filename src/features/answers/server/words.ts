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
  status: 'waits' | 'on the way' | 'there'
  window: Window | null
  lateMinutes: number | null
}

export const nextVisitWords = (visit: NextVisit, language: Language): string => {
  const when = visit.window ? `, ${between(visit.window, language)}` : ''
  const en = language === 'en'
  if (visit.status === 'there')
    return en ? 'Our crew is at your property right now.' : 'Nuestro equipo está en su propiedad ahora mismo.'
  if (visit.status === 'on the way')
    return en ? 'Our crew is on the way to you now.' : 'Nuestro equipo ya va en camino.'
  if (visit.isToday) return en ? `We come today${when}.` : `Vamos hoy${when}.`
  const day = dayWords(visit.day, language, true)
  return en ? `Your next visit is ${day}${when}.` : `Su próxima visita es el ${day}${when}.`
}

export const lateWords = (lateMinutes: number, window: Window | null, language: Language): string => {
  const minutes = roughMinutes(lateMinutes)
  const rest = window
    ? language === 'en'
      ? ` We expect to be there ${between(window, language)}.`
      : ` Esperamos llegar ${between(window, language)}.`
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

export const lastVisitWords = (day: string, services: string, language: Language): string => {
  const what = services ? `: ${services}` : ''
  const on = dayWords(day, language, true)
  return language === 'en' ? `We were last there on ${on}${what}.` : `Estuvimos ahí por última vez el ${on}${what}.`
}
