import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Remote } from '../../../../platform/books/client.ts'
import { type PayoutFacts, payoutBackDocument, payoutDocument } from './payouts.ts'
import {
  creditDocument,
  customerDocument,
  type Document,
  invoiceDocument,
  itemDocument,
  methodDocument,
  ownMethods,
  paymentDocument,
  putDocument,
  type Setup,
} from './shapes.ts'
import { expenseDocument, refundDocument } from './spent.ts'

const accounts = {
  income: '1',
  deposit: '3',
  bank: '4',
  card: '10',
  cash: '11',
  cardIsDebit: false,
  expense: '9',
  receivable: '5',
  tax: '6',
  tips: '8',
  discounts: '9',
  categories: { c: '7' },
}
const line: Setup = { accounts, taxMode: 'line', taxCode: null, holdsPayments: true }
const code: Setup = { accounts, taxMode: 'code', taxCode: '12', holdsPayments: true }
const ref = (kind: string, id: string) => ({ value: `${kind.length}${id.length}` })
const aLine = {
  serviceId: 's',
  description: 'Mowing & edging <front>',
  quantity: 1.5,
  unitPriceCents: 3333,
  totalCents: 5000,
  taxCategory: 'lawn',
  serviceOn: '2026-06-02',
}
const anInvoice = {
  id: 'i',
  number: 'INV-1001',
  customerId: 'c',
  email: 'anna@example.com',
  status: 'issued',
  issueOn: '2026-06-03',
  dueOn: '2026-06-17',
  discountCents: 500,
  taxCents: 315,
  totalCents: 4815,
  lines: [aLine],
}
const aCredit = {
  kind: 'credit' as const,
  id: 'n',
  number: 'CN-4',
  customerId: 'c',
  netCents: 900,
  taxCents: 63,
  reason: 'Gate left open',
  day: '2026-06-05',
  isVoid: false,
}
const aPayout: PayoutFacts = {
  id: 'o',
  day: '2026-06-08',
  amountCents: 22_725,
  feeCents: 775,
  feeCategoryId: 'c',
  spentCents: 1500,
  grossCents: 0,
  lossCents: 0,
  holds: [
    { kind: 'payment', id: 'p', amountCents: 5000 },
    { kind: 'payment', id: 'q', amountCents: 20_000 },
  ],
  state: 'live',
}
const puts = [{ invoiceId: 'i', amountCents: 963 }]

const documents: [string, Document][] = [
  [
    'a customer with an address',
    customerDocument({
      id: 'c',
      name: 'Anna: “Bea”\nO’Dell',
      company: 'Oak & Sons',
      email: 'anna@example.com',
      phone: '+19125550100',
      billingStreet: '1 Oak St',
      billingCity: 'Pooler',
      billingState: 'GA',
      billingZip: '31322',
    }),
  ],
  ['a service', itemDocument({ id: 's', name: 'Mowing' }, line)],
  ['an invoice with tax as a line', invoiceDocument(anInvoice, line)],
  ['an invoice with a tax code', invoiceDocument(anInvoice, code)],
  [
    'a payment',
    paymentDocument(
      {
        id: 'p',
        customerId: 'c',
        amountCents: 5000,
        day: '2026-06-04',
        receipt: 'R-7',
        note: '',
        method: 'ach',
        state: 'live',
        puts,
      },
      line,
    ),
  ],
  ['a way to pay', methodDocument(ownMethods.ach)],
  ['a payout as a deposit of its payments', payoutDocument(aPayout, line)],
  ['a payout as a transfer', payoutDocument(aPayout, { ...line, holdsPayments: false })],
  ['a payout that came back', payoutBackDocument(aPayout, line)],
  ['a credit note', creditDocument(aCredit, line)],
  ['a credit note with a tax code', creditDocument(aCredit, code)],
  ['what puts a credit on an invoice', putDocument({ ...aCredit, puts })],
  [
    'a refund',
    refundDocument(
      {
        id: 'r',
        customerId: 'c',
        amountCents: 100,
        method: 'check',
        isHeldBack: false,
        day: '2026-06-06',
        reason: 'x',
        state: 'live',
      },
      line,
    ),
  ],
  [
    'an expense',
    expenseDocument(
      {
        id: 'e',
        day: '2026-06-06',
        categoryId: 'c',
        category: 'Fuel',
        vendor: 'Shell',
        note: '',
        totalCents: 4200,
        method: 'card',
        reimbursedOn: null,
        isVoid: false,
      },
      line,
    ),
  ],
]

