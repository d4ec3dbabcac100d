import { expect, it } from 'vitest'
import type { Invoice } from '../contract.ts'
import { timelineOf, whereDepositsAre } from './timeline.ts'

const zone = 'America/New_York'
const invoice = (change: object) =>
  ({
    createdAt: '2026-11-20T15:00:00.000Z',
    mails: [],
    failedDebits: [],
    payments: [],
    earlier: [],
    corrections: [],
    gaveDeposits: [],
    issueOn: null,
    dueOn: null,
    ...change,
  }) as unknown as Invoice
const labels = (change: object) => timelineOf(invoice(change), zone).map(({ label }) => label)

const refund = { id: 'r', kind: 'refund', amountCents: 3000, reason: 'Missed a strip', onDay: '2026-11-21' }
const note = {
  id: 'p',
  pays: [],
  restCents: 0,
  method: 'credit',
  creditNote: 'CN-1001',
  receivedOn: '2026-11-21',
  amountCents: 3000,
}

it('says of a refund whether it is owed again', () => {
  expect(labels({ corrections: [refund] })).toContain('$30.00 refunded, open again')
  const payments = [{ ...note, allocatedCents: 3000, refundedCents: 0, note: refund.reason }]
  expect(labels({ corrections: [refund], payments })).toContain('$30.00 refunded, not owed again')
  const another = payments.map((one) => ({ ...one, note: 'The bed was half done' }))
  expect(labels({ corrections: [refund], payments: another })).toContain('$30.00 refunded, open again')
})

const mail = {
  id: 'm',
  channel: 'email',
  address: 'ann@c.test',
  reason: null,
  segments: 1,
  runAfter: null,
  createdAt: '2026-11-22T15:00:00.000Z',
}

it('names what each mail said', () => {
  const mails = ['bank_begun', 'bank_failed'].map((kind) => ({ ...mail, id: kind, kind, status: 'sent' }))
  expect(labels({ mails })).toEqual(
    expect.arrayContaining([
      'Word that the bank was asked mailed to ann@c.test',
      'Word that the bank did not pay mailed to ann@c.test',
    ]),
  )
})

it('says on which day a text leaves that waits for the morning', () => {
  const held = { ...mail, channel: 'sms', kind: 'invoice', status: 'held', runAfter: '2026-11-24T13:00:00.000Z' }
  const [text] = timelineOf(invoice({ mails: [held] }), zone)
  expect(text?.detail).toContain('leaves on Tue, Nov 24 at 8:00 AM')
})

const card = { id: 'c', method: 'card', creditNote: null, note: '', receivedOn: '2026-11-20', pays: [], restCents: 0 }
const tipped = { ...card, amountCents: 25_944, allocatedCents: 17_764, tipCents: 3180, refundedCents: 5000 }
const came = { ...card, id: 'e', kind: 'came', paymentId: 'c', reason: '', onDay: '2026-11-20', amountCents: 5000 }

it('tells one payment that was refunded in part as one, with what came, and the refund after it', () => {
  const back = { ...refund, amountCents: 5000 }
  const [last, first] = timelineOf(invoice({ payments: [tipped], earlier: [came], corrections: [back] }), zone)
  expect(last?.label).toBe('$50.00 refunded, open again')
  expect(first).toMatchObject({ label: '$227.64 paid by card', detail: '$31.80 more as a tip for the crew' })
  expect(labels({ payments: [tipped], earlier: [came], corrections: [back] })).toHaveLength(3)
})

it('tells one that went back in two parts as one, and what a bank took back apart', () => {
  const rest = { ...came, id: 'e2', amountCents: 17_764 }
  expect(labels({ earlier: [came, rest] }).filter((label) => label.includes('paid'))).toEqual(['$227.64 paid by card'])
  const disputed = { ...came, paymentId: null }
  expect(labels({ payments: [tipped], earlier: [disputed] }).filter((label) => label.includes('paid'))).toHaveLength(2)
})

it('of money over several invoices says what is on which and what is left as credit, each by itself', () => {
  const check = { id: 'k', method: 'check', creditNote: null, note: '', receivedOn: '2026-11-20', tipCents: 0 }
  const over = { ...check, amountCents: 30_000, allocatedCents: 3055, refundedCents: 0, restCents: 6045, pays: [7, 9] }
  const [row] = timelineOf(invoice({ number: 7, payments: [over] }), zone)
  expect(row?.detail).toBe('$209.00 more is on INV-9 · $60.45 more is left as credit')
})

it('names who voided it and why', () => {
  const gone = {
    id: 'v',
    kind: 'void',
    amountCents: 5000,
    reason: 'Made twice',
    by: 'Maria Torres',
    onDay: '2026-11-21',
  }
  expect(timelineOf(invoice({ corrections: [gone] }), zone)[0]).toMatchObject({
    label: 'Voided: $50.00 is not owed any more',
    detail: 'Maria Torres · Made twice',
  })
  expect(labels({ corrections: [{ ...gone, amountCents: 0 }] })).toContain('Voided: all of it was paid ahead')
})

