import {
  dollarsOf,
  type Ref,
  type Remote,
  type RemoteLine,
  type RemoteType,
} from '../../../../platform/books/client.ts'
import type { Accounts } from '../../contract.ts'
import { type BooksKind, nameThere, numberThere, type TaxMode } from '../../rules.ts'

// What a record of ours is in the books. Pure, so that what leaves can be held against the provider's own schema.

/** Services that no business has in its catalog: what stands on a line without one, what is written off, and tax as a line. */
export const ownItems = {
  general: { id: '00000000-0000-7000-8000-000000000001', name: 'Lawn care services', account: 'income' },
  write_off: { id: '00000000-0000-7000-8000-000000000002', name: 'Written off', account: 'income' },
  tax: { id: '00000000-0000-7000-8000-000000000003', name: 'Sales tax collected', account: 'tax' },
  tip: { id: '00000000-0000-7000-8000-000000000004', name: 'Tips for crews', account: 'tips' },
  discount: {
    id: '00000000-0000-7000-8000-000000000005',
    name: 'Discount for paying without a card',
    account: 'discounts',
  },
} as const

/** How a payment was made, as the books name it. Their names have at most 15 letters. */
export const ownMethods = {
  card: { id: '00000000-0000-7000-8000-000000000011', name: 'Credit Card', type: 'CREDIT_CARD' },
  ach: { id: '00000000-0000-7000-8000-000000000012', name: 'ACH', type: 'NON_CREDIT_CARD' },
  check: { id: '00000000-0000-7000-8000-000000000013', name: 'Check', type: 'NON_CREDIT_CARD' },
  cash: { id: '00000000-0000-7000-8000-000000000014', name: 'Cash', type: 'NON_CREDIT_CARD' },
} as const
type OwnMethod = (typeof ownMethods)[keyof typeof ownMethods]

export type Need = { kind: BooksKind; id: string }
/** Whether a record of ours stands in the books, and by which id. */
export type RefOf = (kind: BooksKind, id: string) => Ref
export type Setup = {
  accounts: Accounts
  taxMode: TaxMode
  taxCode: string | null
  /** Payments wait there until a deposit names them. */
  holdsPayments: boolean
}

/**
 * A record as the books should have it.
 * - `live`: it should stand there as `body` says; `void`: it should count for nothing; `none`: it never goes there
 */
export type Document = {
  kind: BooksKind
  id: string
  type: RemoteType
  label: string
  state: 'live' | 'void' | 'none'
  /** Why it never goes there, for a person; without one nobody needs to know. */
  because?: string
  /** Somebody has to do it there by hand. */
  byHand?: boolean
  /** It goes once that was done: then it is tried again, not skipped. */
  tryAgain?: boolean
  day: string | null
  totalCents: number | null
  needs: readonly Need[]
  body: (ref: RefOf, suffix: string) => Remote
  /** How one that may be there already is looked for, after an answer that was lost. */
  lookFor: (ref: RefOf, suffix: string) => string
}

/** What makes a record of the books known as ours, in its note. */
export const markOf = (id: string): string => `swath:${id}`
export const noteOf = (id: string, text = ''): string =>
  [text.slice(0, 3500), `From Swath, ${markOf(id)}`].filter(Boolean).join(' · ')

export const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export type CustomerFacts = {
  id: string
  name: string
  company: string | null
  email: string | null
  phone: string | null
  billingStreet: string | null
  billingCity: string | null
  billingState: string | null
  billingZip: string | null
}

const address = (one: CustomerFacts): Record<string, string> | null => {
  const parts = {
    Line1: one.billingStreet,
    City: one.billingCity,
    CountrySubDivisionCode: one.billingState,
    PostalCode: one.billingZip,
  }
  const given = Object.entries(parts).flatMap(([key, value]) => (value ? [[key, value] as const] : []))
  return given.length > 0 ? Object.fromEntries(given) : null
}

export const customerDocument = (one: CustomerFacts): Document => {
  const place = address(one)
  return {
    kind: 'customer',
    id: one.id,
    type: 'Customer',
    label: `Customer ${one.name}`,
    state: 'live',
    day: null,
    totalCents: null,
    needs: [],
    body: (_ref, suffix) => ({
      DisplayName: nameThere(one.name, suffix),
      ...(one.company ? { CompanyName: one.company.slice(0, 100) } : {}),
      ...(one.email ? { PrimaryEmailAddr: { Address: one.email.slice(0, 100) } } : {}),
      ...(one.phone ? { PrimaryPhone: { FreeFormNumber: one.phone.slice(0, 30) } } : {}),
      ...(place ? { BillAddr: place } : {}),
      Notes: markOf(one.id),
    }),
    lookFor: (_ref, suffix) => `DisplayName = ${quote(nameThere(one.name, suffix))}`,
  }
}

