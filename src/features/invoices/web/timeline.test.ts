import { expect, it } from 'vitest'
import type { Invoice } from '../contract.ts'
import { timelineOf } from './timeline.ts'

const zone = 'America/New_York'
const invoice = (change: object) =>
  ({
    createdAt: '2026-11-20T15:00:00.000Z',
    mails: [],
    failedDebits: [],
    payments: [],
    earlier: [],
    corrections: [],
    issueOn: null,
    dueOn: null,
    ...change,
  }) as unknown as Invoice
const labels = (change: object) => timelineOf(invoice(change), zone).map(({ label }) => label)

const refund = { id: 'r', kind: 'refund', amountCents: 3000, reason: 'Missed a strip', onDay: '2026-11-21' }
const note = { id: 'p', method: 'credit', creditNote: 'CN-1001', receivedOn: '2026-11-21', amountCents: 3000 }

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