it('orders what is of one day by when it was written down', () => {
  const day = { onDay: '2026-11-21', reason: '', by: null, amountCents: 8449 }
  const corrections = [
    { ...day, id: 'w', kind: 'write_off', at: '2026-11-21T15:00:00.000Z' },
    { ...day, id: 'w', kind: 'reinstated', at: '2026-11-21T15:00:00.000Z' },
  ]
  const check = { ...card, id: 'k', method: 'check', tipCents: 0, refundedCents: 0, amountCents: 8449 }
  const later = { ...check, allocatedCents: 8449, receivedOn: '2026-11-21', createdAt: '2026-11-21T18:00:00.000Z' }
  expect(labels({ corrections, payments: [later] }).slice(0, 3)).toEqual([
    '$84.49 paid by check',
    'Opened again over $84.49',
    '$84.49 written off',
  ])
})

it('does not tell of money that was there before the invoice as of something before it was made', () => {
  const there = {
    ...card,
    id: 'd',
    method: 'check',
    tipCents: 0,
    refundedCents: 0,
    amountCents: 9000,
    allocatedCents: 4000,
    restCents: 5000,
    createdAt: '2026-11-20T14:00:00.000Z',
  }
  const [first, last] = timelineOf(invoice({ payments: [there] }), zone)
  expect(first).toMatchObject({
    label: '$40.00 put on it of what was there, paid by check',
    detail: '$50.00 more is left as credit',
  })
  expect(last?.label).toBe('Draft made')
  const since = { ...there, createdAt: '2026-11-20T16:00:00.000Z' }
  expect(labels({ payments: [since] })[0]).toBe('$40.00 paid by check')
})

it('calls what was paid ahead a deposit', () => {
  const deposit = { ...card, deposit: true, amountCents: 3000, allocatedCents: 3000, tipCents: 0, refundedCents: 0 }
  expect(labels({ payments: [deposit], earlier: [] })).toContain('Deposit of $30.00, paid by card')
})

it('keeps a trace of a late fee that was let go or waived', () => {
  const fee = { id: 'f', amountCents: 1500, reason: '', by: 'Maria Torres', onDay: '2026-11-21' }
  const corrections = [
    { ...fee, kind: 'fee_let_go' },
    { ...fee, id: 'w', kind: 'fee_waived', reason: 'Goodwill' },
  ]
  expect(timelineOf(invoice({ corrections }), zone)).toMatchObject([
    { label: 'The late fee of $15.00 was waived', detail: 'Maria Torres · Goodwill', tone: 'plain' },
    { label: 'The late fee of $15.00 was let go', detail: 'Maria Torres' },
    {},
  ])
})

it('an invoice that was issued and never mailed was issued before whatever happened to it', () => {
  const voided = {
    id: 'v',
    kind: 'void',
    amountCents: 5000,
    reason: 'Made twice',
    onDay: '2026-11-20',
    at: '2026-11-20T15:05:00.000Z',
  }
  const issued = { issueOn: '2026-11-20', dueOn: '2026-12-05', corrections: [voided] }
  const order = ['Voided: $50.00 is not owed any more', 'Issued, due Sat, Dec 5', 'Draft made']
  expect(labels(issued)).toEqual(order)
  expect(labels({ ...issued, issueOn: '2026-11-18' })).toEqual(order)
  const later = { ...voided, onDay: '2026-11-21', at: '2026-11-21T15:05:00.000Z' }
  expect(labels({ ...issued, issueOn: '2026-11-21', corrections: [later] })).toEqual(order)
})

it('an invoice that was made, issued and mailed in one moment was made first and mailed last', () => {
  const sent = { ...mail, kind: 'invoice', status: 'sent', createdAt: '2026-11-20T15:00:00.000Z' }
  expect(labels({ issueOn: '2026-11-20', dueOn: '2026-12-05', mails: [sent] })).toEqual([
    expect.stringContaining('mailed to ann@c.test'),
    'Issued, due Sat, Dec 5',
    'Draft made',
  ])
})

it('says of a voided invoice with which quote its deposit is again', () => {
  const of = { quote: { number: 1054 }, job: null }
  const change = {
    corrections: [{ id: 'g', kind: 'given_back', amountCents: 20_000, reason: '', onDay: '2026-11-21', by: null }],
    earlier: [
      {
        id: 'g',
        kind: 'came',
        paymentId: null,
        method: 'card',
        amountCents: 20_000,
        creditNote: null,
        reason: '',
        onDay: '2026-11-20',
      },
    ],
    gaveDeposits: [{ id: 'g', amountCents: 20_000, restCents: 5000, pays: [1672], ...of }],
  }
  expect(labels(change)).toEqual(
    expect.arrayContaining([
      '$200.00 of the deposit of Q-1054 given back to its quote',
      '$200.00 of the deposit of Q-1054, paid by card',
    ]),
  )
  expect(whereDepositsAre(invoice(change))).toEqual([
    'The deposit of Q-1054 pays INV-1672 and waits with $50.00 for the next invoice of its work.',
  ])
})
