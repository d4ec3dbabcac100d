import { button, paragraph, type WrittenLetter } from '../../../../platform/mail/letter.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { customerLetter } from '../../../businesses/letters/server/queries.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import type { Sender } from '../../../businesses/rules.ts'
import { usualBankDays } from '../../../invoices/pending/rules.ts'
import { receiptComes, type Told } from '../../../messages/paperways/rules.ts'
import { reasonIn } from '../../reasons/rules.ts'
import { bankProblem } from '../rules.ts'

type News = { cents: number; invoices: string }
export type DebitNews =
  | (News & { kind: 'begun' })
  | (News & { kind: 'failed'; problem: string | null })
  | (News & { kind: 'returned'; problem: string | null })

type Said = { subject: string; lead: string; press: string }

const inEnglish = (news: DebitNews, amount: string, from: string, told: Told | null): Said => {
  switch (news.kind) {
    case 'begun':
      return {
        subject: `Your bank payment of ${amount} to ${from} is on its way`,
        lead: `Thank you. Your bank was asked for ${amount} for ${news.invoices}. That usually takes ${usualBankDays} business days; until then you need not do anything, and nobody reminds you. When the money has arrived, ${receiptComes(told)}.`,
        press: 'See the invoice',
      }
    case 'failed':
      return {
        subject: `Your bank payment of ${amount} to ${from} did not go through`,
        lead: `Your bank did not pay ${amount} for ${news.invoices}. ${bankProblem(news.problem)} No money moved, and it is open again. Please pay it another way.`,
        press: 'Pay the invoice',
      }
    case 'returned':
      return {
        subject: `Your bank took ${amount} back from ${from}`,
        lead: `Your bank had paid ${amount} for ${news.invoices} and took it back. ${bankProblem(news.problem)} It is open again. Please pay it another way, or answer this mail if you did not expect this.`,
        press: 'Pay the invoice',
      }
  }
}

const inSpanish = (news: DebitNews, amount: string, from: string, told: Told | null): Said => {
  switch (news.kind) {
    case 'begun':
      return {
        subject: `Su pago bancario de ${amount} a ${from} va en camino`,
        lead: `Gracias. Pedimos a su banco ${amount} por ${news.invoices}. Suele tardar ${usualBankDays} días hábiles; hasta entonces no tiene que hacer nada y no le enviaremos recordatorios. Cuando llegue el dinero, ${receiptComes(told, 'es')}.`,
        press: 'Ver la factura',
      }
    case 'failed':
      return {
        subject: `Su pago bancario de ${amount} a ${from} no se pudo hacer`,
        lead: `Su banco no pagó ${amount} por ${news.invoices}. ${reasonIn('es', bankProblem(news.problem))} No se movió dinero y sigue pendiente. Por favor pague de otra forma.`,
        press: 'Pagar la factura',
      }
    case 'returned':
      return {
        subject: `Su banco retiró ${amount} de ${from}`,
        lead: `Su banco había pagado ${amount} por ${news.invoices} y los retiró. ${reasonIn('es', bankProblem(news.problem))} Está pendiente otra vez. Por favor pague de otra forma, o responda a este correo si no lo esperaba.`,
        press: 'Pagar la factura',
      }
  }
}

const around = {
  en: { title: 'Your bank payment', hello: (name: string) => `Hello ${name},` },
  es: { title: 'Su pago bancario', hello: (name: string) => `Hola ${name}:` },
} satisfies Record<Language, unknown>

/** A mail to a customer about what their bank does with a payment. */
export const debitMail = (
  news: DebitNews,
  who: { name: string; url: string; told: Told | null; language: Language },
  sender: Sender,
): WrittenLetter & { subject: string } => {
  const t = around[who.language]
  const say = who.language === 'es' ? inSpanish : inEnglish
  const { subject, lead, press } = say(news, formatCents(news.cents), sender.name, who.told)
  return {
    subject,
    ...customerLetter(sender, {
      language: who.language,
      title: t.title,
      parts: [paragraph(t.hello(firstNameOf(who.name))), paragraph(lead), button(press, who.url)],
    }),
  }
}