const centsOf = (text: string | number | undefined) => Math.round(Number(text ?? 0) * 100)

describe('what leaves', () => {
  it.each([line, code])('comes to the invoice’s total to the cent', (setup) => {
    const { Line = [], TxnTaxDetail } = invoiceDocument(anInvoice, setup).body(ref, '')
    const sum = Line.reduce(
      (all, one) => all + (one.DetailType === 'DiscountLineDetail' ? -1 : 1) * centsOf(one.Amount),
      0,
    )
    expect(sum + centsOf(TxnTaxDetail?.TotalTax)).toBe(anInvoice.totalCents)
  })

  it.each([true, false])(
    'a payout comes to what reached the bank, what went back to customers taken off in it (named: %s)',
    (holds) => {
      const document = payoutDocument({ ...aPayout, lossCents: 300 }, { ...line, holdsPayments: holds })
      const { Line = [] } = document.body(ref, '')
      expect(Line.reduce((sum, { Amount }) => sum + centsOf(Amount), 0)).toBe(22_725)
      expect(document.totalCents).toBe(22_725)
      expect(Line).toContainEqual(expect.objectContaining({ Amount: '-15.00' }))
      expect(Line.at(-1)).toMatchObject({ Amount: '-7.75', DepositLineDetail: { AccountRef: { value: '7' } } })
      expect(Line.filter(({ LinkedTxn }) => LinkedTxn).length).toBe(holds ? 2 : 0)
    },
  )

  it('a payout is nothing where payments go straight to the bank, and is asked for where it is below zero', () => {
    const direct = { ...line, accounts: { ...accounts, deposit: accounts.bank } }
    expect(payoutDocument(aPayout, direct)).toMatchObject({ state: 'none' })
    expect(payoutDocument(aPayout, direct).because).toBeUndefined()
    expect(payoutDocument({ ...aPayout, amountCents: -3000 }, line)).toMatchObject({ state: 'none', byHand: true })
    const fee = { id: 'e', day: '2026-06-06', categoryId: 'c', category: 'Fees', vendor: 'Stripe', note: '' }
    const kept = { ...fee, totalCents: 775, method: 'payout', reimbursedOn: null, isVoid: false }
    expect([expenseDocument(kept, line).state, expenseDocument(kept, direct).state]).toEqual(['none', 'live'])
  })

  it.each([
    ['card', '10', 'CreditCard'],
    ['cash', '11', 'Cash'],
    ['check', '4', 'Check'],
    ['bank', '4', 'Cash'],
  ])('an expense leaves the account that it was paid from: %s', (method, account, type) => {
    const bought = { id: 'e', day: '2026-06-06', categoryId: 'c', category: 'Fuel', vendor: 'Shell', note: '' }
    const paid = { ...bought, totalCents: 775, method, reimbursedOn: null, isVoid: false }
    const document = expenseDocument(paid, line)
    expect([document.state, document.body(ref, '')]).toMatchObject([
      'live',
      { AccountRef: { value: account }, PaymentType: type },
    ])
    const debit = { ...line, accounts: { ...accounts, card: accounts.bank, cardIsDebit: true } }
    expect(expenseDocument({ ...paid, method: 'card' }, debit).body(ref, '')).toMatchObject({ PaymentType: 'Cash' })
    const without = { ...line, accounts: { ...accounts, card: null, cash: null } }
    expect(expenseDocument(paid, without)).toMatchObject(
      account === '4' ? { state: 'live' } : { state: 'none', byHand: true, tryAgain: true },
    )
  })

  it('a refund in cash leaves the cash, any other the bank', () => {
    const back = { id: 'r', customerId: 'c', amountCents: 900, day: '2026-06-06', reason: 'x', state: 'live' as const }
    const of = (method: string, isHeldBack = false) =>
      refundDocument({ ...back, method, isHeldBack }, line).body(ref, '')
    expect(of('cash')).toMatchObject({ AccountRef: { value: '11' }, PaymentType: 'Cash' })
    expect(of('check')).toMatchObject({ AccountRef: { value: '4' }, PaymentType: 'Check' })
    expect(of('card')).toMatchObject({ AccountRef: { value: '4' }, PaymentType: 'Cash' })
    // held back from a payout it never touches the bank account
    expect(of('card', true)).toMatchObject({ AccountRef: { value: line.accounts.deposit }, PaymentType: 'Cash' })
  })

  it('names quantity and price only where they come to the amount', () => {
    const [first] = invoiceDocument(anInvoice, line).body(ref, '').Line ?? []
    expect(first?.SalesItemLineDetail).not.toHaveProperty('Qty')
    const exact = { ...anInvoice, lines: [{ ...aLine, quantity: 2, unitPriceCents: 2500 }] }
    expect(invoiceDocument(exact, line).body(ref, '').Line?.[0]?.SalesItemLineDetail).toMatchObject({
      Qty: 2,
      UnitPrice: '25.00',
    })
  })

  it('never goes there: a draft, own money that waits, what was bought on account', () => {
    expect(invoiceDocument({ ...anInvoice, issueOn: null, status: 'draft' }, line).state).toBe('none')
    expect(invoiceDocument({ ...anInvoice, status: 'void' }, line).state).toBe('void')
  })
})