export const itemDocument = (one: { id: string; name: string }, { accounts }: Setup): Document => {
  const own = Object.values(ownItems).find(({ id }) => id === one.id)
  return {
    kind: 'item',
    id: one.id,
    type: 'Item',
    label: `Service ${one.name}`,
    state: 'live',
    day: null,
    totalCents: null,
    needs: [],
    body: (_ref, suffix) => ({
      Name: nameThere(one.name, suffix),
      Type: 'Service',
      IncomeAccountRef: { value: accounts[own?.account ?? 'income'] ?? accounts.income },
    }),
    lookFor: (_ref, suffix) => `Name = ${quote(nameThere(one.name, suffix))}`,
  }
}

export const methodDocument = (one: OwnMethod): Document => ({
  kind: 'method',
  id: one.id,
  type: 'PaymentMethod',
  label: `Payment method ${one.name}`,
  state: 'live',
  day: null,
  totalCents: null,
  needs: [],
  body: (_ref, suffix) => ({ Name: nameThere(one.name, suffix, 15), Type: one.type }),
  lookFor: (_ref, suffix) => `Name = ${quote(nameThere(one.name, suffix, 15))}`,
})

const sale = (
  ref: RefOf,
  itemId: string,
  cents: number,
  options: { description?: string; taxed?: boolean; quantity?: number; unitCents?: number; day?: string | null } = {},
): RemoteLine => {
  const { description, taxed, quantity, unitCents, day } = options
  // Quantity and price only where they come to the amount to the cent: the books count it again.
  const exact = quantity !== undefined && unitCents !== undefined && quantity * unitCents === cents
  return {
    ...(description ? { Description: description.slice(0, 4000) } : {}),
    Amount: dollarsOf(cents),
    DetailType: 'SalesItemLineDetail',
    SalesItemLineDetail: {
      ItemRef: ref('item', itemId),
      ...(exact ? { UnitPrice: dollarsOf(unitCents), Qty: quantity } : {}),
      TaxCodeRef: { value: taxed ? 'TAX' : 'NON' },
      ...(day ? { ServiceDate: day } : {}),
    },
  }
}

type Taxed = { netCents: number; taxCents: number }

/** Whether their code takes our tax: none below zero, and none on work below zero. The end of a billing plan may have either. */
const isByCode = ({ taxMode }: Setup, { netCents, taxCents }: Taxed): boolean =>
  taxMode === 'code' && taxCents > 0 && netCents >= 0

/** Tax as a total: by a code of theirs with our sum, or as a line that is booked to what is owed. */
const taxParts = (ref: RefOf, setup: Setup, taxed: Taxed): { lines: RemoteLine[]; rest: Remote } => {
  const { taxCode } = setup
  const { taxCents } = taxed
  if (taxCents === 0) return { lines: [], rest: {} }
  if (isByCode(setup, taxed))
    return {
      lines: [],
      rest: {
        TxnTaxDetail: {
          ...(taxCode ? { TxnTaxCodeRef: { value: taxCode } } : {}),
          TotalTax: dollarsOf(taxCents),
        },
      },
    }
  return { lines: [sale(ref, ownItems.tax.id, taxCents, { description: 'Sales tax' })], rest: {} }
}

const taxNeeds = (setup: Setup, taxed: Taxed): Need[] =>
  taxed.taxCents !== 0 && !isByCode(setup, taxed) ? [{ kind: 'item', id: ownItems.tax.id }] : []

const taxedOf = ({ totalCents, taxCents }: InvoiceFacts): Taxed => ({ netCents: totalCents - taxCents, taxCents })

export type InvoiceFacts = {
  id: string
  number: string
  customerId: string
  email: string | null
  status: string
  issueOn: string | null
  dueOn: string | null
  discountCents: number
  taxCents: number
  totalCents: number
  /** Set for what was owed before the business came here: it stands in the books already. */
  openingFrom?: string | null
  lines: readonly {
    serviceId: string | null
    description: string
    quantity: number
    unitPriceCents: number
    totalCents: number
    taxCategory: string
    serviceOn: string | null
  }[]
}

