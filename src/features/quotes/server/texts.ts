import { button, paragraph, rows } from '../../../platform/mail/letter.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { customerLetter } from '../../businesses/letters/server/queries.ts'
import { asSms, type Language } from '../../businesses/notices/rules.ts'
import type { Sender } from '../../businesses/rules.ts'
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

/** `sent` the first time, `again` when the office sends it once more, then the follow-ups; `renew` asks for the next season, `renewAuto` tells of it. */
export type QuoteMailKind = 'sent' | 'again' | 'first' | 'second' | 'last' | 'renew' | 'renewAuto'

const dayWords = (language: Language, day: string | null): string => (day ? dayIn(language, day, { year: true }) : '')

const words = {
  en: {
    hello: (name: string) => `Hello ${name},`,
    subject: {
      sent: (from: string, f: Facts) => `${from}: your quote for ${f.street}, ${formatCents(f.totalCents)}`,
      again: (from: string, f: Facts) => `${from}: your quote for ${f.street} once more`,
      first: (from: string, f: Facts) => `${from}: any questions about your quote for ${f.street}?`,
      second: (from: string, f: Facts) => `${from}: your quote for ${f.street} is still open`,
      last: (from: string, f: Facts) => `${from}: a last word on your quote for ${f.street}`,
      renew: (from: string, f: Facts) => `${from}: your next season at ${f.street}`,
      renewAuto: (from: string, f: Facts) => `${from}: your next season at ${f.street} renews by itself`,
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
      renew: (f: Facts) =>
        `Here is your next season at ${f.street} with its prices. Please tell us by ${dayWords('en', f.validUntil)} whether we may go on: one tap says yes, and you can change or stop it there, too.`,
      renewAuto: (f: Facts) =>
        `Here is your next season at ${f.street} with its prices. You do not have to do anything: it renews by itself after ${dayWords('en', f.validUntil)}. If you want something different or do not want it, tell us on its page by then.`,
    },
    total: 'Total',
    until: (day: string) => `Good until ${day}`,
    season: 'Season total',
    see: 'See your quote',
    seeSeason: 'See your season',
    sms: {
      sent: (f: Facts) => `your quote for ${f.street}: ${formatCents(f.totalCents)}. See, choose and sign:`,
      again: (f: Facts) => `your quote for ${f.street} once more:`,
      first: (f: Facts) => `any questions about your quote for ${f.street}? Answer here, or see it:`,
      second: (f: Facts) => `your quote for ${f.street} is still open:`,
      last: (f: Facts) => `a last word on your quote for ${f.street}. Yes or no is one tap:`,
      renew: (f: Facts) =>
        `your next season at ${f.street}: ${formatCents(f.totalCents)}. Say yes, change it or stop it by ${dayWords('en', f.validUntil)}:`,
      renewAuto: (f: Facts) =>
        `your next season at ${f.street}: ${formatCents(f.totalCents)}. It renews by itself after ${dayWords('en', f.validUntil)} unless you say no:`,
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
      renew: (from: string, f: Facts) => `${from}: su próxima temporada en ${f.street}`,
      renewAuto: (from: string, f: Facts) => `${from}: su próxima temporada en ${f.street} se renueva sola`,
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
      renew: (f: Facts) =>
        `Aquí está su próxima temporada en ${f.street} con sus precios. Díganos antes del ${dayWords('es', f.validUntil)} si seguimos: un toque dice que sí, y ahí también puede cambiarla o terminarla.`,
      renewAuto: (f: Facts) =>
        `Aquí está su próxima temporada en ${f.street} con sus precios. No tiene que hacer nada: se renueva sola después del ${dayWords('es', f.validUntil)}. Si quiere algo distinto o no la quiere, díganoslo en su página antes de ese día.`,
    },
    total: 'Total',
    until: (day: string) => `Válida hasta el ${day}`,
    season: 'Total de la temporada',
    see: 'Ver su cotización',
    seeSeason: 'Ver su temporada',
    sms: {
      sent: (f: Facts) => `su cotizacion para ${f.street}: ${formatCents(f.totalCents)}. Vea, elija y firme:`,
      again: (f: Facts) => `su cotizacion para ${f.street} otra vez:`,
      first: (f: Facts) => `tiene preguntas sobre su cotizacion para ${f.street}? Responda aqui, o veala:`,
      second: (f: Facts) => `su cotizacion para ${f.street} sigue abierta:`,
      last: (f: Facts) => `ultimo aviso sobre su cotizacion para ${f.street}. Si o no es un toque:`,
      renew: (f: Facts) =>
        `su proxima temporada en ${f.street}: ${formatCents(f.totalCents)}. Diga si, cambiela o terminela antes del ${dayWords('es', f.validUntil)}:`,
      renewAuto: (f: Facts) =>
        `su proxima temporada en ${f.street}: ${formatCents(f.totalCents)}. Se renueva sola despues del ${dayWords('es', f.validUntil)} si no dice que no:`,
    },
  },
} satisfies Record<Language, unknown>

/** The mail that carries a quote or asks after it. */
export const quoteMail = (kind: QuoteMailKind, facts: Facts, sender: Sender, language: Language) => {
  const t = words[language]
  const renews = kind === 'renew' || kind === 'renewAuto'
  const until = facts.validUntil ? t.until(dayIn(language, facts.validUntil, { year: true })) : undefined
  return {
    subject: t.subject[kind](sender.name, facts).slice(0, 200),
    ...customerLetter(sender, {
      language,
      title: facts.name,
      parts: [
        paragraph(t.hello(firstNameOf(facts.customer))),
        paragraph(t.lead[kind](facts)),
        ...((kind === 'sent' || renews) && facts.message ? [paragraph(facts.message)] : []),
        rows({
          label: renews ? t.season : t.total,
          ...(until ? { note: until } : {}),
          value: formatCents(facts.totalCents),
          strong: true,
        }),
        button(renews ? t.seeSeason : t.see, facts.url),
      ],
    }),
  }
}

/** The text that carries a quote or asks after it, in plain characters. */
export const quoteText = (kind: QuoteMailKind, facts: Facts, business: string, language: Language): string =>
  `${asSms(`${business}: ${words[language].sms[kind](facts)}`)} ${facts.url}`
