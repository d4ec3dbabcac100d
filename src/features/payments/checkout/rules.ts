import type { Language } from '../../businesses/notices/rules.ts'

/** The least that is paid as a part of an invoice, and the least that is left of it, in cents. */
export const leastPartCents = 100

/**
 * From where to where a part of an invoice can be paid, in cents; null where there is too little for two.
 * @param atOnceCents the most that is charged at once
 */
export const partLimits = (
  payableCents: number,
  atOnceCents: number,
): { leastCents: number; mostCents: number } | null =>
  payableCents >= 2 * leastPartCents
    ? { leastCents: leastPartCents, mostCents: Math.min(payableCents - leastPartCents, atOnceCents) }
    : null

/** What a customer reads whose payment page does not open. Each says that nothing was charged, or that money is safe. */
const en = {
  onItsWay: 'Your payment is on its way from your bank. Please do not pay twice; look here again in a few days.',
  bankOnItsWay: (sum: string, invoice: string) =>
    `Your bank payment of ${sum} for ${invoice} is on its way. Please do not pay twice; nothing was charged.`,
  notTold:
    'Autopay tells you before each charge, and neither a mail nor a text reaches you here. Please pay without it; nothing was charged.',
  termsChanged: 'The terms of autopay changed a moment ago. Reload the page to read them; nothing was charged.',
  notSetUp: 'Card payments are not set up here right now. Please contact the business to pay another way.',
  discountEnded:
    'The discount for paying from a bank account ended a moment ago. Reload the page; nothing was charged.',
  amountChanged: 'The amount changed a moment ago. Reload the page to see what is open.',
  noTips: 'Tips cannot be added here any more. Reload the page to pay without one; nothing was charged.',
  atMost: (sum: string) => `At most ${sum}.`,
  noParts: 'Only all of it can be paid here now. Reload the page to see what is open; nothing was charged.',
  partBetween: (least: string, most: string) => `From ${least} to ${most}, or all of it. Nothing was charged.`,
  paidOfSeveral: (invoice: string) =>
    `${invoice} is paid by now. The page shows what is still open; nothing was charged.`,
  closedOfSeveral: (invoice: string) =>
    `${invoice} is closed by now. The page shows what is still open; nothing was charged.`,
  paid: 'This invoice is paid. Thank you!',
  closed: 'This invoice cannot be paid any more. Please contact the business.',
  tooLittle: 'This is too little for a card. Please contact the business to pay another way.',
  tooMuch:
    'This is more than a card or a bank account is charged at once. Please contact the business to pay it another way; nothing was charged.',
  tooMuchTogether:
    'Together this is more than a card or a bank account is charged at once. Pay some of it now and the rest after it; nothing was charged.',
  disputed: (invoice: string) =>
    `Your bank is looking into an earlier payment of ${invoice}. There is nothing to pay on it until it has decided; nothing was charged.`,
  partAmount: 'Type how much you would like to pay, in dollars. Nothing was charged.',
  noneChecked: 'Check at least one invoice, then pay. Nothing was charged.',
  someClosed: 'Some of it was paid or closed in the meantime. Below is what is still open; nothing was charged.',
  andMore: (names: string, more: number) => `${names} and ${more} more`,
  charging: 'Your saved card is being charged right now. Look here again in a few minutes; please do not pay twice.',
}

const es: typeof en = {
  onItsWay: 'Su pago viene en camino desde su banco. Por favor no pague dos veces; vuelva a mirar aquí en unos días.',
  bankOnItsWay: (sum, invoice) =>
    `Su pago bancario de ${sum} por ${invoice} viene en camino. Por favor no pague dos veces; no se cobró nada.`,
  notTold:
    'El pago automático le avisa antes de cada cobro, y ni un correo ni un mensaje le llegan. Por favor pague sin él; no se cobró nada.',
  termsChanged:
    'Las condiciones del pago automático cambiaron hace un momento. Vuelva a cargar la página para leerlas; no se cobró nada.',
  notSetUp:
    'En este momento no se puede pagar con tarjeta aquí. Por favor comuníquese con la empresa para pagar de otra forma.',
  discountEnded:
    'El descuento por pagar desde una cuenta bancaria terminó hace un momento. Vuelva a cargar la página; no se cobró nada.',
  amountChanged: 'El monto cambió hace un momento. Vuelva a cargar la página para ver lo que está pendiente.',
  noTips: 'Ya no se pueden agregar propinas aquí. Vuelva a cargar la página para pagar sin propina; no se cobró nada.',
  atMost: (sum) => `Como máximo ${sum}.`,
  noParts:
    'Ahora aquí solo se puede pagar todo. Vuelva a cargar la página para ver lo que está pendiente; no se cobró nada.',
  partBetween: (least, most) => `De ${least} a ${most}, o todo. No se cobró nada.`,
  paidOfSeveral: (invoice) => `${invoice} ya está pagada. La página muestra lo que sigue pendiente; no se cobró nada.`,
  closedOfSeveral: (invoice) =>
    `${invoice} ya está cerrada. La página muestra lo que sigue pendiente; no se cobró nada.`,
  paid: 'Esta factura está pagada. ¡Gracias!',
  closed: 'Esta factura ya no se puede pagar. Por favor comuníquese con la empresa.',
  tooLittle: 'Es muy poco para una tarjeta. Por favor comuníquese con la empresa para pagar de otra forma.',
  tooMuch:
    'Es más de lo que se cobra de una vez a una tarjeta o cuenta bancaria. Por favor comuníquese con la empresa para pagar de otra forma; no se cobró nada.',
  tooMuchTogether:
    'Todo junto es más de lo que se cobra de una vez a una tarjeta o cuenta bancaria. Pague una parte ahora y el resto después; no se cobró nada.',
  disputed: (invoice) =>
    `Su banco está revisando un pago anterior de ${invoice}. No hay nada que pagar hasta que decida; no se cobró nada.`,
  partAmount: 'Escriba cuánto quiere pagar, en dólares. No se cobró nada.',
  noneChecked: 'Marque al menos una factura y luego pague. No se cobró nada.',
  someClosed: 'Algo de esto se pagó o se cerró mientras tanto. Abajo está lo que sigue pendiente; no se cobró nada.',
  andMore: (names, more) => `${names} y ${more} más`,
  charging:
    'Su tarjeta guardada se está cobrando en este momento. Vuelva a mirar aquí en unos minutos; por favor no pague dos veces.',
}

/** The words of a payment page that does not open, in the language of the customer's papers. */
export const payTexts: Record<Language, typeof en> = { en, es }
