/** What a customer left to pay with. */
export type PaidWith = 'card' | 'bank'

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** "Visa ending in 4242", "Test Bank account ending in 6789", "tarjeta Visa terminada en 4242". */
export const cardLabel = (
  { kind, brand, last4 }: { kind: PaidWith; brand: string; last4: string },
  language: 'en' | 'es' = 'en',
): string => {
  if (language === 'es')
    return kind === 'bank'
      ? `cuenta${brand ? ` de ${brand}` : ' bancaria'} terminada en ${last4}`
      : `${['tarjeta', brands[brand]].filter(Boolean).join(' ')} terminada en ${last4}`
  return kind === 'bank'
    ? `${brand ? `${brand} account` : 'bank account'} ending in ${last4}`
    : `${brands[brand] ?? 'Card'} ending in ${last4}`
}
