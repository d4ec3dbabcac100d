import { createDecipheriv, createECDH, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import type { PushResult } from '../../../platform/push/note.ts'
import { setPlayedPush } from '../../../platform/push/sender.ts'
import { currentVapid, sendWeb } from '../../../platform/push/web.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { notifyUsers } from '../../notifications/server/commands.ts'
import { pushApi } from '../contract.ts'
import { sendPushWork } from './tasks.ts'

/** A browser with keys of its own; its push service stands on this computer. */
const aBrowser = () => {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const auth = randomBytes(16)
  const path = randomBytes(9).toString('base64url')
  return { curve, auth, path, endpoint: `https://fcm.googleapis.com/fcm/send/${path}` }
}
type Browser = ReturnType<typeof aBrowser>

/** What a browser makes of what its service hands it (RFC 8188 and 8291), by hand. */
const decrypt = (
  { curve, auth }: Browser,
  body: Buffer,
): { title: string; body: string; path: string; tag: string } => {
  const salt = body.subarray(0, 16)
  const length = body.readUInt8(20)
  const theirs = body.subarray(21, 21 + length)
  const sealed = body.subarray(21 + length)
  const derive = (key: Buffer, using: Buffer, info: Buffer, size: number) =>
    Buffer.from(hkdfSync('sha256', key, using, info, size))
  const ours = curve.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ours, theirs])
  const secret = derive(curve.computeSecret(theirs), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const open = createDecipheriv('aes-128-gcm', key, nonce)
  open.setAuthTag(sealed.subarray(-16))
  const clear = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()])
  return JSON.parse(clear.subarray(0, clear.lastIndexOf(2)).toString('utf8'))
}

type Got = { path: string; headers: IncomingHttpHeaders; body: Buffer }
let service: Server
let origin: string
let got: Got[] = []
let answers: number[] = []
beforeAll(async () => {
  service = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
      reply.writeHead(answers.shift() ?? 201).end()
    })
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => new Promise((done) => service.close(done)))

/** The real encryption, to the service of this test in the place of the browser's. */
beforeEach(() => {
  got = []
  answers = []
  setPlayedPush(async (target, note): Promise<PushResult> => {
    if (target.kind !== 'web') return { result: 'refused', reason: 'no browser' }
    const endpoint = `${origin}${new URL(target.address.endpoint).pathname}`
    return sendWeb(vapid(), 'mailto:help@swath.test', { ...target.address, endpoint }, note)
  })
})
afterEach(() => setPlayedPush(async () => ({ result: 'local' })))

const vapid = () => currentVapid({ vapid: { mode: 'off' } })

const subscribe = async (who: Person, browser: Browser, language: 'en' | 'es' = 'en') => {
  const { key } = await who.api.ok(pushApi.own, {})
  return who.api.ok(
    pushApi.add,
    {
      body: {
        language,
        address: {
          kind: 'web',
          endpoint: browser.endpoint,
          p256dh: browser.curve.getPublicKey('base64url'),
          auth: browser.auth.toString('base64url'),
          keyId: key.id,
        },
      },
    },
    { 'idempotency-key': randomBytes(12).toString('hex') },
  )
}
const hashOf = (browser: Browser) => createHash('sha256').update(browser.endpoint).digest('hex')
const key = () => ({ 'idempotency-key': randomBytes(12).toString('hex') })
const tell = (business: TestBusiness, who: Person, dedupeKey: string) =>
  business.db((db) =>
    notifyUsers(db, [who.userId], {
      type: 'invoice',
      title: 'Maria Lopez paid $1,240.50, gate code 4711',
      content: 'The gate code is 4711.',
      path: '/jobs?tab=invoices',
      dedupeKey,
    }),
  )
const sendsOf = (business: TestBusiness) =>
  business.db((db) =>
    db
      .selectFrom('pushSends')
      .where('businessId', '=', db.businessId)
      .select(['id', 'result', 'deviceId'])
      .orderBy('id')
      .execute(),
  )

