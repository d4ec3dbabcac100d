import { describe, expect, it } from 'vitest'
import { config } from '../config.ts'
import { newId } from '../ids.ts'
import { readReturnAddress, returnAddress } from './addresses.ts'
import { askingIn, parseInbound, parseStrangerMail, withoutQuote } from './inbound.ts'

describe('a return address', () => {
  const id = newId()
  it('names its message, also when a server wrote it in capitals', () => {
    const address = returnAddress('reply', id) ?? ''
    expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64)
    expect(readReturnAddress(address)).toEqual({ kind: 'reply', messageId: id, businessId: null })
    expect(readReturnAddress(address.toUpperCase())).toEqual({ kind: 'reply', messageId: id, businessId: null })
  })
  it('of a business names the business too, within what a mail server takes', () => {
    const businessId = newId()
    for (const kind of ['reply', 'bounce'] as const) {
      const address = returnAddress(kind, id, businessId) ?? ''
      expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64)
      expect(readReturnAddress(address.toUpperCase())).toEqual({ kind, messageId: id, businessId })
      const end = address.charAt(62) === '0' ? '1' : '0'
      expect(readReturnAddress(address.slice(0, 62) + end + address.slice(63))).toBeNull()
      expect(readReturnAddress((kind === 'reply' ? 'b' : 'r') + address.slice(1))).toBeNull()
    }
  })
  it('that nobody signed is none', () => {
    const address = returnAddress('reply', id) ?? ''
    expect(readReturnAddress(address.replace(/^reply/, 'bounce'))).toBeNull()
    expect(readReturnAddress(address.replace(/\.[0-9a-f]/, (end) => (end === '.0' ? '.1' : '.0')))).toBeNull()
    expect(readReturnAddress('reply@in.swath.example')).toBeNull()
  })
})

describe('withoutQuote', () => {
  it.each([
    ['Yes please\n\nOn Fri, Jun 12, 2026 at 9:00 AM Swath <a@b.c> wrote:\n> Hello', 'Yes please'],
    ['Yes\n\nOn Fri, Jun 12, 2026 at 9:00 AM Swath\n<a@b.c> wrote:\n> Hello', 'Yes'],
    ['Call me.\r\n\r\n-----Original Message-----\r\nFrom: x', 'Call me.'],
    ['> You wrote\nMy answer', 'My answer'],
    ['On Monday we are closed.', 'On Monday we are closed.'],
    ['', ''],
  ])('%j is %j', (text, message) => expect(withoutQuote(text)).toBe(message))
})

const mail = (head: string[], body: string) => [...head, '', body].join('\r\n')

describe('parseInbound', () => {
  it('reads words from HTML without its markup', async () => {
    const parsed = await parseInbound(
      mail(
        ['From: "Dana <b>" <Dana@Oak.test>', 'Subject: Re: Hi', 'Message-ID: <a@b>', 'Content-Type: text/html'],
        '<p>Yes &amp; <script>alert(1)</script>thanks</p><blockquote>old</blockquote>',
      ),
    )
    expect(parsed).toMatchObject({ from: 'dana@oak.test', text: 'Yes & thanks', messageId: 'a@b', automatic: false })
  })

  it('knows an out-of-office note', async () => {
    const parsed = await parseInbound(mail(['From: a@b.c', 'Auto-Submitted: auto-replied'], 'Away'))
    expect(parsed.automatic).toBe(true)
  })

  it('reads a delivery report', async () => {
    const parsed = await parseInbound(
      mail(
        ['From: mailer-daemon@mx.test', 'Content-Type: multipart/report; report-type=delivery-status; boundary="x"'],
        [
          '--x',
          'Content-Type: text/plain',
          '',
          'Sorry',
          '--x',
          'Content-Type: message/delivery-status',
          '',
          'Reporting-MTA: dns; mx.test',
          '',
          'Final-Recipient: rfc822; a@b.c',
          'Action: failed',
          'Status: 5.1.1',
          'Diagnostic-Code: smtp; 550 5.1.1 unknown user',
          '--x--',
        ].join('\r\n'),
      ),
    )
    expect(parsed.report).toEqual({ action: 'failed', status: '5.1.1', message: '550 5.1.1 unknown user' })
  })
})

