import { describe, expect, it } from 'vitest'
import { causeOf, type LogFacts, whyOf } from './rules.ts'

const zone = 'America/New_York'
const facts = (change: Partial<LogFacts>): LogFacts => ({
  channel: 'sms',
  purpose: 'transactional',
  status: 'delivered',
  reason: null,
  runAfter: null,
  sentAt: '2026-06-12T14:00:00Z',
  deliveredAt: '2026-06-12T14:00:05Z',
  openedAt: null,
  createdAt: '2026-06-12T13:59:00Z',
  attempts: 1,
  consent: null,
  isResent: false,
  ...change,
})
const why = (change: Partial<LogFacts>) => whyOf(facts(change), zone).join(' ')

describe('why a message was sent or was not', () => {
  it.each<[Partial<LogFacts>, string]>([
    [{}, 'Arrived on Fri, Jun 12 at 10:00 AM. About their own work or bill; no consent to offers is needed.'],
    [
      { status: 'held', reason: 'Quiet hours', runAfter: '2026-06-13T12:00:00Z' },
      'Waits until Sat, Jun 13 at 8:00 AM. Quiet hours.',
    ],
    [{ status: 'suppressed', reason: 'They replied STOP' }, 'Was not sent. They replied STOP.'],
    [{ status: 'unknown' }, 'It is not sent again by itself.'],
    [{ status: 'sent' }, 'nobody has said yet that it arrived.'],
    [{ purpose: 'reply' }, 'quiet hours do not hold it.'],
    [{ purpose: 'marketing' }, 'Nobody had agreed to offers by text.'],
    [
      { purpose: 'marketing', consent: { action: 'grant', source: 'booking page', at: '2026-03-02T15:00:00Z' } },
      'They agreed to offers by text on Mon, Mar 2, 2026 (booking page).',
    ],
    [{ openedAt: '2026-06-12T15:30:00Z', attempts: 3, isResent: true }, 'Opened on Fri, Jun 12 at 11:30 AM. 3 tries.'],
  ])('%j', (change, words) => expect(why(change)).toContain(words))

  it.each([
    ['invoice:1:sent', 'Invoice'],
    ['invoice:1:reminder-3', 'Invoice reminder'],
    ['invoice:1:receipt-of:2', 'Receipt'],
    ['on_way:7', 'On my way'],
    ['manual:sms:user:hash:id', 'Written by the office'],
    ['treated:7:1', 'What was applied to the lawn'],
    ['paid-too-much:7', 'Paid more than was owed'],
    ['something-new:7', 'Message'],
  ])('%s is about: %s', (key, words) => expect(causeOf(key, 'transactional')).toBe(words))
})
