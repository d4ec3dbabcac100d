import { describe, expect, it } from 'vitest'
import { templateProblem } from '../messages/templates/rules.ts'
import { automationKinds, firstDayOf, kinds, whenLabel } from './kinds/rules.ts'
import {
  countReasons,
  type JudgeFacts,
  judge,
  runRefusals,
  runState,
  type Sent,
  segmentsOf,
  subjectFor,
  switchProblem,
  wouldWords,
} from './rules.ts'

const dayMs = 86_400_000
const now = Date.parse('2026-06-12T16:00:00Z')
const open = { address: 'rosa@test.swath.test', shut: null, agreed: true }
const facts = (change: Partial<JudgeFacts> = {}): JudgeFacts => ({
  optedOut: false,
  noRecipient: null,
  people: [{ sms: { ...open, address: '+19125550101' }, email: open }],
  sent: [],
  otherTexts: [],
  segmentsLeft: null,
  mostWeekly: 3,
  timeZone: 'America/New_York',
  ...change,
})
const textEn = 'We were there on {last visit day}.'
const news = { id: 'a', kind: 'visit_done', everyDays: 14, channels: ['sms', 'email'], textEn } as const
const offer = { ...news, kind: 'win_back' } as const
const about = { subjectId: 'visit', propertyId: 'home' }
const earlier = (days: number, automationId = 'b', channel: Sent['channel'] = 'email'): Sent => ({
  automationId,
  atMs: now - days * dayMs,
  channel,
  subjectId: 'another visit',
  propertyId: 'home',
})

