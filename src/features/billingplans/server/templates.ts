import { paragraph, rows, type WrittenLetter } from '../../../platform/mail/letter.ts'
import type { Day } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { customerLetter } from '../../businesses/letters/server/queries.ts'
import { asSms, type Language } from '../../businesses/notices/rules.ts'
import type { Sender } from '../../businesses/rules.ts'
import { dayIn } from '../../invoices/words/rules.ts'
import { dayWords } from '../../notices/rules.ts'

type Month = { billOn: Day; totalCents: number }

export type PlanNews =
  | { kind: 'started'; prepaid: boolean; startsOn: Day; endsOn: Day; months: readonly Month[] }
  | { kind: 'changed'; reason: string; months: readonly Month[] }
  | { kind: 'credited'; totalCents: number; refundedCents: number; netCents: number }

const day = (on: Day, language: Language): string => dayIn(language, on, { year: true })

const words = {
  en: {
    hello: (name: string) => `Hello ${name},`,
    started: (plan: string, from: string) => `${plan} with ${from}`,
    prepaid: (from: string, to: string) =>
      `You pay for your season from ${from} to ${to} ahead, with one invoice. It comes on this day:`,
    level: (from: string, to: string) =>
      `From ${from} to ${to} you pay the same each month, however often we come. An invoice comes on each of these days:`,
    atEnd: 'At the end of the season we compare what was done with what was billed, and settle the difference.',
    changed: (plan: string, from: string) => `${plan} with ${from} changes`,
    why: (reason: string) => `Your monthly amount changes: ${reason}`,
    left: 'The invoices that are still to come:',
    none: 'No further invoices are to come.',
    settled: (plan: string, from: string) => `${plan} with ${from} is settled`,
    over: (sum: string) => `We billed ${sum} more than the work that was done.`,
    allBack: 'All of it goes back to you.',
    someBack: (sum: string) => `${sum} goes back to you; the rest is taken off what is open, or waits as your credit.`,
    asCredit: 'It is taken off what is open, and what is left waits as your credit.',
  },
  es: {
    hello: (name: string) => `Hola ${name}:`,
    started: (plan: string, from: string) => `${plan} con ${from}`,
    prepaid: (from: string, to: string) =>
      `Su temporada del ${from} al ${to} se paga por adelantado, con una sola factura. Llega este día:`,
    level: (from: string, to: string) =>
      `Del ${from} al ${to} usted paga lo mismo cada mes, sin importar cuántas veces vayamos. Una factura llega en cada uno de estos días:`,
    atEnd: 'Al final de la temporada comparamos lo hecho con lo facturado y ajustamos la diferencia.',
    changed: (plan: string, from: string) => `${plan} con ${from} cambia`,
    why: (reason: string) => `Su monto mensual cambia: ${reason}`,
    left: 'Las facturas que todavía faltan:',
    none: 'Ya no habrá más facturas.',
    settled: (plan: string, from: string) => `${plan} con ${from} queda ajustado`,
    over: (sum: string) => `Facturamos ${sum} más que el trabajo hecho.`,
    allBack: 'Se le devuelve todo.',
    someBack: (sum: string) =>
      `Se le devuelven ${sum}; el resto se descuenta de lo pendiente o queda como crédito a su favor.`,
    asCredit: 'Se descuenta de lo pendiente, y lo que sobre queda como crédito a su favor.',
  },
} satisfies Record<Language, unknown>

const monthRows = (months: readonly Month[], language: Language) =>
  rows(...months.map(({ billOn, totalCents }) => ({ label: day(billOn, language), value: formatCents(totalCents) })))

const backWords = (
  { totalCents, refundedCents }: Extract<PlanNews, { kind: 'credited' }>,
  language: Language,
): string => {
  const t = words[language]
  const back =
    refundedCents === totalCents ? t.allBack : refundedCents > 0 ? t.someBack(formatCents(refundedCents)) : t.asCredit
  return `${t.over(formatCents(totalCents))} ${back}`
}

const said = (news: PlanNews, plan: string, sender: Sender, language: Language) => {
  const t = words[language]
  if (news.kind === 'started') {
    const [from, to] = [day(news.startsOn, language), day(news.endsOn, language)]
    return {
      subject: t.started(plan, sender.name),
      parts: [
        paragraph(news.prepaid ? t.prepaid(from, to) : t.level(from, to)),
        monthRows(news.months, language),
        paragraph(t.atEnd),
      ],
    }
  }
  if (news.kind === 'changed')
    return {
      subject: t.changed(plan, sender.name),
      parts: [
        paragraph(t.why(news.reason)),
        paragraph(news.months.length > 0 ? t.left : t.none),
        ...(news.months.length > 0 ? [monthRows(news.months, language)] : []),
      ],
    }
  return { subject: t.settled(plan, sender.name), parts: [paragraph(backWords(news, language))] }
}

/** A mail to a customer about their billing plan, in their language. */
export const planMail = (
  news: PlanNews,
  who: { plan: string; customer: string; language: Language },
  sender: Sender,
): WrittenLetter & { subject: string } => {
  const { language } = who
  const { subject, parts } = said(news, who.plan, sender, language)
  return {
    subject,
    ...customerLetter(sender, {
      language,
      title: who.plan,
      parts: [paragraph(words[language].hello(firstNameOf(who.customer))), ...parts],
    }),
  }
}

const texts = {
  en: {
    prepaid: (plan: string, sum: string, on: string) =>
      `${plan}: ${sum} to pay ahead, with one invoice that comes ${on}.`,
    months: (plan: string, count: number, sum: string, first: string, on: string) =>
      `${plan}: ${count} ${count === 1 ? 'invoice' : 'invoices'}, ${sum} in all; the next is ${first} on ${on}.`,
    changed: (reason: string) => `Your monthly amount changes: ${reason}`,
    settled: (plan: string) => `${plan} is settled.`,
  },
  es: {
    prepaid: (plan: string, sum: string, on: string) =>
      `${plan}: ${sum} por adelantado, con una sola factura que llega el ${on}.`,
    months: (plan: string, count: number, sum: string, first: string, on: string) =>
      `${plan}: ${count} ${count === 1 ? 'factura' : 'facturas'}, ${sum} en total; la próxima es de ${first} el ${on}.`,
    changed: (reason: string) => `Su monto mensual cambia: ${reason}`,
    settled: (plan: string) => `${plan} queda ajustado.`,
  },
} satisfies Record<Language, unknown>

const saidShort = (news: PlanNews, plan: string, language: Language): string => {
  const [t, long] = [texts[language], words[language]]
  if (news.kind === 'credited') return `${t.settled(plan)} ${backWords(news, language)}`
  const [next] = news.months
  const sum = formatCents(news.months.reduce((all, { totalCents }) => all + totalCents, 0))
  const left = next
    ? t.months(plan, news.months.length, sum, formatCents(next.totalCents), dayWords(next.billOn, language))
    : `${plan}: ${long.none}`
  if (news.kind === 'changed') return `${t.changed(news.reason)} ${left}`
  return news.prepaid && next ? t.prepaid(plan, sum, dayWords(next.billOn, language)) : left
}

/** The same in a text, for who has their papers so: the sums, the next day and where to look. */
export const planText = (
  news: PlanNews,
  { plan, business, language, url }: { plan: string; business: string; language: Language; url: string | null },
): string => `${asSms(`${business}: ${saidShort(news, plan, language)}`)} ${url ?? ''}`.trim()
