import { expect, it } from 'vitest'
import { button, linksOf, paragraph, rows, small, writeLetter, writeNote } from './letter.ts'

const invoice = writeLetter({
  from: 'Bright & Sons <Lawn>',
  brandColor: '#2e7d4f',
  title: 'Invoice 1042',
  parts: [
    paragraph('Hello Ana,'),
    paragraph('Two lines,\none paragraph.'),
    rows(
      { label: 'Mowing', note: 'Fri, Jun 12 · 12 Oak St', value: '$45.00' },
      { label: 'To pay', value: '$45.00', strong: true },
    ),
    button('See and pay', 'https://swath.test/p/a?b=1&c=2'),
    small('Bright & Sons\n(912) 555-0147'),
  ],
})

it('says the same in text and in HTML', () => {
  expect(invoice.text).toBe(
    [
      'Hello Ana,',
      'Two lines,\none paragraph.',
      'Mowing (Fri, Jun 12 · 12 Oak St): $45.00\nTo pay: $45.00',
      'See and pay: https://swath.test/p/a?b=1&c=2',
      'Bright & Sons\n(912) 555-0147\n',
    ].join('\n\n'),
  )
  for (const words of ['Hello Ana,', 'Two lines,<br/>one paragraph.', 'Mowing', '12 Oak St', '$45.00', 'Invoice 1042'])
    expect(invoice.html).toContain(words)
})

it('escapes what a person wrote, in words and in addresses', () => {
  expect(invoice.html).toContain('Bright &amp; Sons &lt;Lawn&gt;')
  expect(invoice.html).toContain('href="https://swath.test/p/a?b=1&amp;c=2"')
  const sly = writeLetter({
    from: '"><img src=x onerror=alert(1)>',
    brandColor: 'red;background:url(https://evil.test)',
    parts: [paragraph('<script>alert(1)</script>'), button('<b>', 'https://swath.test/"><script>')],
  })
  expect(sly.html).not.toMatch(/<script|<img src=x|<b>/)
})

it('is a whole document in its language, whose words after the greeting the list of mails shows', () => {
  expect(invoice.html).toMatch(/^<!doctype html><html dir="ltr" lang="en">/)
  expect(writeLetter({ language: 'es', from: 'Swath', parts: [paragraph('Hola')] }).html).toContain('lang="es"')
  expect(invoice.html).toMatch(/display:none[^>]*>Two lines,/)
})

it('signs a letter whose last words do not', () => {
  expect(writeLetter({ from: 'Swath', parts: [paragraph('Hello Ana,')] }).text).toBe('Hello Ana,\n\nSwath\n')
})

it('a note keeps its words, its links work, and its footer says who writes and how to end it', () => {
  const footer = {
    fromName: 'Swath',
    postalAddress: '1 Bay St\nSavannah, GA',
    unsubscribeUrl: 'https://swath.test/u/1',
  }
  const text = 'Hello Ana,\n\nsee https://swath.test/pricing.\nBest, Sam'
  const note = writeNote(text, footer, {
    hrefOf: (url) => `https://swath.test/c?to=${url}`,
    pixelUrl: 'https://swath.test/o/1.gif',
  })
  expect(note.text).toBe(`${text}\n\n-- \nSwath, 1 Bay St\nSavannah, GA\nUnsubscribe: https://swath.test/u/1\n`)
  expect(note.html).toContain('href="https://swath.test/c?to=https://swath.test/pricing"')
  expect(note.html).toContain('>https://swath.test/pricing</a>.<br/>Best, Sam')
  expect(note.html).toContain('Swath, 1 Bay St, Savannah, GA')
  expect(note.html).toMatch(/href="https:\/\/swath\.test\/u\/1"[^>]*>Unsubscribe/)
  expect(note.html).toMatch(/<img src="https:\/\/swath\.test\/o\/1\.gif" width="1" height="1"/)
  expect(writeNote('Hello', null).html).not.toMatch(/Unsubscribe|<img/)
})

it('finds each address once, without the period behind it', () => {
  expect(linksOf('a https://a.test/x, b https://b.test. a again https://a.test/x')).toEqual([
    'https://a.test/x',
    'https://b.test',
  ])
})
