/** What a business hands to its accountant, a file each. */
export const exportKinds = {
  invoices: { label: 'Invoices', hint: 'Each invoice issued in this time, with its tax and what is open on it now.' },
  payments: { label: 'Payments', hint: 'Each payment received in this time, with its receipt and what went back.' },
  credits: { label: 'Credit notes', hint: 'Each credit given in this time, divided into work and tax.' },
  tax: {
    label: 'Sales tax',
    hint: 'Taxable work and tax by rate, exempt and untaxed work by state; what was voided or credited is taken off.',
  },
  ledger: { label: 'Ledger', hint: 'Every movement of what customers owe. Its sum is how the balances changed.' },
  expenses: {
    label: 'Expenses',
    hint: 'What was spent in this time by category, crew and job, a split one in its parts.',
  },
  mileage: { label: 'Mileage', hint: 'Miles by truck and day with what they come to at the IRS rate of the year.' },
  payouts: {
    label: 'Payouts',
    hint: 'What the card provider sent to your bank, and the payments, refunds, disputes and fees that each is made of.',
  },
  iif: {
    label: 'QuickBooks Desktop',
    hint: 'All of it as an IIF file: journal entries with customers, vendors and accounts.',
  },
  journal: {
    label: 'Journal as CSV',
    hint: 'The same entries, each with debit and credit by the name of its account: for QuickBooks Online as it is; for Xero put the codes of your accounts beside their names first.',
  },
} as const
export type ExportKind = keyof typeof exportKinds
export const exportNames = Object.keys(exportKinds) as ExportKind[]

/** Cents as a spreadsheet adds them up: "-1234.05". */
export const plainDollars = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

/** Accounts of the journal, as QuickBooks calls them in a new company, by its account types. */
export const accounts = {
  receivable: { name: 'Accounts Receivable', type: 'AR' },
  undeposited: { name: 'Undeposited Funds', type: 'OCASSET' },
  field: { name: 'Cash in the Field', type: 'OCASSET' },
  overShort: { name: 'Cash Over and Short', type: 'EXP' },
  checking: { name: 'Checking', type: 'BANK' },
  cash: { name: 'Petty Cash', type: 'BANK' },
  card: { name: 'Company Credit Card', type: 'CCARD' },
  payable: { name: 'Accounts Payable', type: 'AP' },
  opening: { name: 'Opening Balance Equity', type: 'EQUITY' },
  tips: { name: 'Tips Payable', type: 'OCLIAB' },
  salesTax: { name: 'Sales Tax Collected', type: 'OCLIAB' },
  people: { name: 'Due to Employees', type: 'OCLIAB' },
  services: { name: 'Services', type: 'INC' },
  credits: { name: 'Customer Credits', type: 'INC' },
  discounts: { name: 'Discounts Given', type: 'INC' },
  badDebts: { name: 'Bad Debts', type: 'EXP' },
  uncategorized: { name: 'Uncategorized Income', type: 'INC' },
  chargebacks: { name: 'Chargeback Losses', type: 'EXP' },
} as const
export type Account = { name: string; type: string }

/** One entry of the journal; a debit is positive. Its lines come to zero. */
export type JournalEntry = {
  day: string
  memo: string
  /** Who it is about, and in which list of QuickBooks they are. */
  name: string
  list: 'customer' | 'vendor' | 'person'
  lines: { account: Account; cents: number }[]
}

/** What an entry of the ledger is against what customers owe; `taxCents` is the share of its invoice or credit note. */
export type Movement = {
  kind: 'invoice' | 'payment' | 'credit' | 'refund' | 'void' | 'write_off' | 'adjustment' | 'dispute' | 'tip'
  refType: string
  amountCents: number
  taxCents: number
  isCredit: boolean
  /** What was owed before the business came here: income of its former books. */
  isOpening?: boolean
  /** That credit is the discount for paying without a card. */
  isDiscount?: boolean
  /** Money that a crew took and the office does not have yet. */
  isHeld?: boolean
  /** A card provider paid it out of what it had not paid out yet. */
  isByProvider?: boolean
  /** How money went back, where it did. */
  refundMethod?: string | undefined
}

const otherAccount = ({
  kind,
  refType,
  isCredit,
  isOpening,
  isDiscount,
  isHeld,
  isByProvider,
  refundMethod,
}: Movement): Account => {
  if (kind === 'tip') return accounts.tips
  if (isOpening && (kind === 'invoice' || kind === 'void')) return accounts.opening
  if (kind === 'write_off' || refType === 'write_off') return accounts.badDebts
  if (refType === 'dispute' || refType === 'dispute_cover' || refType === 'dispute_turn') return accounts.undeposited
  if (kind === 'refund' || refType === 'refund')
    return isByProvider ? accounts.undeposited : refundMethod === 'cash' ? accounts.cash : accounts.checking
  if (kind === 'credit' || isCredit) return isDiscount ? accounts.discounts : accounts.credits
  if (isHeld) return accounts.field
  return kind === 'payment' || refType === 'payment' ? accounts.undeposited : accounts.services
}

