import { button, type LetterPart, paragraph, small, type WrittenLetter } from '../../../platform/mail/letter.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { customerLetter } from '../../businesses/letters/server/queries.ts'
import { asSms, type Language } from '../../businesses/notices/rules.ts'
import type { Sender } from '../../businesses/rules.ts'
import { linkMinutes } from '../rules.ts'

type SignIn = {
  name: string
  url: string
  language: Language
  /** They asked for it themselves; else the business sends it. */
  asked: boolean
}

const words = {
  en: {
    subject: (from: string) => `${from}: your link to sign in`,
    title: 'Your customer portal',
    hello: (name: string) => `Hello ${name},`,
    asked: (from: string) => `Here is the link you asked for. It opens your portal at ${from}.`,
    sent: (from: string) =>
      `Your portal at ${from} has your visits with photos, your bills and quotes, and a place to write to us. No password needed.`,
    press: 'Open my portal',
    good: `The link works once and is good for ${linkMinutes} minutes. If you did not ask for it, you can ignore this mail: nothing happens.`,
    text: (from: string) => `${from}: your link to sign in, good for ${linkMinutes} minutes:`,
    changedSubject: (from: string) => `${from}: your contact data was changed`,
    changed: (from: string) => `Your contact data at ${from} was changed in the customer portal. What changed:`,
    notYou: 'If that was not you, please tell us at once.',
    answered: (from: string) => `${from}: about what you asked for`,
    accepted: (title: string) => `We took care of it: ${title}.`,
    declined: (title: string) => `We could not do this: ${title}.`,
    open: 'Open my portal',
  },
  es: {
    subject: (from: string) => `${from}: su enlace para entrar`,
    title: 'Su portal de cliente',
    hello: (name: string) => `Hola ${name}:`,
    asked: (from: string) => `Aquí está el enlace que pidió. Abre su portal en ${from}.`,
    sent: (from: string) =>
      `Su portal en ${from} tiene sus visitas con fotos, sus facturas y cotizaciones, y un lugar para escribirnos. Sin contraseña.`,
    press: 'Abrir mi portal',
    good: `El enlace sirve una vez y por ${linkMinutes} minutos. Si no lo pidió, puede ignorar este correo: no pasa nada.`,
    text: (from: string) => `${from}: su enlace para entrar, sirve por ${linkMinutes} minutos:`,
    changedSubject: (from: string) => `${from}: sus datos de contacto cambiaron`,
    changed: (from: string) => `Sus datos de contacto en ${from} se cambiaron en el portal de clientes. Lo que cambió:`,
    notYou: 'Si no fue usted, por favor avísenos enseguida.',
    answered: (from: string) => `${from}: sobre lo que pidió`,
    accepted: (title: string) => `Ya nos encargamos: ${title}.`,
    declined: (title: string) => `No pudimos hacerlo: ${title}.`,
    open: 'Abrir mi portal',
  },
} satisfies Record<Language, unknown>

/** The frame of the portal's own letters: they lead there by their button, or warn of it. */
const portalLetter = (sender: Sender, language: Language, name: string, parts: readonly LetterPart[]): WrittenLetter =>
  customerLetter(
    { ...sender, portalUrl: null },
    {
      language,
      title: words[language].title,
      parts: [paragraph(words[language].hello(firstNameOf(name))), ...parts],
    },
  )

/** The mail with a link to sign in. */
export const signInMail = ({ name, url, language, asked }: SignIn, sender: Sender) => {
  const t = words[language]
  return {
    subject: t.subject(sender.name),
    ...portalLetter(sender, language, name, [
      paragraph(asked ? t.asked(sender.name) : t.sent(sender.name)),
      button(t.press, url),
      small(t.good),
    ]),
  }
}

/** The text with a link to sign in. */
export const signInText = ({ url, language }: SignIn, business: string): string =>
  `${asSms(words[language].text(business))} ${url}`

/** Tells somebody, at the address they had, that their contact data is another now. */
export const changedMail = (
  { name, changes, language }: { name: string; changes: readonly string[]; language: Language },
  sender: Sender,
) => {
  const t = words[language]
  return {
    subject: t.changedSubject(sender.name),
    ...portalLetter(sender, language, name, [
      paragraph(t.changed(sender.name)),
      paragraph(changes.join('\n')),
      paragraph(t.notYou),
    ]),
  }
}

/** Answers what somebody asked for in the portal. */
export const answerMail = (
  {
    name,
    title,
    accepted,
    answer,
    url,
    language,
  }: { name: string; title: string; accepted: boolean; answer: string; url: string; language: Language },
  sender: Sender,
) => {
  const t = words[language]
  return {
    subject: t.answered(sender.name),
    ...portalLetter(sender, language, name, [
      paragraph(accepted ? t.accepted(title) : t.declined(title)),
      ...(answer ? [paragraph(answer)] : []),
      button(t.open, url),
    ]),
  }
}
