import type { Refusal } from '../../../shared/can.ts'
import { cardLabel, type PaidWith } from '../../../shared/cardLabel.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { bankProblem, mayRepresent, mostRepresentments, representAfterDays } from '../debits/rules.ts'

export { cardLabel, type PaidWith }

/** Raised with every change of the words: what a customer agreed to is kept as they saw it. */
export const mandateVersion = 4
/** The words where a bank account may be left too. */
export const bankMandateVersion = 5
/** From this version on the words name the further tries of a declined card; before, each of them had its whole notice. */
const triesNamedFrom = 2

/** From this version on the words say that a text may announce a charge; before, it was a mail. */
export const textsNamedFrom = 4

/** Days after the first try on which a declined card is tried again; then it stops. */
export const retryDays = [3, 5, 7] as const

const mandateInSpanish = (businessName: string, noticeDays: number, bank: boolean): string => {
  const notice = `Recibo un correo o un mensaje de texto al menos ${noticeDays === 1 ? '1 día' : `${noticeDays} días`} antes de cada cobro, con el monto y el día.`
  const tries = `se intenta de nuevo hasta ${retryDays.length} veces en ${retryDays.at(-1)} días`
  const off = `Puedo desactivarlo en cualquier momento en la página de cualquier factura, o avisando a ${businessName}.`
  return bank
    ? `Permito que ${businessName} guarde esta tarjeta o cuenta bancaria y le cobre el monto de cada una de mis facturas el día en que vence; de una cuenta bancaria es un débito electrónico (ACH), que autorizo a ${businessName} a hacer. ${notice} Si el banco rechaza una tarjeta, ${tries}; si no hay fondos suficientes en una cuenta bancaria, se pide de nuevo al banco hasta ${mostRepresentments} veces, ${representAfterDays} días después de cada respuesta. Recibo un correo o un mensaje de texto con el día de cada intento. ${off}`
    : `Permito que ${businessName} guarde esta tarjeta y le cobre el monto de cada una de mis facturas el día en que vence. ${notice} Si el banco rechaza un cobro, ${tries}, y recibo un correo o un mensaje de texto con el día de cada intento. ${off}`
}

/** What a customer agrees to when they leave a card, or a bank account where the business takes them. */
export const mandateText = (
  businessName: string,
  noticeDays: number,
  bank = false,
  language: Language = 'en',
): string => {
  if (language === 'es') return mandateInSpanish(businessName, noticeDays, bank)
  const notice = `I get a mail or a text at least ${noticeDays === 1 ? '1 day' : `${noticeDays} days`} before each charge, with the amount and the day.`
  const tries = `it is tried again up to ${retryDays.length} times within ${retryDays.at(-1)} days`
  const off = `I can turn this off at any time on the page of any invoice, or by telling ${businessName}.`
  return bank
    ? `I let ${businessName} keep this card or bank account and charge it for the amount of each of my invoices, on the day it is due; from a bank account that is an electronic (ACH) debit, which I authorize ${businessName} to make. ${notice} If the bank declines a card, ${tries}; if there is not enough money in a bank account, its bank is asked again up to ${mostRepresentments} times, ${representAfterDays} days after each answer. I get a mail or a text with the day of each. ${off}`
    : `I let ${businessName} keep this card and charge it for the amount of each of my invoices, on the day it is due. ${notice} If the bank declines a charge, ${tries}, and I get a mail or a text with the day of each. ${off}`
}

const words: Record<string, string> = {
  insufficient_funds: 'There was not enough money on the card.',
  expired_card: 'The card has expired.',
  lost_card: 'The bank does not accept this card any more.',
  stolen_card: 'The bank does not accept this card any more.',
  pickup_card: 'The bank does not accept this card any more.',
  authentication_required: 'The bank wants the holder to confirm the payment in person.',
  card_velocity_exceeded: 'The card has reached the limit that its bank sets.',
  withdrawal_count_limit_exceeded: 'The card has reached the limit that its bank sets.',
  incorrect_number: 'The card’s number is not valid any more.',
  invalid_account: 'The account behind the card was closed.',
  currency_not_supported: 'The card cannot be charged in dollars.',
  resource_missing: 'The card is not on file at the provider any more.',
  processing_error: 'The bank could not be reached.',
  issuer_not_available: 'The bank could not be reached.',
}

