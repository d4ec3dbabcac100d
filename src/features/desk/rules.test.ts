import { describe, expect, it } from 'vitest'
import { smsSegments } from '../messages/rules.ts'
import {
  addressedAs,
  burstOf,
  defaultTemplates,
  emailTemplates,
  fillTemplate,
  fillTextTemplate,
  isMachine,
  previewOf,
  rateOf,
  smsTemplates,
  unfilled,
} from './rules.ts'

const dana = { name: 'Dana Whitfield-Montgomery', email: 'dana@oak.test' }
const link = 'https://app.your-company.com/book-call'
const withDana = { ...dana, schedulingLink: link, callAt: '2026-06-16T13:30:00.000Z', timeZone: 'America/New_York' }

describe('templates', () => {
  it.each(smsTemplates)('the text %s costs one segment with a long name, address and coupon', (key) => {
    const text = fillTemplate(defaultTemplates.sms[key].message, withDana).replace('[INSERT_COUPON]', 'SPRING15OFF')
    expect(text.length).toBeLessThanOrEqual(160)
    expect(smsSegments(text).segments).toBe(1)
    expect(unfilled(text)).toBeNull()
  })
  it('a text keeps its link under a name that is too long: the first word of it greets', () => {
    const long = {
      ...withDana,
      name: 'Maximilian-Alexander Featherstonehaugh-Cholmondeley the Third',
      email: 'm@oak.test',
    }
    for (const key of smsTemplates) {
      const text = fillTextTemplate(defaultTemplates.sms[key].message, long)
      expect(text.length).toBeLessThanOrEqual(160)
      expect(text).toContain(link)
    }
    expect(fillTextTemplate('Hi {name}', long)).toBe('Hi Maximilian-Alexander')
    expect(fillTextTemplate('{name} '.repeat(9), long)).toMatch(/^Maximilian Maximilian/)
  })
  it.each(emailTemplates)('the mail %s greets and offers', (key) => {
    const { subject, message } = defaultTemplates.email[key]
    expect(subject).not.toBe('')
    expect(message).toContain('{name}')
    expect(message).toContain('free 30-minute demo')
    expect(message).toContain('{scheduling_link}')
  })
  it('offer 15% off the first month with a coupon that a person fills in', () => {
    for (const { special_deals: deal } of [defaultTemplates.email, defaultTemplates.sms]) {
      expect(deal.message).toContain('15% off')
      expect(unfilled(deal.message)).toContain('[INSERT_COUPON]')
    }
  })
  it('address a lead without a name by the part before the @', () => {
    expect(addressedAs({ name: ' ', email: 'kim.lee@oak.test' })).toBe('kim.lee')
    expect(fillTemplate('Hi {name}, {name}!', { ...withDana, name: '', email: 'kim@x.y' })).toBe('Hi kim, kim!')
  })
  it('name day, time and zone of the call; without one the reminder cannot leave', () => {
    const { message } = defaultTemplates.sms.meeting_reminder
    expect(fillTemplate(message, withDana)).toContain(
      'Hi Dana, our Swath call is on Tue, Jun 16, 9:30 AM Eastern Time.',
    )
    expect(unfilled(fillTemplate(message, { ...withDana, callAt: null }))).toContain('No call is booked')
  })
  it('left half filled are refused', () => {
    expect(unfilled('Hi {name}')).toContain('{name}')
    expect(unfilled('Subject', 'Hi Dana')).toBeNull()
  })
})

it.each([
  ['x'.repeat(200), 200],
  ['x'.repeat(201), 203],
])('a preview has 200 characters', (text, length) => expect(previewOf(text)).toHaveLength(length))

it.each([
  [1, 3, 33.3],
  [0, 0, 0],
  [5, 5, 100],
])('%i of %i is %d percent', (part, whole, percent) => expect(rateOf(part, whole)).toBe(percent))

describe('isMachine', () => {
  const person = {
    method: 'GET',
    userAgent: 'Mozilla/5.0 (Macintosh) AppleWebKit/605 Safari/605',
    secondsSinceSent: 300,
  }
  it.each([
    ['a person', {}, false],
    ['a head request', { method: 'HEAD' }, true],
    ['29 seconds after sending', { secondsSinceSent: 29 }, true],
    ['30 seconds after sending', { secondsSinceSent: 30 }, false],
    ['a mail that did not leave', { secondsSinceSent: null }, true],
    [
      'the Gmail proxy',
      { userAgent: 'Mozilla/5.0 (Windows NT 5.1) Firefox/11.0 (via ggpht.com GoogleImageProxy)' },
      true,
    ],
    ['Apple mail privacy', { userAgent: 'Mozilla/5.0' }, true],
    ['a scanner', { userAgent: 'Barracuda Sentinel' }, true],
    ['nobody', { userAgent: '' }, true],
  ])('%s', (_name, change, machine) => expect(isMachine({ ...person, ...change })).toBe(machine))
})

describe('burstOf', () => {
  const click = (id: string, linkId: string, atMs: number) => ({ id, linkId, atMs })
  it('is all links within one second', () => {
    expect(burstOf([click('1', 'a', 0), click('2', 'b', 900), click('3', 'a', 9000)], 2)).toEqual(['1', '2'])
  })
  it('is not two links a while apart, one of several, or the only link', () => {
    expect(burstOf([click('1', 'a', 0), click('2', 'b', 1500)], 2)).toEqual([])
    expect(burstOf([click('1', 'a', 0), click('2', 'b', 10)], 3)).toEqual([])
    expect(burstOf([click('1', 'a', 0)], 1)).toEqual([])
  })
})
