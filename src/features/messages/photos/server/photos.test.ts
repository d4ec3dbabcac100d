import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localPhoneApi } from '../../../../local/phone/contract.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { playTwilio, postSignedForm } from '../../../../test/twilio.ts'
import { largestTextPicture } from '../../../files/rules.ts'
import { providersApi } from '../../../providers/contract.ts'
import { timelineApi } from '../../../timeline/contract.ts'
import { messagesApi } from '../../contract.ts'
import { keepMailFiles } from '../../mailfiles/server/commands.ts'
import { receiveStrangerMail } from '../../server/inbound/commands.ts'
import { messagePhotosApi } from '../contract.ts'

// Noon in New York: texts may leave.
const noon = '2026-06-12T16:00:00Z'
const atNoon = () => setClock(() => new Date(noon))
const asPicture = { 'content-type': 'image/jpeg' }

const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#4a7', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
let photo: Buffer
let gif: Buffer
beforeAll(async () => {
  photo = await noise(320, 240).jpeg({ quality: 95 }).toBuffer()
  gif = await noise(80, 60).gif().toBuffer()
})

let numbers = 1000
const aCustomer = async (own: TestBusiness) => {
  const phone = `+1912558${numbers++}`
  const id = newId()
  await own.db((db) =>
    db
      .insertInto('customers')
      .values({ businessId: own.id, id, name: 'R. Odom', email: `${id}@oak.test`, phone })
      .execute(),
  )
  return { id, phone }
}
const upload = async (own: TestBusiness, bytes = photo) => own.api.ok(messagePhotosApi.add, { body: bytes }, asPicture)
const thread = async (own: TestBusiness, address: string) =>
  (await own.api.ok(messagesApi.list, { query: { address } })).items

// first: a server that is begun in production plays nobody
describe('on one’s own computer', () => {
  beforeAll(atNoon)
  afterAll(resetClock)

  it('the played phone sends photos through the same signed webhook, and shows those that come', async () => {
    const own = await aBusiness({ timeZone: 'America/New_York' })
    const customer = await aCustomer(own)
    const medium = await own.api.ok(localPhoneApi.addMedium, { query: {}, body: photo }, asPicture)
    await own.api.ok(localPhoneApi.act, { body: { kind: 'reply', from: customer.phone, text: '', media: [medium] } })
    await runTasks()
    const [came] = await thread(own, customer.phone)
    expect([came?.text, came?.photos.length, came?.customer?.id]).toEqual(['(A photo)', 1, customer.id])
    const { items: timeline } = await own.api.ok(timelineApi.list, { params: { id: customer.id }, query: {} })
    expect(timeline.find(({ kind }) => kind === 'message')?.photos).toHaveLength(1)
    // what another business's phone sent is nobody else's
    const other = await aBusiness({ timeZone: 'America/New_York' })
    await other.api.ok(localPhoneApi.act, {
      body: { kind: 'reply', from: customer.phone, text: 'Mine?', media: [medium] },
    })
    await runTasks()
    const [stolen] = await thread(other, customer.phone)
    expect([stolen?.photos, stolen?.notKept]).toEqual([[], expect.stringContaining('the phone never sent it')])
    const { id } = await upload(own)
    await own.api.ok(messagesApi.sendText, { params: { id: customer.id }, body: { text: 'Look', photos: [id] } })
    await runTasks()
    expect((await thread(own, customer.phone))[0]).toMatchObject({ status: 'sent', segments: 3 })
    const empty = await own.api.call(localPhoneApi.act, {
      body: { kind: 'reply', from: customer.phone, text: '', media: [] },
    })
    expect(empty.status).toBe(422)
  })

  it('a mail takes the photos along as files', async () => {
    const own = await aBusiness({ timeZone: 'America/New_York' })
    const customer = await aCustomer(own)
    const { id } = await upload(own)
    const mail = await own.api.ok(messagesApi.sendEmail, {
      params: { id: customer.id },
      body: { subject: 'The weed', text: 'This one.', photos: [id] },
    })
    await runTasks()
    const { attachments, status, reason, photos } = await own.api.ok(messagesApi.get, { params: { id: mail.id } })
    expect([status, reason, photos, attachments.map(({ name }) => name)]).toEqual(['sent', null, [], ['photo-1.jpg']])
    expect(attachments[0]?.byteCount).toBeGreaterThan(1000)
  })
})

