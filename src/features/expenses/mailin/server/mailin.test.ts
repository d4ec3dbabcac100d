import sharp from 'sharp'
import { expect, it } from 'vitest'
import { hmacToken } from '../../../../platform/keys.ts'
import { stranger } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { expensesApi } from '../../contract.ts'

const post = (to: string, raw: string) =>
  stranger.raw({
    method: 'POST',
    url: `/api/webhooks/mail?to=${encodeURIComponent(to)}`,
    payload: raw,
    headers: {
      'content-type': 'message/rfc822',
      authorization: `Bearer ${hmacToken('webhook-local', 'mail-inbound')}`,
    },
  })

const mailOf = (id: string, parts: readonly { type: string; name: string; bytes: Buffer }[]) =>
  [
    'From: SiteOne <receipts@siteone.com>',
    `Message-ID: <${id}>`,
    'Subject: Your receipt',
    'Content-Type: multipart/mixed; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'Subtotal $100.00',
    'Total: $107.00',
    ...parts.flatMap(({ type, name, bytes }) => [
      '--part',
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      bytes.toString('base64'),
    ]),
    '--part--',
    '',
  ].join('\r\n')

it('a receipt by mail waits for the office with its pictures and PDFs, once; an address that we did not make is nobody’s', async () => {
  const own = await aBusiness()
  const { mailTo } = await own.api.ok(expensesApi.choices, {})
  const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#eee' } })
    .png()
    .toBuffer()
  const raw = mailOf('one@siteone.com', [
    { type: 'image/png', name: 'receipt.png', bytes: image },
    { type: 'application/pdf', name: 'receipt.pdf', bytes: Buffer.from('%PDF-1.4 a receipt') },
    { type: 'application/zip', name: 'more.zip', bytes: Buffer.from('PK') },
  ])
  for (const to of [mailTo ?? '', (mailTo ?? '').toUpperCase()]) {
    const answer = await post(to, raw)
    expect([answer.status, answer.body]).toEqual([200, { received: true }])
  }
  const { items, reviewCount } = await own.api.ok(expensesApi.list, { query: { review: 'true' } })
  expect(reviewCount).toBe(1)
  expect(items[0]).toMatchObject({
    source: 'mail',
    vendor: 'Siteone',
    totalCents: 10_700,
    review: true,
    receiptCount: 2,
  })
  const { receipts } = await own.api.ok(expensesApi.get, { params: { id: items[0]?.id ?? '' } })
  expect(receipts.map(({ isPdf }) => isPdf)).toEqual([false, true])
  const forged = (mailTo ?? '').replace(/\.[0-9a-f]{20}@/, '.00000000000000000000@')
  expect((await post(forged, raw)).body).toEqual({ received: false })
})