it('switches a device on and off, as often as it is asked, each person their own', async () => {
  const business = await aBusiness()
  const luis = await business.employee()
  const browser = aBrowser()
  expect((await luis.api.ok(pushApi.own, {})).devices).toEqual([])
  expect((await subscribe(luis, browser)).devices).toEqual([hashOf(browser)])
  expect((await subscribe(luis, browser, 'es')).devices).toEqual([hashOf(browser)])
  expect((await business.api.ok(pushApi.remove, { body: { hash: hashOf(browser) } }, key())).devices).toEqual([])
  expect((await luis.api.ok(pushApi.own, {})).devices).toEqual([hashOf(browser)])
  for (let n = 0; n < 2; n += 1)
    expect((await luis.api.ok(pushApi.remove, { body: { hash: hashOf(browser) } }, key())).devices).toEqual([])
})

it('keeps the address encrypted, and calls no address that is not a push service', async () => {
  const business = await aBusiness()
  const browser = aBrowser()
  await subscribe(business.owner, browser)
  const row = await business.db((db) =>
    db.selectFrom('pushDevices').where('businessId', '=', db.businessId).selectAll().executeTakeFirstOrThrow(),
  )
  expect(JSON.stringify(row)).not.toContain(browser.path)
  for (const endpoint of [
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://fcm.googleapis.com.evil.test/x',
    'x',
  ]) {
    const { key: vapidKey } = await business.api.ok(pushApi.own, {})
    const answer = await business.api.call(
      pushApi.add,
      {
        body: {
          language: 'en',
          address: {
            kind: 'web',
            endpoint,
            p256dh: browser.curve.getPublicKey('base64url'),
            auth: browser.auth.toString('base64url'),
            keyId: vapidKey.id,
          },
        },
      },
      key(),
    )
    expect([endpoint, answer.status >= 400 && answer.status < 500]).toEqual([endpoint, true])
  }
})

it('what the bell gets reaches the browser encrypted, signed by our key, once, without sums and codes', async () => {
  const business = await aBusiness()
  const browser = aBrowser()
  await subscribe(business.owner, browser)
  await tell(business, business.owner, 'paid:1')
  await tell(business, business.owner, 'paid:1')
  await runTasks()
  expect(got).toHaveLength(1)
  const [{ headers, body, path } = got[0] as Got] = got
  expect(path).toBe(`/fcm/send/${browser.path}`)
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
  expect(body.toString('latin1')).not.toContain('Maria')
  const note = decrypt(browser, body)
  expect(note).toMatchObject({ path: '/jobs?tab=invoices', tag: 'paid:1' })
  expect(note.title).toContain('Maria Lopez paid …')
  expect(JSON.stringify(note)).not.toMatch(/1,240|4711/)
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), ?k=(.+)$/i.exec(headers.authorization ?? '') ?? []
  expect(publicKey).toBe(vapid().publicKey)
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience: origin })
  expect([decodeProtectedHeader(token).alg, payload.sub]).toEqual(['ES256', 'mailto:help@swath.test'])
  expect(await sendsOf(business)).toMatchObject([{ result: 'sent' }])
})

it('two workers and a new start hand it over once', async () => {
  const business = await aBusiness()
  await subscribe(business.owner, aBrowser())
  await tell(business, business.owner, 'paid:2')
  const [send] = await sendsOf(business)
  const work = () => sendPushWork.run(systemActor(business.id), { sendId: send?.id ?? '' })
  await Promise.allSettled([work(), work(), work()])
  await work()
  await runTasks()
  expect(got).toHaveLength(1)
})

it('is tried again after 503 and 429, and a service that says no is not asked twice', async () => {
  const business = await aBusiness()
  await subscribe(business.owner, aBrowser())
  await tell(business, business.owner, 'paid:3')
  const [send] = await sendsOf(business)
  const work = () => sendPushWork.run(systemActor(business.id), { sendId: send?.id ?? '' })
  answers = [503, 429]
  await expect(work()).rejects.toThrow('503')
  await expect(work()).rejects.toThrow('429')
  await work()
  expect([got.length, (await sendsOf(business))[0]?.result]).toEqual([3, 'sent'])
  answers = [413]
  await tell(business, business.owner, 'paid:4')
  await runTasks()
  await runTasks()
  expect([got.length, (await sendsOf(business))[1]?.result]).toEqual([4, 'refused'])
})