const folder = process.env.SWATH_INTUIT_SCHEMAS ?? ''
const whyNot =
  folder === ''
    ? 'SWATH_INTUIT_SCHEMAS names no folder'
    : !existsSync(join(folder, 'Finance.xsd'))
      ? `${folder} holds no Finance.xsd`
      : spawnSync('xmllint', ['--version']).status !== 0
        ? 'xmllint is not installed'
        : null
const hasSchemas = whyNot === null

it.runIf(!hasSchemas)('says that the provider’s own schema was not asked, and fails where it was to be', ({ skip }) => {
  const said = `What is sent to QuickBooks was not held against Intuit’s schemas: ${whyNot}.`
  if (folder !== '') throw new Error(said)
  process.stderr.write(`${said}\n`)
  skip(said)
})

const safe = (text: unknown) => String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const element = (name: string, value: unknown): string => {
  if (Array.isArray(value)) return value.map((one) => element(name, one)).join('')
  if (name.endsWith('Ref') && typeof value === 'object' && value !== null) {
    const { value: id, type } = value as { value: string; type?: string }
    return `<${name}${type ? ` type="${type}"` : ''}>${safe(id)}</${name}>`
  }
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([key, one]) => element(key, one))
          .join('')
      : safe(value)
  return `<${name}>${inside}</${name}>`
}

/** Children in the order that the schema wants them: JSON has none, XML does. */
const order: Record<string, readonly string[]> = {
  Customer: ['CompanyName', 'DisplayName', 'PrimaryPhone', 'PrimaryEmailAddr', 'BillAddr', 'Notes'],
}
const xmlOf = (type: string, body: Remote): string => {
  const wanted = order[type] ?? Object.keys(body)
  const sorted = Object.entries(body).sort(([a], [b]) => wanted.indexOf(a) - wanted.indexOf(b))
  const inside = sorted.map(([key, value]) => element(key, value)).join('')
  return `<?xml version="1.0"?><${type} xmlns="http://schema.intuit.com/finance/v3">${inside}</${type}>`
}

describe.skipIf(!hasSchemas)('by the provider’s own schema (SWATH_INTUIT_SCHEMAS)', () => {
  const dir = mkdtempSync(join(tmpdir(), 'books-'))
  if (hasSchemas) {
    for (const file of readdirSync(folder)) copyFileSync(join(folder, file), join(dir, file))
    // The schema of the service declares the elements that stand at the root.
    writeFileSync(
      join(dir, 'all.xsd'),
      `<?xml version="1.0"?><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://schema.intuit.com/finance/v3" xmlns="http://schema.intuit.com/finance/v3" elementFormDefault="qualified"><xs:include schemaLocation="IntuitRestServiceDef.xsd"/></xs:schema>`,
    )
  }
  const judge = (type: string, body: Remote) => {
    const file = join(dir, `${type}.xml`)
    writeFileSync(file, xmlOf(type, body))
    const { status, stderr } = spawnSync('xmllint', ['--noout', '--schema', join(dir, 'all.xsd'), file], {
      encoding: 'utf8',
    })
    return { status, stderr }
  }
  it.each(documents)('%s holds', (_, document) => {
    const { status, stderr } = judge(document.type, document.body(ref, ''))
    expect(
      stderr
        .split('\n')
        .filter((text) => text.includes('error'))
        .join('\n'),
    ).toBe('')
    expect(status).toBe(0)
  })
  it('a wrong one is refused', () => {
    const body = documents[2]?.[1].body(ref, '') ?? {}
    expect(
      judge('Invoice', { ...body, Line: [{ Amount: 'forty', DetailType: 'SalesItemLineDetail' }] }).status,
    ).not.toBe(0)
  })
})
