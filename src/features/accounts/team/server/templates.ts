import { button, paragraph, small, writeLetter } from '../../../../platform/mail/letter.ts'
import { firstNameOf } from '../../../../shared/names.ts'

type Invite = { name: string; businessName: string; url: string; language: 'en' | 'es'; brandColor: string }

const message = {
  en: {
    subject: (business: string) => `${business} invites you to Swath`,
    hello: (name: string) => `Hello ${name},`,
    lead: (business: string) => `${business} plans its days with Swath. Take this invitation to get your own sign-in.`,
    button: 'Take the invitation',
    note: 'The link works once and for 7 days. If you do not know this business, you can ignore this mail.',
    text: (business: string, url: string) =>
      `${business}: set up your sign-in for Swath here (works once, 7 days): ${url}`,
  },
  es: {
    subject: (business: string) => `${business} te invita a Swath`,
    hello: (name: string) => `Hola ${name}:`,
    lead: (business: string) =>
      `${business} organiza sus días con Swath. Acepta esta invitación para tener tu propio acceso.`,
    button: 'Aceptar la invitación',
    note: 'El enlace funciona una sola vez, durante 7 días. Si no conoces este negocio, ignora este correo.',
    text: (business: string, url: string) => `${business}: crea tu acceso a Swath aquí (una vez, 7 días): ${url}`,
  },
} as const

/** The text that carries an invitation, short enough for one segment with an ordinary business name. */
export const inviteText = ({ businessName, url, language }: Invite): string => message[language].text(businessName, url)

export const inviteMail = ({ name, businessName, url, language, brandColor }: Invite) => {
  const w = message[language]
  const first = firstNameOf(name)
  const letter = writeLetter({
    language,
    from: businessName,
    brandColor,
    parts: [paragraph(w.hello(first)), paragraph(w.lead(businessName)), button(w.button, url), small(w.note)],
  })
  return { subject: w.subject(businessName), ...letter }
}
