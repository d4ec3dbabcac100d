import { describe, expect, it } from 'vitest'
import { newId } from '../ids.ts'
import { readReturnAddress, returnAddress } from './addresses.ts'
import { parseInbound, withoutQuote } from './inbound.ts'

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
