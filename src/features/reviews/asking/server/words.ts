import { button, paragraph, small } from '../../../../platform/mail/letter.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { asSms, type Language } from '../../../businesses/notices/rules.ts'
import { dayIn } from '../../../invoices/words/rules.ts'

type Facts = { customer: string; day: string; url: string; stopUrl: string; address: string }

const words = {
  en: {
    hello: (name: string) => `Hello ${name},`,
    subject: (from: string) => `${from}: how was our visit?`,
    lead: (day: string) =>
      `We worked at your place on ${day}. How was it? Stars and a few words take a minute, and help your neighbors find us, whatever they say.`,
    choice: 'You decide whether it stands on our page or is for us only.',
    see: 'Say how it was',
    stop: 'Get no more questions and offers:',
    sms: (from: string, day: string) => `${from}: how was our visit on ${day}? Tell us in a minute:`,
  },
  es: {
    hello: (name: string) => `Hola ${name}:`,
    subject: (from: string) => `${from}: ¿qué le pareció nuestra visita?`,
    lead: (day: string) =>
      `Trabajamos en su casa el ${day}. ¿Qué le pareció? Unas estrellas y unas palabras toman un minuto y ayudan a sus vecinos a encontrarnos, digan lo que digan.`,
    choice: 'Usted decide si se ve en nuestra página o es solo para nosotros.',
    see: 'Decir qué le pareció',
    stop: 'No recibir más preguntas ni ofertas:',
    sms: (from: string, day: string) => `${from}: que le pareció nuestra visita del ${day}? Díganos en un minuto:`,
  },
} satisfies Record<Language, unknown>

/** The words of the mail that asks how a visit was; below stands where who asks can be found, and how to be asked no more. */
export const askWords = ({ customer, day, url, stopUrl, address }: Facts, from: string, language: Language) => {
  const t = words[language]
  return {
    subject: t.subject(from).slice(0, 200),
    parts: [
      paragraph(t.hello(firstNameOf(customer))),
      paragraph(t.lead(dayIn(language, day))),
      paragraph(t.choice),
      button(t.see, url),
    ],
    foot: [small([from, address].filter(Boolean).join(', ')), small(`${t.stop} ${stopUrl}`)],
  }
}

/** The text that asks how a visit was, in plain characters. */
export const askText = ({ day, url }: Pick<Facts, 'day' | 'url'>, from: string, language: Language): string =>
  `${asSms(words[language].sms(from, dayIn(language, day)))} ${url}`
