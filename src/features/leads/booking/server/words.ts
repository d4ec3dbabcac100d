import { button, paragraph, rows, small, type WrittenLetter, writeLetter } from '../../../../platform/mail/letter.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { type BookedLine, type DayPart, dayPartLabel, everyLabel } from '../rules.ts'

type Business = { name: string; brandColor: string; phone: string | null; slug: string }

const when = (day: string, part: DayPart | null): string =>
  part ? `${formatDay(day)}, ${dayPartLabel[part]}` : formatDay(day)

const letter = (business: Business, subject: string, parts: Parameters<typeof writeLetter>[0]['parts']) => ({
  subject: `${business.name}: ${subject}`.slice(0, 200),
  ...writeLetter({
    from: business.name,
    brandColor: business.brandColor,
    parts: [
      ...parts,
      small([business.name, business.phone ? formatPhone(business.phone) : ''].filter(Boolean).join('\n')),
    ],
  }),
})

export type Said = { text: string; mail: WrittenLetter & { subject: string } }

/** That the day is booked, with what was told it costs. */
export const bookedWords = (
  business: Business,
  { name, day, part, lines }: { name: string; day: string; part: DayPart | null; lines: readonly BookedLine[] },
): Said => ({
  text: `${business.name}: you are booked for ${formatDay(day)}. Questions? Just reply. Reply STOP to opt out.`,
  mail: letter(business, `you are booked for ${formatDay(day)}`, [
    paragraph(`Hello ${name}, you are booked for ${when(day, part)}.`),
    rows(
      ...lines.map((line) => ({
        label: line.name,
        note: everyLabel[line.frequency],
        value: formatCents(line.priceCents),
      })),
    ),
    paragraph('The price is for each visit, without sales tax. You hear from us on the day before we come.'),
    paragraph('Something to change? Just answer this mail.'),
  ]),
})

/** That the day was asked for and somebody says yes or no. */
export const askedWords = (business: Business, { name, day }: { name: string; day: string }): Said => ({
  text: `${business.name}: we have your wish for ${formatDay(day)} and will confirm it soon. Reply STOP to opt out.`,
  mail: letter(business, `your wish for ${formatDay(day)}`, [
    paragraph(
      `Hello ${name}, we have your wish for ${formatDay(day)}. We look at it and tell you soon whether it goes.`,
    ),
    paragraph('Nothing is booked before that.'),
  ]),
})

/** That the day does not go. */
export const refusedWords = (
  business: Business,
  { name, day, pageUrl }: { name: string; day: string; pageUrl: string },
): Said => ({
  text: `${business.name}: ${formatDay(day)} does not work for us, sorry. Pick another day: ${pageUrl}`,
  mail: letter(business, `${formatDay(day)} does not work`, [
    paragraph(`Hello ${name}, we are sorry: ${formatDay(day)} does not work for us. Nothing was booked.`),
    button('Pick another day', pageUrl),
  ]),
})
