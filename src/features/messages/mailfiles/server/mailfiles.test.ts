import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localPhoneApi } from '../../../../local/phone/contract.ts'
import { config } from '../../../../platform/config.ts'
import { newId } from '../../../../platform/ids.ts'
import { leadAddress, returnAddress } from '../../../../platform/mail/addresses.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aCustomer } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { mailSecret, mailTo } from '../../../../test/mail.ts'
import { businessLeadsApi } from '../../../leads/contract.ts'
import { timelineApi } from '../../../timeline/contract.ts'
import { messagesApi } from '../../contract.ts'
import { conversationsApi } from '../../conversations/contract.ts'

const before = { ...config }
let photo: Buffer
let logo: Buffer
beforeAll(async () => {
  Object.assign(config, { mailInboundDomain: 'in.oak.test', mailInboundSecret: mailSecret })
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  photo = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#4a7', noise } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '32/1 4/1 0/1' } })
    .jpeg()
    .toBuffer()
  logo = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#eee' } })
    .png()
    .toBuffer()
})
afterAll(() => {
  Object.assign(config, before)
})

const pdf = Buffer.from('%PDF-1.4 a plan of the beds')
type Part = { type: string; name: string; bytes: Buffer; inText?: boolean }
const mailWith = (from: string, id: string, text: string, parts: readonly Part[]): string[] => [
  `From: ${from}`,
  'Subject: Re: The beds',
  `Message-ID: <${id}>`,
  'Content-Type: multipart/related; boundary="part"',
  '',
  '--part',
  'Content-Type: text/plain',
  '',
  text,
  ...parts.flatMap(({ type, name, bytes, inText }) => [
    '--part',
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: ${inText ? 'inline' : 'attachment'}; filename="${name}"`,
    ...(inText ? ['Content-ID: <logo@home>'] : []),
    'Content-Transfer-Encoding: base64',
    '',
    bytes.toString('base64'),
  ]),
  '--part--',
]

const aTalk = async () => {
  const own = await aBusiness()
  const customerId = await aCustomer(own, 'ana@home.example')
  const sent = await own.api.ok(messagesApi.sendEmail, {
    params: { id: customerId },
    body: { subject: 'The beds', text: 'Which beds do you mean?' },
  })
  await runTasks()
  const answer = async (id: string, text: string, parts: readonly Part[]) => {
    const to = returnAddress('reply', sent.id, own.id) ?? ''
    const { status } = await mailTo(to, mailWith('Ana <ana@home.example>', id, text, parts))
    await runTasks()
    return status
  }
  const newest = async () => {
    const { items } = await own.api.ok(conversationsApi.thread, { params: { id: customerId }, query: {} })
    const [first] = items
    if (first?.kind !== 'message') throw new Error('no message')
    return { message: first.message, count: items.length }
  }
  return { own, customerId, answer, newest }
}
const files = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('files')
      .select(['id', 'name', 'mime'])
      .where('businessId', '=', own.id)
      .where('kind', '=', 'message')
      .execute(),
  )

describe('files of mail that comes in', () => {
  it('photos and PDFs stand in the thread, once, and are handed out as what they are', async () => {
    const { own, customerId, answer, newest } = await aTalk()
    const parts = [
      { type: 'application/octet-stream', name: 'IMG_1.JPG', bytes: photo },
      { type: 'text/html', name: 'plan.html', bytes: pdf },
      { type: 'image/png', name: 'logo.png', bytes: logo, inText: true },
    ]
    for (const status of [await answer('one@home', 'These.', parts), await answer('one@home', 'These.', parts)])
      expect(status).toBe(200)
    const { message, count } = await newest()
    expect(count).toBe(2)
    expect(message).toMatchObject({
      text: 'These.',
      notKept: null,
      photos: [{ name: 'IMG_1.jpg' }],
      files: [{ name: 'plan.pdf', byteCount: pdf.byteLength }],
    })
    expect((await files(own)).map(({ name }) => name).sort()).toEqual(['IMG_1.jpg', 'plan.pdf'])
    const get = (url = '') => stranger.raw({ method: 'GET', url })
    const shown = await get(message.photos[0]?.url)
    expect([shown.status, shown.headers['content-type'], shown.headers['content-disposition']]).toEqual([
      200,
      'image/jpeg',
      'inline',
    ])
    // where it was taken is nobody's to know
    expect((await sharp(shown.bytes).metadata()).exif).toBeUndefined()
    const saved = await get(message.files[0]?.url)
    expect([saved.status, saved.headers['content-type'], saved.headers['content-disposition'], saved.bytes]).toEqual([
      200,
      'application/pdf',
      "attachment; filename*=UTF-8''plan.pdf",
      pdf,
    ])
    expect(saved.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect((await get(`${message.files[0]?.url.slice(0, -4)}AAAA`)).status).toBe(404)
    const detail = await own.api.ok(messagesApi.get, { params: { id: message.id } })
    expect(detail.attachments.map(({ name }) => name)).toEqual(['IMG_1.jpg', 'plan.pdf'])
    const { items: timeline } = await own.api.ok(timelineApi.list, { params: { id: customerId }, query: {} })
    expect(timeline.find(({ kind }) => kind === 'message')?.photos).toHaveLength(1)
    // another business's office sees neither mail nor file
    const other = await aBusiness()
    expect((await other.api.call(messagesApi.get, { params: { id: message.id } })).status).toBe(404)
  })

  it('what is too large, of another kind, damaged or one too many is named, and the words are there', async () => {
    const { own, answer, newest } = await aTalk()
    await answer('two@home', 'See the video', [
      { type: 'image/jpeg', name: 'big.jpg', bytes: Buffer.concat([photo, Buffer.alloc(5 * 1024 * 1024)]) },
      { type: 'image/jpeg', name: 'script.jpg', bytes: Buffer.from('<script>alert(1)</script>') },
      { type: 'video/mp4', name: 'a.mp4', bytes: Buffer.from('video') },
      { type: 'image/heic', name: 'IMG_2.HEIC', bytes: Buffer.from('heic') },
      { type: 'image/jpeg', name: 'damaged.jpg', bytes: photo.subarray(0, 60) },
    ])
    const { message } = await newest()
    expect(message).toMatchObject({ text: 'See the video', photos: [], files: [] })
    expect(message.notKept).toBe(
      'A file of this mail was not kept: larger than 5 MB. 2 files of this mail were not kept: neither a photo nor a PDF. ' +
        '2 files of this mail were not kept: of a kind that we cannot read. Ask for what is missing.',
    )
    expect(await files(own)).toEqual([])
    const many = Array.from({ length: 12 }, (_, at) => ({
      type: 'application/pdf',
      name: `${at}.pdf`,
      bytes: Buffer.from(`%PDF-1.4 ${at}`),
    }))
    await answer('three@home', '', many)
    const { message: next } = await newest()
    expect([next.text, next.files.length, next.notKept]).toEqual([
      '(10 PDFs)',
      10,
      '2 files of this mail were not kept: 10 are kept of one mail. Ask for what is missing.',
    ])
  })

  it('of somebody who asks for a price stand in their conversation', async () => {
    const own = await aBusiness()
    const id = newId()
    await mailTo(
      leadAddress(own.id) ?? '',
      mailWith('Bo <bo@home.example>', id, 'How much?', [{ type: 'image/jpeg', name: 'yard.jpg', bytes: photo }]),
    )
    await runTasks()
    const { items } = await own.api.ok(messagesApi.list, { query: { address: 'bo@home.example' } })
    expect(items[0]).toMatchObject({ text: 'How much?', photos: [{ name: 'yard.jpg' }], customer: null })
    // and in what happened to the lead that they became, as a photo of a text does
    const medium = await own.api.ok(
      localPhoneApi.addMedium,
      { query: {}, body: photo },
      { 'content-type': 'image/jpeg' },
    )
    await own.api.ok(localPhoneApi.act, {
      body: { kind: 'reply', from: '+19125550177', text: 'My yard', media: [medium] },
    })
    await runTasks()
    const { items: leads } = await own.api.ok(businessLeadsApi.list, { query: {} })
    expect(leads).toHaveLength(2)
    for (const { id: leadId } of leads) {
      const { items: past } = await own.api.ok(businessLeadsApi.timeline, { params: { id: leadId }, query: {} })
      expect(past.find(({ kind }) => kind === 'message')?.message?.photos).toHaveLength(1)
    }
  })
})
