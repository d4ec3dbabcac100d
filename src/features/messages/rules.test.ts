import { describe, expect, it } from 'vitest'
import {
  costlyCharacters,
  costlyLabel,
  type GateFacts,
  gate,
  isForward,
  keywordOf,
  offersFullUntil,
  plainText,
  quietUntil,
  smsSegments,
  troubleWords,
} from './rules.ts'

const quiet = { startMinute: 1260, endMinute: 480 }
const zone = 'America/New_York'

describe('quietUntil', () => {
  it.each([
    ['transactional at noon leaves now', 'transactional', '2026-06-12T16:00:00Z', null],
    ['at 7 AM it waits for 8', 'transactional', '2026-06-12T11:00:00Z', '2026-06-12T12:00:00.000Z'],
    ['at 9 PM sharp it waits for the morning', 'transactional', '2026-06-13T01:00:00Z', '2026-06-13T12:00:00.000Z'],
    ['marketing on Sunday morning waits for noon', 'marketing', '2026-06-14T14:00:00Z', '2026-06-14T16:00:00.000Z'],
    ['marketing on Sunday evening waits for Monday 9', 'marketing', '2026-06-14T22:00:00Z', '2026-06-15T13:00:00.000Z'],
    ['an answer in a conversation never waits', 'reply', '2026-06-12T05:00:00Z', null],
    ['over the spring night the clock is right', 'transactional', '2026-03-08T02:30:00Z', '2026-03-08T12:00:00.000Z'],
  ] as const)('%s', (_name, purpose, now, expected) => {
    expect(quietUntil(purpose, new Date(now), zone, quiet)).toBe(expected)
  })
})

it('the fourth offer waits until the first of three is a day old', () => {
  const now = Date.parse('2026-06-12T16:00:00Z')
  const at = (hoursAgo: number) => new Date(now - hoursAgo * 3_600_000).toISOString()
  expect(offersFullUntil([at(1), at(23)], now)).toBeNull()
  expect(offersFullUntil([at(1), at(24), at(2)], now)).toBeNull()
  expect(offersFullUntil([at(2), at(23), at(1)], now)).toBe('2026-06-12T17:00:00.000Z')
  expect(offersFullUntil([at(20), at(2), at(23), at(1)], now)).toBe('2026-06-12T20:00:00.000Z')
})

describe('keywordOf', () => {
  it.each([
    ['STOP', 'stop'],
    ['Stop.', 'stop'],
    ['stop please', 'stop'],
    ['Please don’t text me again', 'stop'],
    ['unsubscribe', 'stop'],
    ['opt out', 'stop'],
    ['Can you stop by on Friday?', null],
    ['Please stop at the gate', null],
    ['HELP', 'help'],
    ['start', 'start'],
    ['YES', null],
    ['cancel', 'stop'],
  ] as const)('%s', (text, expected) => {
    expect(keywordOf(text, false)).toBe(expected)
  })
  it('takes YES as START only from somebody who opted out', () => expect(keywordOf('Yes', true)).toBe('start'))
})

describe('smsSegments', () => {
  it.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    [`${'a'.repeat(159)}€`, 2],
    [`${'a'.repeat(70)}’`, 2],
    ['🌱'.repeat(35), 1],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
  ])('%#', (text, segments) => {
    expect(smsSegments(text).segments).toBe(segments)
  })
  it('offers the plain text that costs less', () =>
    expect(smsSegments(plainText(`It’s done – “all” of it…`)).plain).toBe(true))
  it.each([
    ['See you soon 🙂', 'See you soon'],
    ['👍🏽 Done, 👨‍👩‍👧 all home. ☀️', 'Done, all home.'],
    ['Jalapeños á la carte, café', 'Jalapeños a la carte, café'],
    ['Привет 🙂', 'Привет'],
  ])('%j can be said as %j', (text, plain) => expect(plainText(text)).toBe(plain))
  it('names what makes a text cost more, an emoji whole', () => {
    expect(costlyCharacters('It’s “done”, it’s fine')).toEqual(['’', '“', '”'])
    expect(costlyCharacters("It's done")).toEqual([])
    expect(costlyLabel('Thanks 👍🏽 and 👍🏽')).toBe('👍🏽 is not a plain character')
    expect(costlyLabel('“A” – b…')).toBe('“ ” – … are not plain characters')
    expect(costlyLabel('ok')).toBe('')
  })
})

describe('gate', () => {
  const facts = (changes: Partial<GateFacts> = {}): GateFacts => ({
    channel: 'sms',
    purpose: 'transactional',
    suppressed: null,
    marketingConsent: null,
    quietUntil: null,
    segmentsLeft: null,
    segments: 1,
    inDoubt: false,
    ...changes,
  })
  it.each([
    [facts(), 'send'],
    [facts({ suppressed: { purpose: 'all', reason: 'STOP' } }), 'suppress'],
    [facts({ suppressed: { purpose: 'marketing', reason: 'Unsubscribed' } }), 'send'],
    [
      facts({
        purpose: 'marketing',
        suppressed: { purpose: 'marketing', reason: 'Unsubscribed' },
        marketingConsent: 'grant',
      }),
      'suppress',
    ],
    [facts({ purpose: 'marketing' }), 'suppress'],
    [facts({ purpose: 'marketing', marketingConsent: 'grant' }), 'send'],
    [facts({ purpose: 'marketing', marketingConsent: 'grant', inDoubt: true }), 'suppress'],
    [facts({ inDoubt: true }), 'send'],
    [facts({ quietUntil: '2026-06-13T12:00:00.000Z' }), 'hold'],
    [facts({ channel: 'email', quietUntil: '2026-06-13T12:00:00.000Z' }), 'send'],
    [facts({ segmentsLeft: 1, segments: 2 }), 'suppress'],
    [facts({ purpose: 'marketing', marketingConsent: 'grant', fullUntil: '2026-06-13T12:00:00.000Z' }), 'hold'],
    [facts({ fullUntil: '2026-06-13T12:00:00.000Z' }), 'send'],
  ] as const)('%#', (given, kind) => {
    expect(gate(given).kind).toBe(kind)
  })
  it('never goes back', () => {
    expect(isForward('delivered', 'sent')).toBe(false)
    expect(isForward('sent', 'delivered')).toBe(true)
  })
})

it.each([
  ['550 5.1.1 no such user here', 'There is no mailbox ann@x.test'],
  ['550 User unknown', 'There is no mailbox ann@x.test'],
  ['552 5.2.2 over quota', 'The mailbox ann@x.test is full'],
  ['554 5.7.1 rejected', 'The mail server of ann@x.test took our mail for unwanted'],
  ['550 rejected', 'The mail server of ann@x.test did not take it'],
  ['Mail came back on 3 days', 'Mail came back on 3 days'],
])('says "%s" as people say it', (reason, words) => {
  expect(troubleWords(reason, 'ann@x.test')).toBe(words)
})