describe('who gets one, and how', () => {
  it('by the first way that is open', () => {
    expect(judge(news, about, facts(), now).channel).toBe('sms')
    expect(judge({ ...news, channels: ['email', 'sms'] }, about, facts(), now).channel).toBe('email')
    const shut = { ...open, address: '+19125550101', shut: 'Replied STOP' }
    expect(judge(news, about, facts({ people: [{ sms: shut, email: open }] }), now).channel).toBe('email')
    expect(
      judge({ ...news, channels: ['sms'] }, about, facts({ people: [{ sms: shut, email: open }] }), now).reason,
    ).toBe('Replied STOP')
    expect(judge(news, about, facts({ segmentsLeft: 0 }), now).channel).toBe('email')
  })

  it('an offer only where they agreed, by that address', () => {
    const people = [{ sms: { ...open, agreed: false }, email: open }]
    expect(judge(offer, about, facts({ people }), now).channel).toBe('email')
    expect(judge(news, about, facts({ people }), now).channel).toBe('sms')
    expect(judge({ ...offer, channels: ['sms'] }, about, facts({ people }), now).reason).toBe(
      'Never agreed to offers by text',
    )
  })

  it('not who was left out, not before its days are over, not over the most of a week', () => {
    expect(judge(news, about, facts({ optedOut: true }), now).reason).toBe('Switched off for this customer')
    expect(judge(news, about, facts({ sent: [earlier(13, 'a')] }), now).reason).toContain('less than 14 days')
    expect(judge(news, about, facts({ sent: [earlier(14, 'a')] }), now).reason).toBeNull()
    expect(judge(news, about, facts({ sent: [earlier(1), earlier(2), earlier(6)] }), now).reason).toContain(
      '3 is the most',
    )
    expect(judge(news, about, facts({ sent: [earlier(1), earlier(2), earlier(7)] }), now).reason).toBeNull()
    // what comes later than it would have left says nothing of it
    expect(judge(news, about, facts({ sent: [earlier(-1, 'a')] }), now).reason).toBeNull()
  })

  it('by days of the calendar: who had it on a day has it again so many days later, at whatever hour', () => {
    const sent = [{ ...earlier(0, 'a'), atMs: now - 14 * dayMs + 3_600_000 }]
    expect(judge(news, about, facts({ sent }), now).reason).toBeNull()
    expect(judge(news, about, facts({ sent }), now - dayMs).reason).toContain('less than 14 days')
  })

  it('of another of their properties, where the words name the visit; an offer once, whatever the place', () => {
    const sent = [{ ...earlier(1, 'a'), propertyId: 'the other home' }]
    expect(judge(news, about, facts({ sent }), now).reason).toBeNull()
    expect(judge({ ...news, textEn: 'We are done.' }, about, facts({ sent }), now).reason).toContain('less than 14')
    expect(judge(offer, about, facts({ sent }), now).reason).toContain('less than 14')
    expect(judge(news, { ...about, propertyId: null }, facts({ sent }), now).reason).toContain('less than 14')
  })

  it('another day of the same treatment, however soon', () => {
    const coming = { ...news, kind: 'treatment_coming' } as const
    const sent = [{ ...earlier(1, 'a'), subjectId: 'visit' }]
    expect(judge(coming, about, facts({ sent }), now).reason).toBeNull()
    expect(judge(coming, { ...about, subjectId: 'next round' }, facts({ sent }), now).reason).toContain('less than 14')
  })

  it('to the next person of theirs who can be reached, by the channel that comes first', () => {
    const stopped = { sms: { ...open, address: '+19125550101', shut: 'Replied STOP' }, email: open }
    const other = { sms: { ...open, address: '+19125550102' }, email: { ...open, address: null } }
    expect(judge(news, about, facts({ people: [stopped, other] }), now)).toMatchObject({
      channel: 'sms',
      address: '+19125550102',
    })
  })

  it('at most two texts a day, then by mail', () => {
    const sent = [earlier(0.2, 'b', 'sms'), earlier(0.3, 'c', 'sms')]
    expect(judge({ ...news, everyDays: 1 }, about, facts({ sent }), now).channel).toBe('email')
    expect(judge({ ...news, channels: ['sms'] }, about, facts({ sent }), now).reason).toBe('They had 2 texts that day')
    // a reminder and a receipt are texts, too; one of the evening before is of another day
    const otherTexts = [now - 0.2 * dayMs, now - 0.3 * dayMs]
    expect(judge({ ...news, channels: ['sms'] }, about, facts({ otherTexts }), now).reason).toBe(
      'They had 2 texts that day',
    )
    const evening = [now - 0.6 * dayMs, now - 0.2 * dayMs]
    expect(judge({ ...news, channels: ['sms'] }, about, facts({ otherTexts: evening }), now).reason).toBeNull()
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

it('what counts days after something says from when on it can send', () => {
  expect(firstDayOf({ kind: 'win_back', delay: 45 }, '2026-06-12')).toBe('2026-07-27')
  expect(firstDayOf({ kind: 'visit_done', delay: 2 }, '2026-06-12')).toBeNull()
  expect(firstDayOf({ kind: 'treatment_coming', delay: 3 }, '2026-06-12')).toBeNull()
})

it('Spanish words never stand under an English subject', () => {
  const words = { kind: 'visit_done', subjectEn: 'Done', subjectEs: '' } as const
  expect(subjectFor(words, 'en')).toBe('Done')
  expect(subjectFor(words, 'es')).toBe('Terminamos su visita')
  expect(subjectFor({ ...words, subjectEs: 'Listo' }, 'es')).toBe('Listo')
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
    subjectEs: '',
    textEs: '',
    serviceIds: [],
    hasAddress: true,
    isOffer: true,
  }
  expect(switchProblem(whole)).toBeNull()
  expect(switchProblem({ ...whole, subjectEn: ' ' })).toContain('subject')
  expect(switchProblem({ ...whole, textEs: 'Hola' })).toContain('Spanish subject')
  expect(switchProblem({ ...whole, textEs: 'Hola', subjectEs: 'Hola' })).toBeNull()
  expect(switchProblem({ ...whole, hasAddress: false })).toContain('address')
  expect(switchProblem({ ...whole, hasAddress: false, channels: ['sms'] })).toBeNull()
  expect(switchProblem({ ...whole, kind: 'upsell' })).toContain('Choose the service')
  expect(switchProblem({ ...whole, archived: true })).toContain('removed')
})

it('says how many of each way would have left', () => {
  expect(wouldWords({ texts: 29, mails: 12 })).toBe('41 messages: 29 texts, 12 e-mails')
  expect(wouldWords({ texts: 1, mails: 0 })).toBe('1 message: 1 text')
  expect(wouldWords({ texts: 0, mails: 1200 })).toBe('1,200 messages: 1,200 e-mails')
})
