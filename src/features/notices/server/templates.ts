import { button, paragraph, type WrittenLetter } from '../../../platform/mail/letter.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { customerLetter } from '../../businesses/letters/server/queries.ts'
import { fillText, type Language, type NoticeKind, noticeText } from '../../businesses/notices/rules.ts'
import type { NoticeSettings } from './queries.ts'

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
