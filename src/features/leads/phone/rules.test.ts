import { describe, expect, it } from 'vitest'
import { dialXml, keyXml, missedText, ringsItself, sorryXml, wasTaken } from './rules.ts'

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

it.each([
  ['Text us what you need.', 'en', 'Text us what you need. Reply STOP to opt out.'],
  ['Text us. Reply STOP to end.', 'en', 'Text us. Reply STOP to end.'],
  ['Escribanos.', 'es', 'Escribanos. Responda STOP para no recibir mas.'],
  ['Nonstop service!', 'en', 'Nonstop service! Reply STOP to opt out.'],
] as const)('the text %s in %s has a way out', (words, language, expected) =>
  expect(missedText(words, language)).toBe(expected),
)
