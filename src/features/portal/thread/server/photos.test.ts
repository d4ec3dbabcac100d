import sharp from 'sharp'
import { expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { readObject } from '../../../../platform/storage.ts'
import { stranger } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { aCustomer, giveMail, signIn } from '../../../../test/portal.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { timelineApi } from '../../../timeline/contract.ts'
import { mostMessagePhotos } from '../../rules.ts'

const picture = (color: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .withExif({ IFD0: { Copyright: 'secret place' }, IFD3: { GPSLatitude: '32/1 4/1 51/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer()

const filesOf = (own: TestBusiness) =>
  own.db((db) =>
    db.selectFrom('files').select('id').where('businessId', '=', own.id).where('kind', '=', 'message').execute(),
  )
const messagesOf = async (own: TestBusiness, customerId: string) =>
  (await own.api.ok(messagesApi.list, { query: { customerId } })).items.filter(({ channel }) => channel === 'portal')

it('photos stand with the message in the portal, the office’s thread and the timeline: once, without their place', async () => {
  const own = await aBusiness()
  const { customerId } = await aCustomer(own)
  const window = await signIn(own)
  expect((await window.get(`${window.base}/messages`)).words).toContain('Up to 4, as JPEG, PNG or WebP.')
  const photos = [
    { name: 'roses.jpg', bytes: await picture('#a33') },
    {
      name: 'Zaun ü "1".png',
      bytes: await sharp(await picture('#3a3'))
        .png()
        .toBuffer(),
    },
  ]
  const fields = { once: newId(), text: 'The sprinkler leaks\r\nhere' }
  const presses = await Promise.all([0, 1].map(() => window.postPhotos(`${window.base}/messages`, fields, photos)))
  expect(presses.map(({ status, headers }) => [status, headers.location])).toEqual(
    Array(2).fill([303, `${window.base}/messages?done=write`]),
  )
  const [message, ...more] = await messagesOf(own, customerId)
  expect([more, message?.text, message?.photos.length]).toEqual([[], 'The sprinkler leaks\nhere', 2])
  expect(await filesOf(own)).toHaveLength(2)
  const timeline = await own.api.ok(timelineApi.list, { params: { id: customerId }, query: { kind: 'message' } })
  const entry = timeline.items.find(({ id }) => id === message?.id)
  expect(entry?.photos).toEqual(message?.photos)
  const page = await window.get(`${window.base}/messages`)
  for (const { url, smallUrl } of message?.photos ?? []) {
    expect(page.text).toContain(`href="${url}"`)
    expect(page.text).toContain(`src="${smallUrl}"`)
    const { status, headers } = await stranger.raw({ method: 'GET', url })
    expect([status, headers['content-type']]).toEqual([200, 'image/jpeg'])
  }
  const keys = await own.db((db) =>
    db
      .selectFrom('files')
      .select(['storageKey', 'mime'])
      .where('businessId', '=', own.id)
      .where('kind', '=', 'message')
      .execute(),
  )
  for (const { storageKey } of keys)
    expect((await sharp((await readObject(storageKey)) ?? Buffer.alloc(0)).metadata()).exif).toBeUndefined()
})

it('nobody else sees them: no other customer, no other business, and no address that was changed', async () => {
  const own = await aBusiness()
  const { customerId } = await aCustomer(own)
  const neighbor = await aVisit(own, { customer: 'Carl Next' })
  await giveMail(own, neighbor.customerId, 'carl@test.swath.test')
  const window = await signIn(own)
  const next = await signIn(own, 'carl@test.swath.test')
  await window.postPhotos(`${window.base}/messages`, { once: newId(), text: 'Here' }, [
    { name: 'a.jpg', bytes: await picture('#a33') },
  ])
  const [message] = await messagesOf(own, customerId)
  const url = message?.photos[0]?.url ?? ''
  const [fileId = ''] = (await filesOf(own)).map(({ id }) => id)
  expect((await next.get(`${next.base}/messages`)).text).not.toContain(fileId)
  const other = await aBusiness()
  expect((await other.api.call(messagesApi.get, { params: { id: message?.id ?? '' } })).status).toBe(404)
  expect((await other.api.call(timelineApi.list, { params: { id: customerId }, query: {} })).status).toBe(404)
  expect((await other.api.ok(messagesApi.list, { query: { customerId } })).items).toEqual([])
  for (const changed of [url.replace(own.id, other.id), url.replace(fileId, newId()), `${url}x`])
    expect((await stranger.raw({ method: 'GET', url: changed })).status).toBe(404)
})

it('what is no photo, too many or too large is refused in words; the words stay and nothing is kept', async () => {
  const own = await aBusiness()
  const { customerId } = await aCustomer(own)
  const window = await signIn(own)
  const jpeg = await picture('#a33')
  const heic = Buffer.from([0, 0, 0, 0x18, ...Buffer.from('ftypheic'), ...Buffer.alloc(30)])
  const once = newId()
  const send = (photos: { name: string; bytes: Uint8Array }[], text = 'Please mind <this>') =>
    window.postPhotos(`${window.base}/messages`, { once, text }, photos)
  for (const [photos, said] of [
    [[{ name: 'IMG_1.heic', bytes: heic }], '&quot;IMG_1.heic&quot; is not a photo that we can read'],
    [
      [
        { name: 'good.jpg', bytes: jpeg },
        { name: 'cut.jpg', bytes: jpeg.subarray(0, 40) },
      ],
      '&quot;cut.jpg&quot; is not a photo that we can read',
    ],
    [Array(mostMessagePhotos + 1).fill({ name: 'a.jpg', bytes: jpeg }), 'At most 4 photos go with one message.'],
    [
      [{ name: 'huge.jpg', bytes: Buffer.concat([jpeg, Buffer.alloc(16 * 1024 * 1024)]) }],
      '&quot;huge.jpg&quot; is too large',
    ],
    [Array(2).fill({ name: 'b.jpg', bytes: Buffer.alloc(13 * 1024 * 1024) }), 'together at most 24 MB'],
  ] as const) {
    const { status, text, words } = await send([...photos])
    expect([status, said, words.includes(said)]).toEqual([422, said, true])
    expect(text).toContain('>Please mind &lt;this&gt;</textarea>')
    expect(text).toContain(once)
  }
  expect((await send([{ name: 'a.jpg', bytes: jpeg }], ' ')).words).toContain('Write something first')
  expect((await send([{ name: 'far.jpg', bytes: Buffer.alloc(100 * 1024 * 1024) }])).status).toBe(413)
  const broken = await stranger.raw({
    method: 'POST',
    url: `${window.base}/messages`,
    headers: { cookie: window.cookie(), 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nHalf',
  })
  expect(broken.status).toBe(400)
  expect([await messagesOf(own, customerId), await filesOf(own)]).toEqual([[], []])
  // the same form, sent again without what was refused, is the one message
  expect((await send([])).status).toBe(303)
  expect((await messagesOf(own, customerId)).map(({ text, photos }) => [text, photos])).toEqual([
    ['Please mind <this>', []],
  ])
  // who is not signed in sends nothing
  const out = await stranger.raw({
    method: 'POST',
    url: `${window.base}/messages`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'text=hello',
  })
  expect([out.status, await messagesOf(own, customerId)]).toEqual([401, expect.objectContaining({ length: 1 })])
})
