export const timelineKinds = ['visit', 'message', 'call', 'quote', 'money', 'note'] as const
export type TimelineKind = (typeof timelineKinds)[number]

export const timelineKindLabels: Record<TimelineKind, string> = {
  visit: 'Visits',
  message: 'Messages',
  call: 'Calls',
  quote: 'Quotes',
  money: 'Money',
  note: 'Notes',
}

/** What an entry of the ledger is called, by what it is of. */
export const moneyTitle = (kind: string, refType: string, number: number | null): string => {
  const invoice = number === null ? 'Invoice' : `Invoice ${number}`
  const names: Record<string, string> = {
    invoice: invoice,
    payment: 'Payment',
    credit: 'Credit',
    refund: 'Refund',
    void: `${invoice} voided`,
    write_off: `${invoice} written off`,
  }
  return names[kind] ?? (refType === 'opening' ? 'Opening balance' : 'Adjustment')
}

/** What happened to a quote, by its event. */
export const quoteEventTitle: Record<string, string> = {
  sent: 'sent',
  viewed: 'opened by them',
  revised: 'new version begun',
  changes_requested: 'they ask for changes',
  approved: 'signed',
  declined: 'declined',
  expired: 'expired',
  converted: 'made a job',
  follow_up: 'asked after',
  deposit_paid: 'deposit paid',
}
