import { expect, it } from 'vitest'
import { readPdf } from '../../../test/papers.ts'
import type { PaymentFacts } from '../papers/rules.ts'
import { paymentPaper } from '../papers/server/paper.ts'
import { type EntryFacts, entryLabel, statementNotes } from '../statements/rules.ts'
import { statementPaper } from '../statements/server/paper.ts'
import { invoicePdf, paperPdf } from './pdf.ts'

/** The papers of who reads Spanish: an English word on one of them is a text that is missing. */

const english =
  /\b(the|your|is|was|of|and|for|from|by|to|with|invoice|paid|pay|due|open|receipt|received|thank|note|balance|amount|issued|statement|bill|date|service|price|page|credit|left|back|tip|taken|refund|deposit|tax)\b/i
const place = { street: 'Calle Uno 1', city: 'Austin', state: 'TX', zip: '78701' }
const sender = {
  ...place,
  name: 'Césped Verde',
  phone: null,
  email: null,
  brandColor: '#14432f',
  invoiceTerms: 'Páguese en 14 días.',
}
const to = { ...place, name: 'Ana Ruiz', company: null }
const spanish = async (pdf: Promise<Uint8Array>): Promise<string> => {
  const words = (await readPdf(await pdf)).flat().join('\n')
  expect(english.exec(words)?.[0] ?? null, words).toBeNull()
  return words
}

it('an invoice, late and with a bank payment on its way', async () => {
  const words = await spanish(
    invoicePdf({
      invoice: {
        language: 'es',
        number: 1042,
        issueOn: '2026-05-01',
        dueOn: '2026-05-15',
        billTo: to,
        lines: [],
        taxes: [{ name: 'Impuesto', ratePercent: 8.25, baseCents: 10_000, taxCents: 825 }],
        subtotalCents: 11_000,
        discountCents: 1000,
        totalCents: 10_825,
        paidCents: 2000,
        creditedCents: 500,
        balanceCents: 8825,
        message: '',
        fees: [{ number: 1050, openCents: 500 }],
        pending: { cents: 5000, coversCents: 5000, since: '2026-05-20' },
      },
      sender,
      payUrl: 'https://swath.example/i/abc',
      logo: null,
    }),
  )
  for (const said of ['Emitida el vie, 1 de may de 2026', 'Vence el', 'FACTURAR A', 'Saldo pendiente', 'Página 1 de 1'])
    expect(words).toContain(said)
})

it('a receipt, a deposit, a credit note and what was taken back', async () => {
  const payment: PaymentFacts = {
    method: 'check',
    amountCents: 15_000,
    refundedCents: 2000,
    tipCents: 1000,
    status: 'succeeded',
    receivedOn: '2026-05-08',
    note: 'Cheque 2217',
    receiptNumber: 1007,
    creditNote: null,
    job: null,
    on: [{ number: 1042, issueOn: '2026-05-01', amountCents: 5500 }],
  }
  const creditNote = { number: 3, netCents: 14_000, taxCents: 1000, invoiceNumber: 1042 }
  const changes: Partial<PaymentFacts>[] = [
    {},
    { status: 'reversed' },
    { job: { number: 4, title: 'Riego' }, on: [], tipCents: 0, refundedCents: 0 },
    { method: 'credit', creditNote, note: '', refundedCents: 0, tipCents: 0 },
    ...(['card', 'ach', 'cash', 'other'] as const).map((method) => ({ method })),
  ]
  for (const change of changes)
    await spanish(paperPdf({ paper: paymentPaper({ ...payment, ...change }, to, 'es'), sender, logo: null }))
})

it('a statement with an entry of every kind', async () => {
  const facts = { refType: '', amountCents: 100, invoiceNumber: 7, creditNumber: null, receiptNumber: 9, method: null }
  const kinds: EntryFacts[] = [
    ...(['invoice', 'void', 'write_off', 'payment', 'credit', 'refund', 'tip', 'dispute'] as const).map((kind) => ({
      ...facts,
      kind,
    })),
    { ...facts, kind: 'tip', amountCents: -100 },
    { ...facts, kind: 'credit', creditNumber: 3 },
    { ...facts, kind: 'payment', method: 'ach' },
    { ...facts, kind: 'payment', creditNumber: 3 },
    ...['dispute', 'write_off', 'refund', 'payment'].map((refType) => ({
      ...facts,
      kind: 'adjustment' as const,
      refType,
    })),
  ]
  const entries = kinds.map((entry, at) => ({
    id: String(at),
    onDay: '2026-05-01',
    label: entryLabel(entry, 'es'),
    amountCents: entry.amountCents,
    balanceCents: 100,
  }))
  const notes = statementNotes(
    [
      { number: 7, openCents: 500, disputed: true, pendingCents: 0 },
      { number: 8, openCents: 500, disputed: false, pendingCents: 500 },
    ],
    'es',
  )
  for (const closingCents of [100, -100])
    await spanish(
      paperPdf({
        paper: statementPaper(
          {
            from: '2026-05-01',
            to: '2026-05-31',
            openingCents: 0,
            entries,
            chargedCents: 100,
            voidedCents: -100,
            returnedCents: 100,
            paidCents: -100,
            closingCents,
            notes,
          },
          to,
          'https://swath.example/s/abc',
          '',
          'es',
        ),
        sender,
        logo: null,
      }),
    )
})
