import { button, paragraph, rows, small, writeLetter } from '../../../platform/mail/letter.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { asSms, type Language } from '../../businesses/notices/rules.ts'
import { contactOf, type Sender } from '../../businesses/rules.ts'
import { dayIn } from '../../invoices/words/rules.ts'

type Facts = {
  name: string
  customer: string
  street: string
  totalCents: number
  validUntil: string | null
  message: string
  url: string
}

/** `sent` the first time, `again` when the office sends it once more, then the follow-ups. */
export type QuoteMailKind = 'sent' | 'again' | 'first' | 'second' | 'last'

const words = {
  en: {
    hello: (name: string) => `Hello ${name},`,
    subject: {
      sent: (from: string, f: Facts) => `${from}: your quote for ${f.street}, ${formatCents(f.totalCents)}`,
      again: (from: string, f: Facts) => `${from}: your quote for ${f.street} once more`,
      first: (from: string, f: Facts) => `${from}: any questions about your quote for ${f.street}?`,
      second: (from: string, f: Facts) => `${from}: your quote for ${f.street} is still open`,
      last: (from: string, f: Facts) => `${from}: a last word on your quote for ${f.street}`,
    },
    lead: {
      sent: (f: Facts) =>
        `Here is your quote for ${f.street}. Look at it, choose what you like and sign it on your phone.`,
      again: (f: Facts) => `Here is your quote for ${f.street} once more.`,
      first: (f: Facts) =>
        `Did you have a chance to look at your quote for ${f.street}? Just answer this mail with any question, or ask for a change on its page.`,
      second: (f: Facts) => `Your quote for ${f.street} is still waiting for you. We would be glad to take care of it.`,
      last: (f: Facts) =>
        `We will not write about your quote for ${f.street} again. If you would like it, it is still here; if not, a tap on its page tells us.`,
    },
    total: 'Total',
    until: (day: string) => `Good until ${day}`,
    see: 'See your quote',
    sms: {
      sent: (f: Facts) => `your quote for ${f.street}: ${formatCents(f.totalCents)}. See, choose and sign:`,
      again: (f: Facts) => `your quote for ${f.street} once more:`,
      first: (f: Facts) => `any questions about your quote for ${f.street}? Answer here, or see it:`,
      second: (f: Facts) => `your quote for ${f.street} is still open:`,
      last: (f: Facts) => `a last word on your quote for ${f.street}. Yes or no is one tap:`,
    },
  },
  es: {
    hello: (name: string) => `Hola ${name}:`,
    subject: {
      sent: (from: string, f: Facts) => `${from}: su cotización para ${f.street}, ${formatCents(f.totalCents)}`,
      again: (from: string, f: Facts) => `${from}: su cotización para ${f.street}, otra vez`,
      first: (from: string, f: Facts) => `${from}: ¿preguntas sobre su cotización para ${f.street}?`,
      second: (from: string, f: Facts) => `${from}: su cotización para ${f.street} sigue abierta`,
      last: (from: string, f: Facts) => `${from}: último aviso sobre su cotización para ${f.street}`,
    },
    lead: {
      sent: (f: Facts) =>
        `Aquí está su cotización para ${f.street}. Véala, elija lo que le guste y fírmela desde su teléfono.`,
      again: (f: Facts) => `Aquí está otra vez su cotización para ${f.street}.`,
      first: (f: Facts) =>
        `¿Ya pudo ver su cotización para ${f.street}? Responda a este correo con cualquier pregunta, o pida un cambio en su página.`,
      second: (f: Facts) => `Su cotización para ${f.street} lo sigue esperando. Con gusto nos encargamos.`,
      last: (f: Facts) =>
        `No le escribiremos más sobre su cotización para ${f.street}. Si la quiere, sigue aquí; si no, un toque en su página nos lo dice.`,
    },
    total: 'Total',
    until: (day: string) => `Válida hasta el ${day}`,
    see: 'Ver su cotización',
    sms: {
      sent: (f: Facts) => `su cotizacion para ${f.street}: ${formatCents(f.totalCents)}. Vea, elija y firme:`,
      again: (f: Facts) => `su cotizacion para ${f.street} otra vez:`,
      first: (f: Facts) => `tiene preguntas sobre su cotizacion para ${f.street}? Responda aqui, o veala:`,
      second: (f: Facts) => `su cotizacion para ${f.street} sigue abierta:`,
      last: (f: Facts) => `ultimo aviso sobre su cotizacion para ${f.street}. Si o no es un toque:`,
    },
  },
} satisfies Record<Language, unknown>

/** The mail that carries a quote or asks after it. */
export const quoteMail = (kind: QuoteMailKind, facts: Facts, sender: Sender, language: Language) => {
  const t = words[language]
  const until = facts.validUntil ? t.until(dayIn(language, facts.validUntil, { year: true })) : undefined
  return {
    subject: t.subject[kind](sender.name, facts).slice(0, 200),
    ...writeLetter({
      language,
      from: sender.name,
      brandColor: sender.brandColor,
      title: facts.name,
      parts: [
        paragraph(t.hello(firstNameOf(facts.customer))),
        paragraph(t.lead[kind](facts)),
        ...(kind === 'sent' && facts.message ? [paragraph(facts.message)] : []),
        rows({
          label: t.total,
          ...(until ? { note: until } : {}),
          value: formatCents(facts.totalCents),
          strong: true,
        }),
        button(t.see, facts.url),
        small([sender.name, contactOf(sender)].filter(Boolean).join('\n')),
      ],
    }),
  }
}

/** The text that carries a quote or asks after it, in plain characters. */
export const quoteText = (kind: QuoteMailKind, facts: Facts, business: string, language: Language): string =>
  `${asSms(`${business}: ${words[language].sms[kind](facts)}`)} ${facts.url}`
