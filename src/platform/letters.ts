import { type AddressParts, addressLines } from '../shared/address-lines.ts'
import { type Day, dayOf, formatDay } from '../shared/dates.ts'
import { clock } from './clock.ts'
import type { lettersPdf, PaperLetter } from './letters-pdf.ts'
import { inThread } from './threads.ts'

type Sender = AddressParts & { name: string; timeZone: string }
type Letter = Omit<PaperLetter, 'date'>

/** A day as a letter is dated: "Monday, November 30, 2026", "30 de noviembre de 2026". */
export const letterDate = (day: Day, language: 'en' | 'es'): string =>
  language === 'es'
    ? new Intl.DateTimeFormat('es-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
    : formatDay(day, { long: true, year: true })

/** Where the mail of a customer goes: the billing address, or else the property. */
export const mailingLines = (billing: AddressParts, property: AddressParts): string[] =>
  addressLines(billing.street ? billing : property)

/** Letters of a business to print, one a page, dated today where the business is. Drawn in a thread: hundreds of pages keep nobody waiting. */
export const drawLetters = (sender: Sender, letters: readonly Letter[]): Promise<Uint8Array> => {
  const today = dayOf(clock.now(), sender.timeZone)
  return inThread<typeof lettersPdf>(new URL('./letters-pdf.ts', import.meta.url), 'lettersPdf', {
    business: sender.name,
    businessLines: addressLines(sender),
    letters: letters.map((one) => ({ ...one, date: letterDate(today, one.language) })),
  })
}