describe('who asks in a mail of a stranger', () => {
  const asks = async (head: string[], body = 'Half an acre', own: string[] = []) => {
    const parsed = await parseStrangerMail(mail(head, body))
    return parsed.isBulk ? 'bulk' : askingIn(parsed, (address) => own.includes(address))
  }
  const form = 'From: "Wix Forms" <no-reply@wix.test>'
  const maya = { address: 'maya@home.test', through: 'wix.test' }

  it.each([
    ['names them', [form, 'Reply-To: "Maya Brooks" <Maya@Home.test>'], 'Hi', { ...maya, name: 'Maya Brooks' }],
    [
      'has their name among its words',
      [form, 'Reply-To: maya@home.test'],
      'Name: Maya B\nHi',
      { ...maya, name: 'Maya B' },
    ],
    [
      'says via whom',
      ['From: "Maya B via Wix" <x@wix.test>', 'Reply-To: maya@home.test'],
      'Hi',
      { ...maya, name: 'Maya B' },
    ],
    ['knows no name', [form, 'Reply-To: maya@home.test'], 'Hi', { ...maya, name: '' }],
    [
      'is made by a machine',
      [form, 'Reply-To: maya@home.test', 'Auto-Submitted: auto-generated'],
      'Hi',
      { ...maya, name: '' },
    ],
    ['is counted by its sender', [form, 'Reply-To: maya@home.test', 'Feedback-ID: 1:ses'], 'Hi', { ...maya, name: '' }],
    ['is a list all the same', [form, 'Reply-To: maya@home.test', 'List-Id: <a.b>'], 'Hi', 'bulk'],
    [
      'answers by itself all the same',
      [form, 'Reply-To: maya@home.test', 'Auto-Submitted: auto-replied'],
      'Hi',
      'bulk',
    ],
    ['names two', [form, 'Reply-To: maya@home.test, tom@home.test'], 'Hi', null],
    ['names a group', [form, 'Reply-To: All: maya@home.test, tom@home.test;'], 'Hi', null],
    ['names a machine', [form, 'Reply-To: noreply@home.test'], 'Hi', null],
    ['names what is no address', [form, 'Reply-To: maya at home'], 'Hi', null],
    ['is our own', [`From: ${config.mailFrom}`, 'Reply-To: maya@home.test'], 'Hi', 'bulk'],
    ['comes back to us', [form, `Reply-To: ${returnAddress('reply', newId(), newId())}`], 'Hi', null],
    ['names nobody', [form], 'Hi', null],
  ] as const)('of a form that %s', async (_, head, body, expected) => {
    expect(await asks([...head], body)).toEqual(expected)
  })

  it('is the sender where the answer would go to the business itself, or to the sender', async () => {
    const tom = { address: 'tom@home.test', name: 'Tom', through: null }
    expect(await asks(['From: Tom <tom@home.test>', 'Reply-To: owner@marsh.test'], 'Hi', ['owner@marsh.test'])).toEqual(
      tom,
    )
    expect(await asks(['From: Tom <tom@home.test>', 'Reply-To: TOM@home.test'])).toEqual(tom)
    expect(
      await asks(['From: owner@marsh.test', 'Reply-To: maya@home.test'], 'Hi', ['owner@marsh.test']),
    ).toMatchObject({
      address: 'maya@home.test',
    })
  })
})

describe('what no program should send', () => {
  it('is kept without NULs, halves of emoji and what is too long, at once', async () => {
    const parsed = await parseStrangerMail(
      mail(
        ['From: "M\u0000aya" <maya@home.test>', 'Subject: La\u0000wn', 'Content-Type: text/plain; charset=utf-8'],
        `Ha\u0000lf \ud83c an acre${'x'.repeat(19_984)}🌳${'y'.repeat(5_000_000)}`,
      ),
    )
    expect([parsed.fromName, parsed.subject, parsed.from]).toEqual([
      expect.not.stringContaining('\u0000'),
      expect.not.stringContaining('\u0000'),
      'maya@home.test',
    ])
    expect(parsed.text).toMatch(/^Half/)
    expect(parsed.text.isWellFormed() && !parsed.text.includes('\u0000')).toBe(true)
    expect(parsed.text.length).toBeLessThanOrEqual(20_000)
  })

  it.each([['<'], ['<style'], ['<head>'], ['<br ']])('of nothing but %s is read in one walk', async (piece) => {
    const started = performance.now()
    await parseStrangerMail(
      mail(['From: a@b.test', 'Content-Type: text/html'], `Hello ${piece.repeat(4_000_000 / piece.length)}`),
    )
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('keeps the words after a head that is never closed', async () => {
    const { text } = await parseStrangerMail(
      mail(['From: a@b.test', 'Content-Type: text/html'], '<head><style>p{}</style><body><p>Half an acre</p>'),
    )
    expect(text).toBe('Half an acre')
  })
})
