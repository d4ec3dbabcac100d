import { paragraph, type WrittenLetter } from '../../../../platform/mail/letter.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { customerLetter } from '../../../businesses/letters/server/queries.ts'
import { asSms, type Language } from '../../../businesses/notices/rules.ts'
import type { Sender } from '../../../businesses/rules.ts'

/** Why more came than was open: paid for several at once, for an invoice that was voided meanwhile, or most likely twice. */
export type TooMuchReason = 'together' | 'voided' | 'twice'

export type TooMuchNews = { language: Language; customer: string; invoice: string; rest: string; reason: TooMuchReason }

type Facts = { rest: string; invoice: string; from: string }

const words = {
  en: {
    title: 'Your credit',
    hello: (name: string) => `Hello ${name},`,
    why: {
      together: ({ rest }: Facts) =>
        `Part of what you paid for had been paid or closed in the meantime: ${rest} of your payment was more than was open.`,
      voided: ({ rest, invoice }: Facts) => `${invoice} was voided while your payment of ${rest} was on its way.`,
      twice: ({ rest, invoice }: Facts) =>
        `More came for ${invoice} than was open on it: ${rest} too much, most likely because it was paid twice.`,
    },
    kept: 'It is yours: we keep it as your credit. If you would rather have it back, just answer this mail.',
    subject: ({ rest, from }: Facts) => `You paid ${from} ${rest} too much`,
    voidedSubject: ({ rest, invoice, from }: Facts) => `${invoice} from ${from} was voided: your ${rest} is credit`,
    text: ({ rest, invoice }: Facts) =>
      `you paid ${rest} more than was open (${invoice}). It is yours: we keep it as your credit. Answer this text if you would rather have it back.`,
    voidedText: ({ rest, invoice }: Facts) =>
      `${invoice} was voided while your payment was on its way. Your ${rest} is yours: we keep it as credit. Answer this text if you would rather have it back.`,
  },
  es: {
    title: 'Su crédito',
    hello: (name: string) => `Hola ${name}:`,
    why: {
      together: ({ rest }: Facts) =>
        `Parte de lo que pagó ya se había pagado o cerrado mientras tanto: ${rest} de su pago eran más de lo que estaba pendiente.`,
      voided: ({ rest, invoice }: Facts) => `${invoice} se anuló mientras su pago de ${rest} iba en camino.`,
      twice: ({ rest, invoice }: Facts) =>
        `Llegó más para ${invoice} de lo que estaba pendiente: ${rest} de más, lo más probable porque se pagó dos veces.`,
    },
    kept: 'Es suyo: lo guardamos como crédito a su favor. Si prefiere que se lo devolvamos, simplemente responda a este correo.',
    subject: ({ rest, from }: Facts) => `Le pagó ${rest} de más a ${from}`,
    voidedSubject: ({ rest, invoice, from }: Facts) => `${invoice} de ${from} se anuló: sus ${rest} son crédito`,
    text: ({ rest, invoice }: Facts) =>
      `pago ${rest} mas de lo pendiente (${invoice}). Es suyo: lo guardamos como credito a su favor. Responda a este mensaje si prefiere que se lo devolvamos.`,
    voidedText: ({ rest, invoice }: Facts) =>
      `${invoice} se anulo mientras su pago iba en camino. Sus ${rest} son suyos: los guardamos como credito. Responda a este mensaje si prefiere que se los devolvamos.`,
  },
} satisfies Record<Language, unknown>

/** The mail to a customer of whose payment more came than was open. */
export const tooMuchMail = (
  { language, customer, reason, ...said }: TooMuchNews,
  sender: Sender,
): WrittenLetter & { subject: string } => {
  const t = words[language]
  const facts = { ...said, from: sender.name }
  return {
    subject: (reason === 'voided' ? t.voidedSubject : t.subject)(facts),
    ...customerLetter(sender, {
      language,
      title: t.title,
      parts: [paragraph(t.hello(firstNameOf(customer))), paragraph(`${t.why[reason](facts)} ${t.kept}`)],
    }),
  }
}

/** The same as a text, in plain characters. */
export const tooMuchText = ({ language, reason, ...said }: TooMuchNews, business: string): string => {
  const t = words[language]
  const facts = { ...said, from: business }
  return asSms(`${business}: ${(reason === 'voided' ? t.voidedText : t.text)(facts)}`)
}
