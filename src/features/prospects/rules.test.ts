import { describe, expect, test } from 'vitest'
import { checkContact, leadProblems, leadStatuses, looksLikeEmail, sourceOf } from './rules.ts'

const good = { name: 'Dana', email: 'dana@lawn.example', phone: '912 555 0123' }

describe('a lead form', () => {
  test.each([
    [good, []],
    [{ ...good, name: '  ' }, [{ path: 'name', message: leadProblems.missing }]],
    [
      { name: '', email: '', phone: '' },
      ['name', 'email', 'phone'].map((path) => ({ path, message: leadProblems.missing })),
    ],
    [{ ...good, email: ' dana@lawn.example ' }, []],
    [{ ...good, email: 'dana@lawn' }, [{ path: 'email', message: leadProblems.email }]],
    [{ ...good, phone: '912 555 012' }, [{ path: 'phone', message: leadProblems.phone }]],
    [{ ...good, phone: '+1 (912) 555-0123' }, []],
  ])('%j', (contact, expected) => expect(checkContact(contact)).toEqual(expected))

  test.each([
    ['a@b.co', true],
    ['a.b+c@sub.example.com', true],
    ['a b@c.co', false],
    ['a@b.co\nBcc: d@e.co', false],
    ['a@b.', false],
    ['@b.co', false],
    ['"<script>"@b.co', false],
    ['a,b@c.co', false],
  ])('%j looks like an address: %s', (text, expected) => expect(looksLikeEmail(text)).toBe(expected))
})

test.each([
  ['landing_page', { gclid: '', utmSource: '' }, 'landing_page'],
  ['landing_page', { gclid: 'x', utmSource: '' }, 'google_ads'],
  ['quote_builder_direct', { gclid: '', utmSource: ' GOOGLE ' }, 'google_ads'],
  ['quote_builder_direct', { gclid: '', utmSource: 'bing' }, 'quote_builder_direct'],
] as const)('%s with %j is %s', (page, attribution, expected) => expect(sourceOf(page, attribution)).toBe(expected))

test('a lead has five states', () => {
  expect(leadStatuses).toEqual(['new', 'contacted', 'qualified', 'converted', 'closed'])
})
