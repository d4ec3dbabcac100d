import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { callerOf, dialXml, isTextable, keyXml, missedText, ringsItself, sorryXml, wasTaken } from './rules.ts'

describe('a call', () => {
  it.each([
    ['completed', null, true],
    ['completed', 'true', true],
    ['answered', null, true],
    // a mailbox that pressed no key was picked up and never put through
    ['completed', 'false', false],
    ['no-answer', null, false],
    ['busy', null, false],
    ['failed', null, false],
    ['canceled', null, false],
    ['', null, false],
  ])('that ended as %s, bridged %s, was taken: %s', (status, bridged, expected) => {
    expect(wasTaken(status, bridged)).toBe(expected)
  })

  it('lets the phone ring and says nothing that could be markup', () => {
    const xml = dialXml({ to: '+19125550100', seconds: 18, endedUrl: 'https://a.test/x?k=1&b=2', takenUrl: null })
    expect(xml).toContain('timeout="18"')
    expect(xml).toContain('<Number>+19125550100</Number>')
    expect(xml).toContain('https://a.test/x?k=1&#38;b=2')
    expect(keyXml('Moe & <Sons>', 'https://a.test')).toContain('Moe &#38; &#60;Sons&#62;')
    expect(sorryXml({ en: 'Sorry.', es: null })).not.toContain('es-US')
    expect(sorryXml({ en: 'Sorry.', es: 'Perdon.' })).toContain('<Say language="es-US">Perdon.</Say>')
  })

  it.each([
    ['+19125550100', '+19125550100', true],
    ['+19125550100', '+19125550101', false],
    [null, null, false],
    [null, '+19125550101', false],
  ])('from %s to %s rings itself: %s', (callNumber, forwardTo, expected) => {
    expect(ringsItself({ callNumber, forwardTo })).toBe(expected)
  })
})

const stop = ' Reply STOP to opt out.'
it.each([
  ['Text us what you need.', stop, 'Marsh Side: Text us what you need. Reply STOP to opt out.'],
  ['Text us what you need.', '', 'Marsh Side: Text us what you need.'],
  ['Text us. Reply STOP to end.', stop, 'Marsh Side: Text us. Reply STOP to end.'],
  ['marsh side here! Text us.', stop, 'marsh side here! Text us. Reply STOP to opt out.'],
  ['Nonstop service!', stop, 'Marsh Side: Nonstop service! Reply STOP to opt out.'],
])('the text %s names the business and a way out', (words, way, expected) =>
  expect(missedText(words, 'Marsh Side', way)).toBe(expected),
)

describe('who calls', () => {
  it.each([
    ['+19125550163', { kind: 'number', phone: '+19125550163', textable: true }],
    ['(912) 555-0163', { kind: 'number', phone: '+19125550163', textable: true }],
    ['sip:+19125550163@carrier.test', { kind: 'number', phone: '+19125550163', textable: true }],
    ['+17875550163', { kind: 'number', phone: '+17875550163', textable: true }],
    ['+18005550163', { kind: 'number', phone: '+18005550163', textable: false }],
    ['+19005550163', { kind: 'number', phone: '+19005550163', textable: false }],
    ['+19129765550', { kind: 'number', phone: '+19129765550', textable: false }],
    ['+18765550163', { kind: 'number', phone: '+18765550163', textable: false }],
    ['+4722123456', { kind: 'number', phone: '+4722123456', textable: false }],
    ['72345', { kind: 'other', shown: '72345' }],
    ['sip:desk@carrier.test', { kind: 'other', shown: 'desk' }],
    ['+266696687', { kind: 'hidden' }],
    ['+7378742833', { kind: 'hidden' }],
    ['Anonymous', { kind: 'hidden' }],
    ['sip:anonymous@anonymous.invalid', { kind: 'hidden' }],
    ['Restricted', { kind: 'hidden' }],
    ['', { kind: 'hidden' }],
  ])('%s', (from, expected) => expect(callerOf(from)).toEqual(expected))

  it('is texted where a library of all numbers says that it is ours and read by a person', () => {
    const ours = new Set(['US', 'CA', 'PR', 'VI', 'GU', 'AS', 'MP'])
    for (let area = 200; area < 1000; area++) {
      const known = parsePhoneNumberFromString(`+1${area}2345678`)
      if (!known?.isValid()) continue
      const expected = ours.has(known.country ?? '') && known.getType() === 'FIXED_LINE_OR_MOBILE'
      expect([area, isTextable(known.number)]).toEqual([area, expected])
    }
  })
})
