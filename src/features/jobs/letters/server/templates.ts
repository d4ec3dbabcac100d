import { paragraph, type WrittenLetter, writeLetter } from '../../../../platform/mail/letter.ts'
import type { Day } from '../../../../shared/dates.ts'
import { dayIn, lineWords, type NoticeLine } from '../../prices/server/templates.ts'

type Language = 'en' | 'es'
/** What a customer is told, and when: from which day on which of their work costs what. */
export type Told = { name: string; fromOn: Day; writtenOn: Day; lines: readonly NoticeLine[] }
type From = { name: string; brandColor?: string | undefined; phone: string | null }

/** The letter as a text message. */
export const letterText = (business: string, { fromOn, writtenOn, lines }: Told, language: Language): string => {
  const said = [...new Set(lines.map((line) => lineWords(line, language)))]
  const [shown, more] = [said.slice(0, 4).join('; '), said.length - 4]
  return language === 'es'
    ? `${business}: su precio por visita cambia desde el ${dayIn(fromOn, 'es', writtenOn)}. ${shown}${more > 0 ? ` y ${more} más` : ''}. Las visitas anteriores conservan su precio. Gracias por su confianza.`
    : `${business}: your price for a visit changes from ${dayIn(fromOn, 'en', writtenOn)}. ${shown}${more > 0 ? ` and ${more} more` : ''}. Visits before that day keep their price. Thank you for your trust.`
}

export const letterSubject = (business: string, language: Language): string =>
  language === 'es' ? `${business}: su nuevo precio` : `${business}: your new price`

const askWords = (phone: string | null, language: Language, isPaper: boolean): string[] =>
  phone
    ? [language === 'es' ? `Si tiene preguntas, llámenos al ${phone}.` : `If you have questions, call us at ${phone}.`]
    : isPaper
      ? []
      : [
          language === 'es'
            ? 'Si tiene preguntas, responda a este mensaje.'
            : 'If you have questions, just answer this message.',
        ]

/** The paragraphs of the letter, by mail and on paper. */
export const letterParagraphs = (
  from: Pick<From, 'phone'>,
  { name, fromOn, writtenOn, lines }: Told,
  language: Language,
  isPaper = false,
): string[] => {
  const said = [...new Set(lines.map((line) => lineWords(line, language)))]
  return language === 'es'
    ? [
        `Hola ${name}:`,
        `Desde el ${dayIn(fromOn, 'es', writtenOn)} cambia el precio de cada visita:`,
        ...said,
        'Las visitas anteriores a ese día conservan su precio. Lo demás no cambia.',
        ...askWords(from.phone, 'es', isPaper),
        'Gracias por su confianza.',
      ]
    : [
        `Dear ${name},`,
        `From ${dayIn(fromOn, 'en', writtenOn)} on, the price of each visit changes:`,
        ...said,
        'Visits before that day keep their price. Nothing else changes.',
        ...askWords(from.phone, 'en', isPaper),
        'Thank you for your trust.',
      ]
}

export const letterMail = (from: From, told: Told, language: Language): WrittenLetter & { subject: string } => {
  const subject = letterSubject(from.name, language)
  return {
    subject,
    ...writeLetter({
      language,
      from: from.name,
      brandColor: from.brandColor,
      title: subject,
      parts: letterParagraphs(from, told, language).map((text) => paragraph(text)),
    }),
  }
}
