import { paragraph, type WrittenLetter, writeLetter } from '../../../../platform/mail/letter.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { formatCents, lineCents } from '../../../../shared/money.ts'

/** Work whose price changes, priced by the unit; customers read what a visit of it costs. */
export type NoticeLine = {
  serviceName: string
  /** What it is called to who reads Spanish; empty where nobody wrote it. */
  serviceNameEs: string
  street: string
  quantity: number
  beforeCents: number
  afterCents: number
}

/** With its year in both languages: a price is told a month ahead and read on paper long after. */
export const dayIn = (day: Day, language: 'en' | 'es'): string =>
  language === 'en'
    ? formatDay(day, { long: true, year: true })
    : new Intl.DateTimeFormat('es-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      )

/** "Mow at 9 Elm Ave: $60.00 (was $42.00)", with all the units that a visit has of it. */
export const lineWords = (
  { serviceName, serviceNameEs, street, quantity, beforeCents, afterCents }: NoticeLine,
  language: 'en' | 'es',
): string => {
  const [before, after] = [formatCents(lineCents(quantity, beforeCents)), formatCents(lineCents(quantity, afterCents))]
  return language === 'es'
    ? `${serviceNameEs || serviceName} en ${street}: ${after} (antes ${before})`
    : `${serviceName} at ${street}: ${after} (was ${before})`
}

/** What a customer reads of new prices: each price once, with what it was. */
export const priceNotice = (
  business: string,
  fromOn: Day,
  lines: readonly NoticeLine[],
  language: 'en' | 'es',
): string => {
  const said = [...new Set(lines.map((line) => lineWords(line, language)))]
  const shown = said.slice(0, 5).join('; ')
  const more = said.length - 5
  return language === 'es'
    ? `${business}: nuestros precios cambian desde el ${dayIn(fromOn, 'es')}. ${shown}${more > 0 ? ` y ${more} más` : ''}. Gracias por su confianza.`
    : `${business}: our prices change from ${dayIn(fromOn, 'en')}. ${shown}${more > 0 ? ` and ${more} more` : ''}. Thank you for your trust.`
}

/** The same as a letter. */
export const priceLetter = (
  business: { name: string; brandColor?: string | undefined },
  text: string,
  language: 'en' | 'es',
): WrittenLetter & { subject: string } => {
  const subject = language === 'es' ? `${business.name}: nuevos precios` : `${business.name}: new prices`
  return {
    subject,
    ...writeLetter({
      language,
      from: business.name,
      brandColor: business.brandColor,
      title: subject,
      parts: [paragraph(text)],
    }),
  }
}