/** The lines of a movement: what is owed against what it was, its sales tax apart. They come to zero. */
export const linesOf = (movement: Movement): JournalEntry['lines'] => {
  const { amountCents } = movement
  // tax may stand below zero on what comes to more than zero, and be more than all of it
  const taxCents = Math.sign(amountCents) * movement.taxCents
  return [
    { account: accounts.receivable, cents: amountCents },
    { account: otherAccount(movement), cents: taxCents - amountCents },
    { account: accounts.salesTax, cents: -taxCents },
  ].filter(({ cents }) => cents !== 0)
}

/** What a hand-in moves: from the field into the till as it was counted, the difference named. They come to zero. */
export const handInLines = (
  { cashCents, countedCents, checkCents }: { cashCents: number; countedCents: number; checkCents: number },
  sign: 1 | -1,
): JournalEntry['lines'] =>
  [
    { account: accounts.undeposited, cents: sign * (countedCents + checkCents) },
    { account: accounts.overShort, cents: sign * (cashCents - countedCents) },
    { account: accounts.field, cents: -sign * (cashCents + checkCents) },
  ].filter(({ cents }) => cents !== 0)

/**
 * What a payout moves: what was taken, less what the provider kept, reaches the bank. What is none of ours, or adds up to nothing that was told,
 * stands apart for the accountant. They come to zero.
 * @param oursCents lines that stand in these books, before fees
 * @param feeCents what is booked as an expense of its own
 */
export const payoutLines = ({
  amountCents,
  oursCents,
  feeCents,
}: {
  amountCents: number
  oursCents: number
  feeCents: number
}): JournalEntry['lines'] =>
  [
    { account: accounts.checking, cents: amountCents },
    { account: accounts.undeposited, cents: feeCents - oursCents },
    { account: accounts.uncategorized, cents: oursCents - feeCents - amountCents },
  ].filter(({ cents }) => cents !== 0)

const methodAccounts: Record<string, Account> = {
  card: accounts.card,
  cash: accounts.cash,
  check: accounts.checking,
  bank: accounts.checking,
  account: accounts.payable,
  personal: accounts.people,
  payout: accounts.undeposited,
}

/** From which account an expense was paid. */
export const accountOfMethod = (method: string): Account => methodAccounts[method] ?? accounts.checking

/** Words as an IIF file can hold them: no tabs, no quotes, plain letters. @param most letters, 41 for names */
export const iifWord = (text: string, most = 200): string =>
  text
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2013\u2014]/g, '-')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, ' ')
    .replace(/["\t]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, most)
    .trim()

/** A name of a list: a colon would make it a part of another, and a vendor cannot be called as a customer is. */
const nameIn = (entry: JournalEntry, customers: ReadonlySet<string>): string => {
  const name = iifWord(entry.name.replaceAll(':', '-'), 37) || (entry.list === 'vendor' ? 'Vendor' : '')
  return entry.list !== 'customer' && customers.has(name.toLowerCase()) ? `${name} (V)` : name
}

const usDay = (day: string): string => `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`

/** The journal as QuickBooks Desktop imports it (IIF): accounts and names first, then an entry each, tabs between, CRLF. */
export const iifText = (entries: readonly JournalEntry[]): string => {
  const customers = new Set(
    entries
      .filter(({ list }) => list === 'customer')
      .map(({ name }) => iifWord(name.replaceAll(':', '-'), 37).toLowerCase()),
  )
  const used = new Map(
    entries.flatMap(({ lines }) => lines.map(({ account }) => [iifWord(account.name, 31), account.type])),
  )
  const names = (list: JournalEntry['list']) =>
    [...new Set(entries.filter((one) => one.list === list).map((one) => nameIn(one, customers)))].filter(Boolean).sort()
  const head = 'TRNSTYPE\tDATE\tACCNT\tNAME\tAMOUNT\tDOCNUM\tMEMO'
  const rows = [
    '!ACCNT\tNAME\tACCNTTYPE',
    ...[...used].map(([name, type]) => `ACCNT\t${name}\t${type}`),
    '!CUST\tNAME',
    ...names('customer').map((name) => `CUST\t${name}`),
    '!VEND\tNAME',
    ...[...names('vendor'), ...names('person')].map((name) => `VEND\t${name}`),
    `!TRNS\t${head}`,
    `!SPL\t${head}`,
    '!ENDTRNS',
    ...entries.flatMap((entry, at) => [
      ...entry.lines.map(({ account, cents }, line) =>
        [
          line === 0 ? 'TRNS' : 'SPL',
          'GENERAL JOURNAL',
          usDay(entry.day),
          iifWord(account.name, 31),
          nameIn(entry, customers),
          plainDollars(cents),
          String(at + 1),
          iifWord(entry.memo),
        ].join('\t'),
      ),
      'ENDTRNS',
    ]),
  ]
  return rows.map((row) => `${row}\r\n`).join('')
}

/** The journal as rows with debit and credit, the sums of both below. */
export const journalTable = (entries: readonly JournalEntry[]): (string | number | null)[][] => {
  // no row of sums: an import would take it for an entry without a day
  return [
    ['Journal no.', 'Date', 'Account', 'Debits', 'Credits', 'Description', 'Name'],
    ...entries.flatMap(({ day, memo, name, lines }, at) =>
      lines.map(({ account, cents }) => [
        at + 1,
        usDay(day),
        account.name,
        cents > 0 ? plainDollars(cents) : null,
        cents < 0 ? plainDollars(-cents) : null,
        memo,
        name,
      ]),
    ),
  ]
}
