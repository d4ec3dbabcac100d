import { button, paragraph, type WrittenLetter } from '../../../platform/mail/letter.ts'
import type { Day } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { customerLetter } from '../../businesses/letters/server/queries.ts'
import { fillText, type Language, type NoticeKind, noticeText } from '../../businesses/notices/rules.ts'
import { arrivalWindow, dayWords, windowWords } from '../rules.ts'
import type { DueReminder, NoticeCustomer, NoticeSettings } from './queries.ts'

const subjects: Readonly<Record<Language, Readonly<Record<NoticeKind, (name: string, when: string) => string>>>> = {
  en: {
    reminder: (name, when) => `${name}: your visit on ${when}`,
    moved: (name) => `${name}: your visit has another day`,
    on_way: (name) => `${name} is on the way to you`,
  },
  es: {
    reminder: (name, when) => `${name}: su visita del ${when}`,
    moved: (name) => `${name}: su visita tiene otro día`,
    on_way: (name) => `${name} va en camino`,
  },
}
const seeVisit = { en: 'See your visit', es: 'Ver su visita' } as const

export type NoticeValues = Readonly<Record<string, string>> & { link: string }

/** A notice in its customer's language: the words of a text, or a letter with the same words and a button. */
export const noticeWords = (
  settings: NoticeSettings,
  kind: NoticeKind,
  language: Language,
  values: NoticeValues,
): { text: string; mail: () => WrittenLetter & { subject: string } } => {
  const phone = settings.phone ? formatPhone(settings.phone) : ''
  const all = { business: settings.name, phone, ...values }
  const template = noticeText(settings.noticeTexts, kind, language)
  return {
    text: fillText(template, all),
    mail: () => ({
      subject: subjects[language][kind](settings.name, values.day ?? '').slice(0, 200),
      ...customerLetter(settings, {
        language,
        parts: [
          // The link is the button.
          paragraph(fillText(template, { ...all, link: '' }).replace(/:$/, '.')),
          button(seeVisit[language], values.link),
        ],
      }),
    }),
  }
}

/** Day and window of the visits of one customer on a day, as a reminder says them. */
const whenOf = (
  settings: NoticeSettings,
  customer: Pick<NoticeCustomer, 'language'>,
  day: Day,
  visits: readonly DueReminder[],
): string => {
  const windows = visits.map(({ startMinute }) =>
    startMinute === null ? null : arrivalWindow(startMinute, settings.arrivalErrorMinutes),
  )
  const date = dayWords(day, customer.language)
  // Without a plan for one of them any time would be a guess.
  if (windows.some((window) => window === null)) return date
  const known = windows.flatMap((window) => (window ? [window] : []))
  const whole = { from: Math.min(...known.map((w) => w.from)), to: Math.max(...known.map((w) => w.to)) }
  return `${date}, ${windowWords(whole, customer.language)}`
}

/** What a reminder of a customer's visits of a day says. */
export const reminderValues = (
  settings: NoticeSettings,
  customer: Pick<NoticeCustomer, 'language'>,
  day: Day,
  visits: readonly DueReminder[],
): Readonly<Record<string, string>> => ({
  when: whenOf(settings, customer, day, visits),
  day: dayWords(day, customer.language),
  services: [...new Set(visits.flatMap((visit) => visit.services.split(', ')))].filter(Boolean).join(', '),
})