describe('through the provider', () => {
  let provider: Awaited<ReturnType<typeof playTwilio>>
  beforeAll(async () => {
    provider = await playTwilio()
    atNoon()
  })
  beforeEach(() => {
    provider.answer = undefined
    provider.taken.length = 0
    provider.asked.length = 0
    provider.media.clear()
  })
  afterAll(() => {
    resetClock()
    provider.stop()
  })

  /** Where the provider keeps something that came in, as its webhook names it. */
  const mediumPath = (account = config.twilioAccountSid) =>
    `/2010-04-01/Accounts/${account}/Messages/MM${'1'.repeat(32)}/Media/ME${newId().replaceAll('-', '')}`
  const keep = (bytes: Buffer, mime = 'image/jpeg', more: object = {}) => {
    const path = mediumPath()
    provider.media.set(path, { bytes, mime, ...more })
    return { url: `https://api.twilio.com${path}`, mime }
  }
  const inbound = (from: string, body: string, media: { url: string; mime: string }[], id = `MM${newId()}`) =>
    postSignedForm(providersApi.twilioInbound.path, {
      MessageSid: id,
      From: from,
      To: '+18005550100',
      Body: body,
      NumMedia: String(media.length),
      ...Object.fromEntries(
        media.flatMap(({ url, mime }, at) => [
          [`MediaUrl${at}`, url],
          [`MediaContentType${at}`, mime],
        ]),
      ),
    })
  /** A business that texted this number before: what comes from there is for it. */
  const aTalk = async () => {
    const own = await aBusiness({ timeZone: 'America/New_York' })
    const customer = await aCustomer(own)
    await own.api.ok(messagesApi.sendText, { params: { id: customer.id }, body: { text: 'Hello' } })
    await runTasks()
    provider.taken.length = 0
    return { own, customer }
  }

  it('a text leaves with its photos, small enough for every carrier, at addresses that open without a session for a span', async () => {
    const { own, customer } = await aTalk()
    const heavy = await noise(1300, 900).png().toBuffer()
    const [first, second] = [await upload(own), await upload(own, heavy)]
    const sent = await own.api.ok(messagesApi.sendText, {
      params: { id: customer.id },
      body: { text: 'This is the weed.', photos: [first.id, second.id] },
    })
    expect(sent).toMatchObject({ segments: 3, notKept: null })
    expect(sent.photos).toHaveLength(2)
    await runTasks()
    expect(provider.taken).toHaveLength(1)
    const { form } = provider.taken[0] ?? { form: new URLSearchParams() }
    expect(form.get('Body')).toBe('This is the weed.')
    const urls = form.getAll('MediaUrl')
    expect(urls).toHaveLength(2)
    let whole = 0
    for (const url of urls) {
      expect(url.startsWith('https://app.oak.test/api/f/')).toBe(true)
      const { pathname, search } = new URL(url)
      const got = await stranger.raw({ method: 'GET', url: pathname + search })
      expect([got.status, got.headers['content-type'], got.headers['x-robots-tag']]).toEqual([
        200,
        'image/jpeg',
        'noindex, nofollow',
      ])
      const bytes = Number(got.headers['content-length'])
      expect(bytes).toBeLessThanOrEqual(largestTextPicture)
      whole += bytes
      // signed for these bytes of this business, and for a day at most
      expect((await stranger.raw({ method: 'GET', url: pathname.replace(first.id, second.id) })).status).toBe(
        pathname.includes(first.id) ? 404 : 200,
      )
      setClock(() => new Date('2026-06-13T17:00:00Z'))
      expect((await stranger.raw({ method: 'GET', url: pathname + search })).status).toBe(404)
      atNoon()
    }
    expect(whole).toBeLessThan(600 * 1024)
    // counted as it leaves, as what it costs
    expect((await own.api.ok(messagesApi.usage, {})).segmentsUsed).toBe(4)
  })

  it('a photo that is not theirs, not a picture, one too many or gone is refused in words, and nothing leaves', async () => {
    const { own, customer } = await aTalk()
    const other = await aBusiness({ timeZone: 'America/New_York' })
    const foreign = await upload(other)
    const send = (photos: string[]) =>
      own.api.call(messagesApi.sendText, { params: { id: customer.id }, body: { text: 'Look', photos } })
    const refused = await send([foreign.id])
    expect([refused.status, JSON.stringify(refused.error)]).toEqual([
      422,
      expect.stringContaining('not there any more'),
    ])
    // what a colleague put there for another customer is not to be sent to this one
    const colleague = await aPerson(own.id, 'Admin')
    const theirs = await colleague.api.ok(messagePhotosApi.add, { body: photo }, asPicture)
    expect((await send([theirs.id])).status).toBe(422)
    expect((await send([newId(), newId(), newId(), newId()])).status).toBe(422)
    expect((await own.api.call(messagePhotosApi.add, { body: Buffer.from('<svg/>') }, asPicture)).status).toBe(415)
    const employee = await own.employee()
    expect((await employee.api.call(messagePhotosApi.add, { body: photo }, asPicture)).status).toBe(403)
    expect((await other.api.call(messagePhotosApi.list, { params: { id: customer.id } })).status).toBe(404)
    await runTasks()
    expect(provider.taken).toEqual([])
    const mine = await upload(own)
    await send([mine.id])
    await own.db((db) =>
      db
        .updateTable('files')
        .set({ storageKey: `${own.id}/gone` })
        .where('businessId', '=', own.id)
        .where('id', '=', mine.id)
        .execute(),
    )
    await runTasks()
    expect(provider.taken).toEqual([])
    expect((await thread(own, customer.phone))[0]).toMatchObject({
      status: 'failed',
      reason: 'photo-1.jpg is not there any more, so nothing was sent. Add the photo again.',
    })
  })

  it('the plan has to have room for what photos count as; what the provider says of photos is said in words', async () => {
    const { own, customer } = await aTalk()
    await own.db(async (db) => {
      await db.updateTable('businesses').set({ planTier: 'basic' }).where('businessId', '=', own.id).execute()
      await db.updateTable('textMonths').set({ segments: 148 }).where('businessId', '=', own.id).execute()
    })
    const { id } = await upload(own)
    const send = (photos: string[]) =>
      own.api.call(messagesApi.sendText, { params: { id: customer.id }, body: { text: 'Look', photos } })
    expect((await send([id])).error.code).toBe('message_limit_reached')
    expect((await send([])).status).toBe(200)
    await own.db((db) => db.updateTable('textMonths').set({ segments: 0 }).where('businessId', '=', own.id).execute())
    provider.answer = (_text, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 21612, message: 'The To phone number is not currently reachable via MMS' }))
      return true
    }
    expect((await send([id])).status).toBe(200)
    await runTasks()
    expect((await thread(own, customer.phone))[0]).toMatchObject({
      status: 'failed',
      reason: 'This number cannot be sent photos from ours: send the words alone',
      can: { resend: true },
    })
  })

  it('photos that come in are fetched from the provider with our password, once, and stand in the thread', async () => {
    const { own, customer } = await aTalk()
    const media = [keep(photo), keep(gif, 'image/gif')]
    await inbound(customer.phone, 'Is this grub damage?', media, 'MM-one')
    await inbound(customer.phone, 'Is this grub damage?', media, 'MM-one')
    await Promise.all([runTasks(), runTasks()])
    const [message, ...before] = await thread(own, customer.phone)
    expect(before).toHaveLength(1)
    expect(message).toMatchObject({ direction: 'inbound', text: 'Is this grub damage?', notKept: null })
    expect(message?.photos).toHaveLength(2)
    expect(provider.asked.map(({ url }) => url).sort()).toEqual([...provider.media.keys()].sort())
    const password = Buffer.from(`${config.twilioAccountSid}:${config.twilioAuthToken}`).toString('base64')
    expect(new Set(provider.asked.map(({ authorization }) => authorization))).toEqual(new Set([`Basic ${password}`]))
    const shown = await stranger.raw({ method: 'GET', url: message?.photos[0]?.url ?? '' })
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
    const files = () =>
      own.db((db) =>
        db.selectFrom('files').select('id').where('businessId', '=', own.id).where('kind', '=', 'message').execute(),
      )
    expect(await files()).toHaveLength(2)
    // it is among the customer's photos from then on, and goes back to them
    const { items } = await own.api.ok(messagePhotosApi.list, { params: { id: customer.id } })
    expect(items.map(({ from }) => from)).toEqual(['message', 'message'])
    await own.api.ok(messagesApi.sendText, {
      params: { id: customer.id },
      body: { text: 'This spot?', photos: [items[0]?.id ?? ''] },
    })
    await runTasks()
    expect(provider.taken.at(-1)?.form.getAll('MediaUrl')).toHaveLength(1)
  })

  it('a photo that came by mail is among the customer’s as well, and goes back to them; a PDF of theirs is not', async () => {
    const { own, customer } = await aTalk()
    await inbound(customer.phone, 'By text', [keep(photo)])
    await runTasks()
    const other = await aCustomer(own)
    const files = await keepMailFiles(own.id, [
      { name: 'IMG_1.jpg', mime: 'image/jpeg', related: false, bytes: await noise(64, 48).jpeg().toBuffer() },
      { name: 'Plan.pdf', mime: 'application/pdf', related: false, bytes: Buffer.from('%PDF-1.4 a plan of the beds') },
    ])
    const mail = {
      messageId: newId(),
      from: `${customer.id}@oak.test`,
      fromName: 'R.',
      subject: 'The fence',
      text: 'See',
    }
    await receiveStrangerMail(own.id, mail, files)
    const offered = async (id: string) => (await own.api.ok(messagePhotosApi.list, { params: { id } })).items
    const items = await offered(customer.id)
    expect(items.map(({ from }) => from)).toEqual(['message', 'message'])
    expect(await offered(other.id)).toEqual([])
    const photos = items.map(({ id }) => id)
    const send = (id: string) => own.api.call(messagesApi.sendText, { params: { id }, body: { text: 'Here?', photos } })
    expect((await send(other.id)).status).toBe(422)
    expect((await send(customer.id)).status).toBe(200)
    await runTasks()
    expect(provider.taken.at(-1)?.form.getAll('MediaUrl')).toHaveLength(2)
  })

  it('a photo without words, from a number that nobody knows, stands in its conversation', async () => {
    const { own } = await aTalk()
    const stranger = `+1912558${numbers++}`
    await own.db((db) =>
      db.insertInto('smsRoutes').values({ phone: stranger, businessId: own.id, at: clock.iso() }).execute(),
    )
    await inbound(stranger, '', [keep(photo)])
    await runTasks()
    const { items } = await own.api.ok(messagesApi.conversations, { query: {} })
    expect(items.find(({ key }) => key === stranger)?.last.text).toBe('(A photo)')
    const [message] = await thread(own, stranger)
    expect([message?.text, message?.photos.length, message?.customer]).toEqual(['(A photo)', 1, null])
  })

  it('what is no photo, too large, damaged or gone is named and not lost; a STOP with a photo is obeyed', async () => {
    const { own, customer } = await aTalk()
    await inbound(customer.phone, 'See the video', [
      { url: 'https://api.twilio.com/video', mime: 'video/mp4' },
      keep(Buffer.alloc(5 * 1024 * 1024 + 1, 1)),
      keep(Buffer.from('no picture'), 'image/heic'),
      { url: `https://api.twilio.com${mediumPath()}`, mime: 'image/jpeg' },
      keep(photo),
    ])
    await runTasks()
    const [message] = await thread(own, customer.phone)
    expect(message?.photos).toHaveLength(1)
    for (const words of [
      'A video came with it and cannot be shown here',
      'A photo came with it and is not here: it is larger than 5 MB.',
      'we cannot read this kind (image/heic)',
      'the SMS provider does not have it',
    ])
      expect(message?.notKept).toContain(words)
    expect(provider.asked.map(({ url }) => url)).not.toContain('/video')
    await inbound(customer.phone, 'STOP', [keep(photo)])
    await runTasks()
    expect((await own.api.ok(messagesApi.contact, { params: { id: customer.id } })).smsSuppressed).toBe(
      'They replied STOP',
    )
  })

  it('nothing is ever fetched from another host or another account, nor where a redirect leads elsewhere', async () => {
    const { own, customer } = await aTalk()
    const inner = `${provider.url}/inner`
    provider.media.set('/inner', { bytes: photo, mime: 'image/jpeg' })
    const path = mediumPath()
    // the ids are believed, the host is not: this is asked of the provider, which knows nothing of it
    await inbound(customer.phone, 'One', [{ url: `http://169.254.169.254${path}`, mime: 'image/jpeg' }])
    await inbound(customer.phone, 'Two', [{ url: inner, mime: 'image/jpeg' }])
    await inbound(customer.phone, 'Three', [
      { url: `https://api.twilio.com${mediumPath(`AC${'c'.repeat(32)}`)}`, mime: 'image/jpeg' },
    ])
    await inbound(customer.phone, 'Four', [keep(photo, 'image/jpeg', { location: inner })])
    await inbound(customer.phone, 'Five', [keep(photo, 'image/jpeg', { location: 'https://evil.test/x' })])
    await inbound(customer.phone, 'Six', [
      keep(photo, 'image/jpeg', { location: 'https://mms.twiliocdn.com.evil.test/x' }),
    ])
    await runTasks()
    const messages = (await thread(own, customer.phone)).filter(({ direction }) => direction === 'inbound')
    expect(messages.map(({ photos }) => photos.length)).toEqual([0, 0, 0, 0, 0, 0])
    expect(new Set(messages.map(({ notKept }) => notKept))).toEqual(
      new Set(['A photo came with it and is not here: the SMS provider does not have it. Ask them to send it again.']),
    )
    expect(provider.asked.map(({ url }) => url)).not.toContain('/inner')
  })

  it('while the provider is out of order the words are there, and the photo comes once it is back', async () => {
    const { own, customer } = await aTalk()
    const medium = keep(photo, 'image/jpeg', { status: 503 })
    await inbound(customer.phone, 'Here', [medium])
    await runTasks()
    expect((await thread(own, customer.phone))[0]).toMatchObject({ text: 'Here', photos: [], notKept: null })
    const path = new URL(medium.url).pathname
    provider.media.set(path, { bytes: photo, mime: 'image/jpeg' })
    const { fetchPhotos, losePhotos } = await import('./commands.ts')
    const [{ id = '' } = {}] = await thread(own, customer.phone)
    const media = [{ ref: medium.url, mime: medium.mime }]
    // a run that is given twice, and the word of one that gave up beside it, add nothing
    await Promise.all([fetchPhotos(own.id, id, media), fetchPhotos(own.id, id, media)])
    await losePhotos(own.id, id, media)
    const [message] = await thread(own, customer.phone)
    expect([message?.photos.length, message?.notKept]).toEqual([1, null])
  })
})