export const invoiceDocument = (one: InvoiceFacts, setup: Setup): Document => ({
  kind: 'invoice',
  id: one.id,
  type: 'Invoice',
  label: `Invoice ${one.number}`,
  ...(one.openingFrom && one.status !== 'void'
    ? {
        state: 'none' as const,
        because: `An opening balance from ${one.openingFrom}: it was income there. Link it to the invoice that stands in QuickBooks, or enter it there against Opening Balance Equity.`,
        byHand: true,
      }
    : { state: one.status === 'void' ? 'void' : one.issueOn === null || one.lines.length === 0 ? 'none' : 'live' }),
  day: one.issueOn,
  totalCents: one.totalCents,
  needs: [
    { kind: 'customer', id: one.customerId },
    ...[...new Set(one.lines.map(({ serviceId }) => serviceId ?? ownItems.general.id))].map(
      (id): Need => ({ kind: 'item', id }),
    ),
    ...taxNeeds(setup, taxedOf(one)),
  ],
  body: (ref, suffix) => {
    const tax = taxParts(ref, setup, taxedOf(one))
    return {
      DocNumber: numberThere(one.number, suffix),
      TxnDate: one.issueOn ?? '',
      PrivateNote: noteOf(one.id),
      Line: [
        ...one.lines.map((line) =>
          sale(ref, line.serviceId ?? ownItems.general.id, line.totalCents, {
            description: line.description,
            taxed: isByCode(setup, taxedOf(one)) && line.taxCategory !== 'none',
            quantity: line.quantity,
            unitCents: line.unitPriceCents,
            day: line.serviceOn,
          }),
        ),
        ...tax.lines,
        ...(one.discountCents > 0
          ? [
              {
                Amount: dollarsOf(one.discountCents),
                DetailType: 'DiscountLineDetail' as const,
                DiscountLineDetail: { PercentBased: false },
              },
            ]
          : []),
      ],
      ...tax.rest,
      CustomerRef: ref('customer', one.customerId),
      ...(one.dueOn ? { DueDate: one.dueOn } : {}),
      ...(one.email ? { BillEmail: { Address: one.email.slice(0, 100) } } : {}),
    }
  },
  lookFor: (_ref, suffix) => `DocNumber = ${quote(numberThere(one.number, suffix))}`,
})

export type Put = {
  invoiceId: string
  amountCents: number /** A tip stands there as an invoice of its own. */
  kind?: 'movement'
}
export type PaymentFacts = {
  id: string
  customerId: string
  amountCents: number
  day: string
  receipt: string
  note: string
  method: string
  state: Document['state']
  because?: string | undefined
  /** On which invoices that are in the books it lies. */
  puts: readonly Put[]
}

const putLines = (ref: RefOf, puts: readonly Put[]): RemoteLine[] =>
  puts.map(({ invoiceId, amountCents, kind }) => ({
    Amount: dollarsOf(amountCents),
    LinkedTxn: [{ TxnId: ref(kind ?? 'invoice', invoiceId).value, TxnType: 'Invoice' }],
  }))
const putNeeds = (puts: readonly Put[]): Need[] =>
  puts.map(({ invoiceId, kind }) => ({ kind: kind ?? 'invoice', id: invoiceId }))

export const paymentDocument = (one: PaymentFacts, { accounts }: Setup): Document => {
  const method = ownMethods[one.method as keyof typeof ownMethods] as OwnMethod | undefined
  return {
    kind: 'payment',
    id: one.id,
    type: 'Payment',
    label: `Payment ${one.receipt}`,
    state: one.state,
    ...(one.because ? { because: one.because, byHand: true } : {}),
    day: one.day,
    totalCents: one.amountCents,
    needs: [
      { kind: 'customer', id: one.customerId },
      ...(method ? [{ kind: 'method' as const, id: method.id }] : []),
      ...putNeeds(one.puts),
    ],
    body: (ref) => ({
      TxnDate: one.day,
      PrivateNote: noteOf(one.id, one.note),
      Line: putLines(ref, one.puts),
      CustomerRef: ref('customer', one.customerId),
      DepositToAccountRef: { value: accounts.deposit },
      ...(method ? { PaymentMethodRef: ref('method', method.id) } : {}),
      PaymentRefNum: one.receipt.slice(0, 21),
      TotalAmt: dollarsOf(one.amountCents),
    }),
    lookFor: (ref) => `CustomerRef = ${quote(ref('customer', one.customerId).value)} and TxnDate = ${quote(one.day)}`,
  }
}

export type TipFacts = {
  id: string
  customerId: string
  amountCents: number
  day: string
  receipt: string
  isPlayed: boolean
}

