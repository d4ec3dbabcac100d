import { paragraph, type WrittenLetter, writeLetter } from '../../../../platform/mail/letter.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'

type Line = { serviceName: string; street: string; beforeCents: number; afterCents: number }

export const dayIn = (day: Day, language: 'en' | 'es'): string =>
  language === 'en'
    ? formatDay(day, { long: true })
    : new Intl.DateTimeFormat('es-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      )

/** What a customer reads of new prices: each price once, with what it was. */
export const priceNotice = (business: string, fromOn: Day, lines: readonly Line[], language: 'en' | 'es'): string => {
  const said = [
    ...new Set(
      lines.map(({ serviceName, street, beforeCents, afterCents }) =>
        language === 'es'
          ? `${serviceName} en ${street}: ${formatCents(afterCents)} (antes ${formatCents(beforeCents)})`
          : `${serviceName} at ${street}: ${formatCents(afterCents)} (was ${formatCents(beforeCents)})`,
      ),
    ),
  ]
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
