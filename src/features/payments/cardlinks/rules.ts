import type { Language } from '../../businesses/notices/rules.ts'

/** What a customer is asked to leave. */
export const thingIn = (language: Language, takesBank: boolean): string =>
  language === 'es'
    ? takesBank
      ? 'una tarjeta o una cuenta bancaria'
      : 'una tarjeta'
    : takesBank
      ? 'a card or a bank account'
      : 'a card'

/** Why a card is not taken, as who wanted to leave it reads it. */
const en = {
  done: 'Your card is on file already. Nothing was changed.',
  tooOld: 'This link is too old. Nothing was kept; ask the business for a new one.',
  notSetUp: 'Cards are not taken here right now. Nothing was kept; please contact the business.',
  notTold:
    'You are told before each charge, and neither a mail nor a text reaches you here. Ask the business to add your e-mail; nothing was kept.',
  termsChanged: 'The terms changed a moment ago. Read them below once more; nothing was kept.',
}
const es: typeof en = {
  done: 'Su tarjeta ya está guardada. No se cambió nada.',
  tooOld: 'Este enlace es demasiado viejo. No se guardó nada; pida uno nuevo a la empresa.',
  notSetUp: 'En este momento no se aceptan tarjetas aquí. No se guardó nada; por favor comuníquese con la empresa.',
  notTold:
    'Le avisamos antes de cada cobro, y aquí no le llega ni un correo ni un mensaje. Pida a la empresa que agregue su correo; no se guardó nada.',
  termsChanged: 'Las condiciones cambiaron hace un momento. Léalas de nuevo abajo; no se guardó nada.',
}
export const leaveTexts: Record<Language, typeof en> = { en, es }

/** So long a link to leave a card is good. */
export const linkDays = 14

export const cardLinkPath = (token: string): string => `/card/${token}`