it('a device that its service does not know any more is forgotten', async () => {
  const business = await aBusiness()
  await subscribe(business.owner, aBrowser())
  answers = [410]
  await tell(business, business.owner, 'paid:5')
  await runTasks()
  expect((await business.api.ok(pushApi.own, {})).devices).toEqual([])
  await tell(business, business.owner, 'paid:6')
  await runTasks()
  expect(got).toHaveLength(1)
})

it('nothing rings after the sign-in ended, the person left, or the line was read', async () => {
  const business = await aBusiness()
  const [read, out, gone] = [await business.employee(), await business.employee(), await business.employee()]
  for (const who of [read, out, gone]) {
    await subscribe(who, aBrowser())
    await tell(business, who, 'x')
  }
  await business.db(async (db) => {
    await db
      .updateTable('notifications')
      .set({ readAt: new Date().toISOString() })
      .where('businessId', '=', db.businessId)
      .where('userId', '=', read.userId)
      .execute()
    await db
      .updateTable('sessions')
      .set({ revokedAt: new Date().toISOString() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', out.sessionId)
      .execute()
    await db
      .updateTable('users')
      .set({ status: 'disabled' })
      .where('businessId', '=', db.businessId)
      .where('id', '=', gone.userId)
      .execute()
  })
  await runTasks()
  expect(got).toEqual([])
  const left = await business.db((db) =>
    db.selectFrom('pushDevices').where('businessId', '=', db.businessId).select('userId').execute(),
  )
  expect(left.map(({ userId }) => userId)).toEqual([read.userId])
})

it('a phone rings in the language of its person', async () => {
  const business = await aBusiness()
  const luis = await business.employee()
  const browser = aBrowser()
  await subscribe(luis, browser, 'es')
  await business.db((db) =>
    notifyUsers(db, [luis.userId], {
      type: 'job',
      title: 'The office moved 7 Bay St to another crew',
      path: '/employee-dashboard',
      crew: { code: 'moved', street: '7 Bay St', day: '2026-06-12', sameDay: true },
      dedupeKey: 'moved:1',
    }),
  )
  await runTasks()
  expect(decrypt(browser, got[0]?.body ?? Buffer.alloc(0))).toMatchObject({ title: '7 Bay St es de otra cuadrilla' })
})

it('rings for what its person wants: each kind by itself, all on at first, nobody else’s touched', async () => {
  const business = await aBusiness()
  const office = await business.employee()
  const browser = aBrowser()
  await subscribe(business.owner, browser)
  await subscribe(office, aBrowser())
  expect((await business.api.ok(pushApi.own, {})).muted).toEqual([])
  for (let n = 0; n < 2; n += 1)
    expect((await business.owner.api.ok(pushApi.choose, { body: { topic: 'money', on: false } }, key())).muted).toEqual(
      ['money'],
    )
  const count = async () => (await sendsOf(business)).length
  await tell(business, business.owner, 'paid:a')
  expect(await count()).toBe(0)
  await tell(business, office, 'paid:b')
  expect(await count()).toBe(1)
  await business.db((db) =>
    notifyUsers(db, [business.owner.userId], { type: 'quote', title: 'Maria Lopez signed', dedupeKey: 'quote:a' }),
  )
  expect(await count()).toBe(2)
  // a line of the bell stands there all the same
  const bell = await business.db((db) =>
    db.selectFrom('notifications').select('dedupeKey').where('businessId', '=', db.businessId).execute(),
  )
  expect(bell.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(['paid:a', 'paid:b', 'quote:a'])
  expect((await business.owner.api.ok(pushApi.choose, { body: { topic: 'money', on: true } }, key())).muted).toEqual([])
  await tell(business, business.owner, 'paid:c')
  expect(await count()).toBe(3)
})

it('on one’s own computer nothing leaves it: a page of this computer lists it', async () => {
  setPlayedPush(async () => ({ result: 'local' }))
  const business = await aBusiness()
  await subscribe(business.owner, aBrowser())
  await tell(business, business.owner, 'paid:7')
  await runTasks()
  const page = await stranger.raw({ method: 'GET', url: '/local/push', headers: { host: 'localhost:3000' } })
  expect([page.status, page.text.includes('Maria Lopez paid …')]).toEqual([200, true])
  const outside = await stranger.raw({ method: 'GET', url: '/local/push', headers: { host: 'app.swath.test' } })
  expect(outside.status).toBe(404)
  expect(got).toEqual([])
})
