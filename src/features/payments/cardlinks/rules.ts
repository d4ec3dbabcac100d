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

/** So long a link to leave a card is good. */
export const linkDays = 14

export const cardLinkPath = (token: string): string => `/card/${token}`