/** A tip that came is owed to the crew: an invoice over it, which its payment pays. One that went back is a credit memo, off what is owed. */
export const tipDocument = (one: TipFacts, { accounts }: Setup): Document => {
  const came = one.amountCents > 0
  const cents = Math.abs(one.amountCents)
  const label = `${came ? 'Tip' : 'Tip given back'}, ${one.receipt}`
  return {
    kind: 'movement',
    id: one.id,
    type: came ? 'Invoice' : 'CreditMemo',
    label,
    state: one.isPlayed || accounts.tips === null ? 'none' : 'live',
    ...(accounts.tips === null && !one.isPlayed
      ? {
          because: 'Choose the account for tips in the set-up of QuickBooks, then try this again.',
          byHand: true,
          tryAgain: true,
        }
      : {}),
    day: one.day,
    totalCents: cents,
    needs: [
      { kind: 'customer', id: one.customerId },
      { kind: 'item', id: ownItems.tip.id },
    ],
    body: (ref) => ({
      TxnDate: one.day,
      PrivateNote: noteOf(one.id, label),
      Line: [sale(ref, ownItems.tip.id, cents, { description: came ? 'Tip for the crew' : 'Tip given back' })],
      CustomerRef: ref('customer', one.customerId),
    }),
    lookFor: (ref) => `CustomerRef = ${quote(ref('customer', one.customerId).value)} and TxnDate = ${quote(one.day)}`,
  }
}

export type CreditFacts = {
  kind: 'credit' | 'write_off'
  id: string
  number: string
  customerId: string
  netCents: number
  taxCents: number
  reason: string
  day: string
  isVoid: boolean
  /** It is the discount for paying without a card. */
  isDiscount?: boolean
}

/** What a credit comes to, with its tax. */
export const totalOf = ({ netCents, taxCents }: Taxed): number => netCents + taxCents

export const creditDocument = (one: CreditFacts, setup: Setup): Document => {
  const item = (one.kind === 'write_off' ? ownItems.write_off : one.isDiscount ? ownItems.discount : ownItems.general)
    .id
  return {
    kind: one.kind,
    id: one.id,
    type: 'CreditMemo',
    label: `${one.kind === 'credit' ? 'Credit note' : 'Write-off'} ${one.number}`,
    state: one.isVoid ? 'void' : 'live',
    day: one.day,
    totalCents: totalOf(one),
    needs: [{ kind: 'customer', id: one.customerId }, { kind: 'item', id: item }, ...taxNeeds(setup, one)],
    body: (ref, suffix) => {
      const tax = taxParts(ref, setup, one)
      return {
        DocNumber: numberThere(one.number, suffix),
        TxnDate: one.day,
        PrivateNote: noteOf(one.id, one.reason),
        Line: [
          sale(ref, item, one.netCents, {
            description: one.reason || (one.kind === 'credit' ? 'Credit' : 'Written off'),
            taxed: isByCode(setup, one),
          }),
          ...tax.lines,
        ],
        ...tax.rest,
        CustomerRef: ref('customer', one.customerId),
      }
    },
    lookFor: (_ref, suffix) => `DocNumber = ${quote(numberThere(one.number, suffix))}`,
  }
}

/** What puts a credit note or a write-off on invoices: a payment over nothing that ties them together. */
export const putDocument = (
  one: Omit<CreditFacts, 'kind'> & { kind: CreditFacts['kind'] | 'movement'; puts: readonly Put[] },
): Document => ({
  kind: 'use',
  id: one.id,
  type: 'Payment',
  label: `Use of ${one.number}`,
  state: one.isVoid || one.puts.length === 0 ? 'void' : 'live',
  day: one.day,
  totalCents: 0,
  needs: [{ kind: 'customer', id: one.customerId }, { kind: one.kind, id: one.id }, ...putNeeds(one.puts)],
  body: (ref) => ({
    TxnDate: one.day,
    PrivateNote: noteOf(one.id, `Puts ${one.number} on what it was given for`),
    Line: [
      ...putLines(ref, one.puts),
      {
        Amount: dollarsOf(one.puts.reduce((sum, { amountCents }) => sum + amountCents, 0)),
        LinkedTxn: [{ TxnId: ref(one.kind, one.id).value, TxnType: 'CreditMemo' }],
      },
    ],
    CustomerRef: ref('customer', one.customerId),
    TotalAmt: '0.00',
  }),
  lookFor: (ref) => `CustomerRef = ${quote(ref('customer', one.customerId).value)} and TxnDate = ${quote(one.day)}`,
})