const unsaid = 'The bank declined the card without saying why.'

/** Why a charge was declined, as a sentence; most banks do not say. */
export const declineMessage = (code: string | null, kind: PaidWith = 'card'): string =>
  kind === 'bank' ? bankProblem(code) : (words[code ?? ''] ?? unsaid)

/** Every sentence that a card is declined with. */
export const declineMessages: readonly string[] = [...new Set([...Object.values(words), unsaid])]

const hopeless = new Set([
  'expired_card',
  'lost_card',
  'stolen_card',
  'pickup_card',
  'authentication_required',
  'incorrect_number',
  'invalid_account',
  'currency_not_supported',
  'resource_missing',
])

/**
 * When a declined card is tried again, counted from the first try's day; null for never.
 * @param tries how often it was tried, this one included
 */
export const nextTryOn = (firstOn: Day, tries: number, code: string | null): Day | null => {
  const after = hopeless.has(code ?? '') ? undefined : retryDays[tries - 1]
  return after === undefined ? null : addDays(firstOn, after)
}

/** When a bank that said no is asked again, counted from the day of its answer; null for never. */
export const nextDebitOn = (answeredOn: Day, tries: number, code: string | null): Day | null =>
  mayRepresent(code, tries) ? addDays(answeredOn, representAfterDays) : null

/** The day of the charge: the due day, and never sooner after the notice than was promised. */
export const chargeDay = (dueOn: Day, noticedOn: Day, noticeDays: number): Day => {
  const soonest = addDays(noticedOn, noticeDays)
  return dueOn > soonest ? dueOn : soonest
}

/**
 * The day of a further try: never today, because a server that was off for days does not try twice at once, and with its whole notice where the
 * holder agreed to words that do not name further tries.
 */
export const retryDay = (
  planned: Day,
  today: Day,
  { mandateVersion: version, noticeDays }: { mandateVersion: number; noticeDays: number },
): Day => {
  const soonest = addDays(today, version < triesNamedFrom ? noticeDays : 1)
  return planned > soonest ? planned : soonest
}

type Expiry = { expMonth: number | null; expYear: number | null }

/** The last day on which a card is good; null for a bank account. */
export const lastGoodDay = ({ expMonth, expYear }: Expiry): Day | null => {
  if (expMonth === null || expYear === null) return null
  const next = expMonth === 12 ? `${expYear + 1}-01-01` : `${expYear}-${String(expMonth + 1).padStart(2, '0')}-01`
  return addDays(next, -1)
}

/** Whether a card ends so soon that its holder is told. */
export const expiresSoon = (card: Expiry, today: Day): boolean => {
  const last = lastGoodDay(card)
  return last !== null && last <= addDays(today, 30)
}

/** "12/2028"; null for a bank account. */
export const expiryLabel = ({ expMonth, expYear }: Expiry): string | null =>
  expMonth === null ? null : `${String(expMonth).padStart(2, '0')}/${expYear}`

export const cardActions = ['remove', 'turnOn', 'turnOff'] as const
export type CardAction = (typeof cardActions)[number]
type CardFacts = { autopay: boolean; expired: boolean; stoppedByHolder: boolean; disputed: boolean; reached: boolean }

/** Why something cannot be done with a card on file now. */
export const cardRefusals: Record<CardAction, Refusal<CardFacts>> = {
  remove: () => null,
  turnOn: ({ autopay, expired, stoppedByHolder, disputed, reached }) =>
    autopay
      ? 'Autopay is on already. Nothing was changed.'
      : stoppedByHolder
        ? 'The customer turned autopay off. Only they can turn it on again: they pay an invoice by card and tick autopay there. Nothing was changed.'
        : disputed
          ? 'A payment of this customer is disputed. Wait until the bank has decided; nothing was changed.'
          : expired
            ? 'This card has expired. Ask the customer to pay their next invoice with another one; nothing was changed.'
            : !reached
              ? 'Each charge is announced, and neither a mail nor a text reaches this customer. Add an e-mail to them first; nothing was changed.'
              : null,
  turnOff: ({ autopay }) => (autopay ? null : 'Autopay is off already. Nothing was changed.'),
}
