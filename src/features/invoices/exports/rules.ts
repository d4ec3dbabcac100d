/** What a business hands to its accountant, a file each. */
export const exportKinds = {
  invoices: { label: 'Invoices', hint: 'Each invoice issued in this time, with its tax and what is open on it now.' },
  payments: { label: 'Payments', hint: 'Each payment received in this time, with its receipt and what went back.' },
  credits: { label: 'Credit notes', hint: 'Each credit given in this time, divided into work and tax.' },
  tax: { label: 'Sales tax', hint: 'Taxable work and tax by rate; voided invoices left out, credited tax taken off.' },
  ledger: { label: 'Ledger', hint: 'Every movement of what customers owe. Its sum is how the balances changed.' },
} as const
export type ExportKind = keyof typeof exportKinds
export const exportNames = Object.keys(exportKinds) as ExportKind[]

/** Cents as a spreadsheet adds them up: "-1234.05". */
export const plainDollars = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
