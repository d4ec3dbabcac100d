import { button, paragraph, small, type WrittenLetter } from '../../../../platform/mail/letter.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { customerLetter } from '../../../businesses/letters/server/queries.ts'
import { asSms, type Language } from '../../../businesses/notices/rules.ts'
import type { Sender } from '../../../businesses/rules.ts'
import { linkDays, thingIn } from '../rules.ts'

const words = {
  en: {
    subject: (from: string, thing: string) => `${from}: keep ${thing} for your invoices`,
    title: 'Autopay',
    hello: (name: string) => `Hello ${name},`,
    lead: (from: string, thing: string) =>
      `You can leave ${thing} that pays your invoices from ${from} by itself. Nothing is charged now, and the number stays with the payment provider.`,
    press: (thing: string) => `Leave ${thing}`,
    agree: (mandate: string) => `What you would agree to: “${mandate}”`,
    days: `The link is good for ${linkDays} days.`,
  },
  es: {
    subject: (from: string, thing: string) => `${from}: deje ${thing} para sus facturas`,
    title: 'Pago automático',
    hello: (name: string) => `Hola ${name}:`,
    lead: (from: string, thing: string) =>
      `Puede dejar ${thing} para que pague por sí sola sus facturas de ${from}. Ahora no se cobra nada, y el número queda con el procesador de pagos.`,
    press: (thing: string) => `Dejar ${thing}`,
    agree: (mandate: string) => `Lo que aceptaría: “${mandate}”`,
    days: `El enlace sirve por ${linkDays} días.`,
  },
} satisfies Record<Language, unknown>

/** The text with which a business asks for a card, in plain characters; what is agreed to stands on the page of the link. */
export const cardLinkText = (
  { url, takesBank, language }: { url: string; takesBank: boolean; language: Language },
  business: string,
): string => {
  const thing = thingIn(language, takesBank)
  const message =
    language === 'es'
      ? `${business}: deje ${thing} que pague sus facturas por si sola. Ahora no se cobra nada. Ver y aceptar:`
      : `${business}: leave ${thing} that pays your invoices by itself. Nothing is charged now. See and agree:`
  return `${asSms(message)} ${url}`
}

/** The mail with which a business asks for a card. */
export const cardLinkMail = (
  {
    name,
    url,
    mandate,
    takesBank,
    language,
  }: { name: string; url: string; mandate: string; takesBank: boolean; language: Language },
  sender: Sender,
): WrittenLetter & { subject: string } => {
  const t = words[language]
  const thing = thingIn(language, takesBank)
  return {
    subject: t.subject(sender.name, thing),
    ...customerLetter(sender, {
      language,
      title: t.title,
      parts: [
        paragraph(t.hello(firstNameOf(name))),
        paragraph(t.lead(sender.name, thing)),
        button(t.press(thing), url),
        paragraph(t.agree(mandate)),
        small(t.days),
      ],
    }),
  }
}
