import { describe, expect, it } from 'vitest'
import { templateProblem } from '../messages/templates/rules.ts'
import { automationKinds, kinds, whenLabel } from './kinds/rules.ts'
import {
  countReasons,
  type JudgeFacts,
  judge,
  runRefusals,
  runState,
  type Sent,
  segmentsOf,
  switchProblem,
} from './rules.ts'

const dayMs = 86_400_000
const now = Date.parse('2026-06-12T16:00:00Z')
const open = { address: 'rosa@test.swath.test', shut: null, agreed: true }
const facts = (change: Partial<JudgeFacts> = {}): JudgeFacts => ({
  optedOut: false,
  noRecipient: null,
  ways: { sms: { ...open, address: '+19125550101' }, email: open },
  sent: [],
  segmentsLeft: null,
  mostWeekly: 3,
  ...change,
})
const offer = { id: 'a', everyDays: 14, channels: ['sms', 'email'] as const, isOffer: true }
const news = { ...offer, isOffer: false }
const earlier = (days: number, automationId = 'b', channel: Sent['channel'] = 'email'): Sent => ({
  automationId,
  atMs: now - days * dayMs,
  channel,
})

describe('who gets one, and how', () => {
  it('by the first way that is open', () => {
    expect(judge(news, facts(), now).channel).toBe('sms')
    expect(judge({ ...news, channels: ['email', 'sms'] }, facts(), now).channel).toBe('email')
    const shut = { ...open, address: '+19125550101', shut: 'Replied STOP' }
    expect(judge(news, facts({ ways: { sms: shut, email: open } }), now).channel).toBe('email')
    expect(judge({ ...news, channels: ['sms'] }, facts({ ways: { sms: shut, email: open } }), now).reason).toBe(
      'Replied STOP',
    )
    expect(judge(news, facts({ segmentsLeft: 0 }), now).channel).toBe('email')
  })

  it('an offer only where they agreed, by that address', () => {
    const ways = { sms: { ...open, agreed: false }, email: open }
    expect(judge(offer, facts({ ways }), now).channel).toBe('email')
    expect(judge(news, facts({ ways }), now).channel).toBe('sms')
    expect(judge({ ...offer, channels: ['sms'] }, facts({ ways }), now).reason).toBe('Never agreed to offers by text')
  })

  it('not who was left out, not before its days are over, not over the most of a week', () => {
    expect(judge(news, facts({ optedOut: true }), now).reason).toBe('Switched off for this customer')
    expect(judge(news, facts({ sent: [earlier(13.9, 'a')] }), now).reason).toContain('less than 14 days')
    expect(judge(news, facts({ sent: [earlier(14.1, 'a')] }), now).reason).toBeNull()
    expect(judge(news, facts({ sent: [earlier(1), earlier(2), earlier(6.9)] }), now).reason).toContain('3 is the most')
    expect(judge(news, facts({ sent: [earlier(1), earlier(2), earlier(7.1)] }), now).reason).toBeNull()
    // what comes later than it would have left says nothing of it
    expect(judge(news, facts({ sent: [earlier(-1, 'a')] }), now).reason).toBeNull()
  })

  it('at most two texts a day, then by mail', () => {
    const sent = [earlier(0.2, 'b', 'sms'), earlier(0.9, 'c', 'sms')]
    expect(judge({ ...news, everyDays: 1 }, facts({ sent }), now).channel).toBe('email')
    expect(judge({ ...news, channels: ['sms'] }, facts({ sent }), now).reason).toBe('They had 2 texts within a day')
  })
})

describe('the kinds', () => {
  it.each(automationKinds)('%s has words in both languages that are taken as they are, and a subject', (kind) => {
    const { en, es, delay } = kinds[kind]
    for (const { subject, text } of [en, es]) {
      expect(templateProblem(text)).toBeNull()
      expect(subject).not.toBe('')
      expect(segmentsOf(text)).toBeLessThanOrEqual(3)
    }
    expect(delay.usual).toBeGreaterThanOrEqual(delay.least)
    expect(delay.usual).toBeLessThanOrEqual(delay.most)
  })

  it('says when, as a sentence', () => {
    expect(whenLabel({ kind: 'visit_done', delay: 2, atMinute: null, startsOn: null })).toBe(
      '2 hours after a visit is done',
    )
    expect(whenLabel({ kind: 'treatment_coming', delay: 1, atMinute: 720, startsOn: null })).toBe(
      '1 day before a visit of a program, at 12:00 PM',
    )
    expect(whenLabel({ kind: 'upsell', delay: 0, atMinute: 600, startsOn: '08-01' })).toBe(
      'On August 1 at 10:00 AM, each year, to who has none of these services in that year',
    )
  })
})

it('a state says why', () => {
  expect(runState({ status: 'skipped', reason: 'No e-mail on file', message: null })).toMatchObject({
    label: 'Not sent',
    why: 'No e-mail on file',
  })
  expect(runState({ status: 'sent', reason: null, message: { status: 'suppressed', reason: 'Replied STOP' } })).toEqual(
    {
      label: 'Not sent',
      tone: 'neutral',
      why: 'Replied STOP',
    },
  )
  expect(runState({ status: 'sent', reason: null, message: { status: 'held', reason: 'Quiet hours' } }).label).toBe(
    'Held',
  )
  expect(runState({ status: 'sent', reason: null, message: null }).label).toBe('Sent')
  expect(runRefusals.drop({ status: 'sent' })).not.toBeNull()
  expect(runRefusals.drop({ status: 'waiting' })).toBeNull()
  expect(countReasons(['b', 'a', 'b'])).toEqual([
    { reason: 'b', count: 2 },
    { reason: 'a', count: 1 },
  ])
})

it('what is missing keeps it off', () => {
  const whole = {
    kind: 'win_back',
    archived: false,
    channels: ['email'] as const,
    subjectEn: 'Hi',
    serviceIds: [],
    hasAddress: true,
    isOffer: true,
  }
  expect(switchProblem(whole)).toBeNull()
  expect(switchProblem({ ...whole, subjectEn: ' ' })).toContain('subject')
  expect(switchProblem({ ...whole, hasAddress: false })).toContain('address')
  expect(switchProblem({ ...whole, hasAddress: false, channels: ['sms'] })).toBeNull()
  expect(switchProblem({ ...whole, kind: 'upsell' })).toContain('Choose the service')
  expect(switchProblem({ ...whole, archived: true })).toContain('removed')
})
