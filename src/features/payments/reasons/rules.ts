import type { Language } from '../../businesses/notices/rules.ts'

/** Why banks say no, for who reads Spanish: by the sentence, because it is kept as a sentence. */
const inSpanish: Readonly<Record<string, string>> = {
  'There was not enough money on the card.': 'No había fondos suficientes en la tarjeta.',
  'The card has expired.': 'La tarjeta está vencida.',
  'The bank does not accept this card any more.': 'El banco ya no acepta esta tarjeta.',
  'The bank wants the holder to confirm the payment in person.':
    'El banco quiere que el titular confirme el pago en persona.',
  'The card has reached the limit that its bank sets.': 'La tarjeta llegó al límite que fija su banco.',
  'The card’s number is not valid any more.': 'El número de la tarjeta ya no es válido.',
  'The account behind the card was closed.': 'La cuenta de la tarjeta fue cerrada.',
  'The card cannot be charged in dollars.': 'La tarjeta no acepta cobros en dólares.',
  'The card is not on file at the provider any more.': 'La tarjeta ya no está guardada con el procesador de pagos.',
  'The bank could not be reached.': 'No se pudo contactar al banco.',
  'The bank declined the card without saying why.': 'El banco rechazó la tarjeta sin decir por qué.',
  'There was not enough money in the account.': 'No había fondos suficientes en la cuenta.',
  'The account was closed.': 'La cuenta fue cerrada.',
  'The account does not exist.': 'La cuenta no existe.',
  'The account does not exist or was closed.': 'La cuenta no existe o fue cerrada.',
  'The account’s holder did not authorize the payment.': 'El titular de la cuenta no autorizó el pago.',
  'The bank of the account changed: it has to be left anew.':
    'El banco de la cuenta cambió: hay que dejar la cuenta de nuevo.',
  'The bank allows no such payments from the account.': 'El banco no permite estos pagos desde la cuenta.',
  'The account is not on file at the provider any more.': 'La cuenta ya no está guardada con el procesador de pagos.',
  'The provider gave no answer in two weeks.': 'El procesador de pagos no respondió en dos semanas.',
  'The bank did not make the payment and does not say why.': 'El banco no hizo el pago y no dice por qué.',
}

/** The sentence in a language; one that is not ours, as from a provider, is left out in Spanish. */
export const reasonIn = (language: Language, reason: string): string =>
  language === 'en' ? reason : (inSpanish[reason] ?? '')
