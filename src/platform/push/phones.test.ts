import { generateKeyPairSync } from 'node:crypto'
import { createServer as createHttp, type Server } from 'node:http'
import { createServer as createHttp2, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendApns } from './apns.ts'
import { sendFcm } from './fcm.ts'
import type { PushNote } from './note.ts'
import { readPushSettings } from './settings.ts'

const note: PushNote = { title: 'New stop: 7 Bay St', body: 'Fri, Jun 12', tag: 'added:1', path: '/employee-dashboard' }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (pair: { privateKey: typeof rsa.privateKey }) =>
  pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

type Asked = { path: string; authorization: string; body: string; topic: string }
let asked: Asked[] = []
let answer: { status: number; body: string } = { status: 200, body: '{}' }
let firebase: Server
let apple: Http2Server
let places: { token: string; api: string }
let appleOrigin: string
const portOf = (server: Server | Http2Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  firebase = createHttp((request, reply) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const path = request.url ?? ''
      asked.push({ path, authorization: request.headers.authorization ?? '', body, topic: '' })
      if (path === '/token') reply.end(JSON.stringify({ access_token: 'pass', expires_in: 3600 }))
      else reply.writeHead(answer.status).end(answer.body)
    })
  })
  apple = createHttp2()
  apple.on('stream', (stream, headers) => {
    let body = ''
    stream.on('data', (part) => {
      body += part
    })
    stream.on('end', () => {
      const { ':path': path, authorization, 'apns-topic': topic } = headers
      asked.push({ path: String(path), authorization: String(authorization), body, topic: String(topic) })
      stream.respond({ ':status': answer.status })
      stream.end(answer.body)
    })
  })
  await new Promise<void>((done) => firebase.listen(0, '127.0.0.1', done))
  await new Promise<void>((done) => apple.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${portOf(firebase)}`
  places = { token: `${origin}/token`, api: origin }
  appleOrigin = `http://127.0.0.1:${portOf(apple)}`
})
afterAll(async () => {
  await new Promise((done) => firebase.close(done))
  await new Promise((done) => apple.close(done))
})

const fcm = { projectId: 'lawns', clientEmail: 'push@lawns.test', privateKey: pem(rsa) }
const apns = { keyId: 'ABC123DEFG', teamId: 'A1B2C3D4E5', privateKey: pem(ec), topic: 'app.swath.crew', sandbox: false }
const when = async (status: number, body: string, send: () => Promise<{ result: string }>) => {
  answer = { status, body }
  return (await send()).result
}

it('Android: signs in once with the account’s key, and hands the note to the phone’s token', async () => {
  asked = []
  const send = () => sendFcm(fcm, 'phone-1', note, places)
  expect(await when(200, '{}', send)).toBe('sent')
  expect(await when(200, '{}', send)).toBe('sent')
  expect(asked.map(({ path }) => path)).toEqual([
    '/token',
    '/v1/projects/lawns/messages:send',
    '/v1/projects/lawns/messages:send',
  ])
  const assertion = new URLSearchParams(asked[0]?.body).get('assertion') ?? ''
  const { payload } = await jwtVerify(assertion, rsa.publicKey, { issuer: fcm.clientEmail, audience: places.token })
  expect(payload.scope).toContain('firebase.messaging')
  expect(asked[1]?.authorization).toBe('Bearer pass')
  expect(JSON.parse(asked[1]?.body ?? '')).toMatchObject({
    message: { token: 'phone-1', notification: { title: note.title }, data: { path: note.path } },
  })
})

it.each([
  [404, '{"error":{"details":[{"errorCode":"UNREGISTERED"}]}}', 'gone'],
  [403, '{"error":{"details":[{"errorCode":"SENDER_ID_MISMATCH"}]}}', 'gone'],
  [400, '{"error":{"status":"INVALID_ARGUMENT"}}', 'refused'],
  [429, '{}', 'later'],
  [503, '{}', 'later'],
  [401, '{}', 'later'],
])('Android: %i %s is %s', async (status, body, result) => {
  expect(await when(status, body, () => sendFcm(fcm, 'phone-1', note, places))).toBe(result)
})

it('iPhone: hands the note over HTTP/2 with a token that the team’s key signed', async () => {
  asked = []
  expect(await when(200, '', () => sendApns(apns, 'abcd', note, appleOrigin))).toBe('sent')
  const [one] = asked
  expect([one?.path, one?.topic]).toEqual(['/3/device/abcd', 'app.swath.crew'])
  const { payload, protectedHeader } = await jwtVerify(one?.authorization.slice(7) ?? '', ec.publicKey)
  expect([payload.iss, protectedHeader.kid]).toEqual([apns.teamId, apns.keyId])
  expect(JSON.parse(one?.body ?? '')).toMatchObject({ aps: { alert: { title: note.title } }, path: note.path })
})

it.each([
  [410, '{"reason":"Unregistered"}', 'gone'],
  [400, '{"reason":"BadDeviceToken"}', 'gone'],
  [400, '{"reason":"BadTopic"}', 'refused'],
  [403, '{"reason":"ExpiredProviderToken"}', 'later'],
  [429, '{"reason":"TooManyRequests"}', 'later'],
  [503, '{"reason":"ServiceUnavailable"}', 'later'],
])('iPhone: %i %s is %s', async (status, body, result) => {
  expect(await when(status, body, () => sendApns(apns, 'abcd', note, appleOrigin))).toBe(result)
})

it('a service that is not there is asked again later', async () => {
  expect((await sendApns(apns, 'abcd', note, 'http://127.0.0.1:1')).result).toBe('later')
})

it('what is half set up stays off and says what is missing', () => {
  expect(readPushSettings({})).toMatchObject({ vapid: { mode: 'off' }, fcm: { mode: 'off' }, apns: { mode: 'off' } })
  expect(readPushSettings({ FCM_PROJECT_ID: 'lawns', APNS_TOPIC: ' ' })).toMatchObject({
    fcm: {
      mode: 'incomplete',
      missing: ['FCM_CLIENT_EMAIL', 'FCM_PRIVATE_KEY'],
      reason: 'Push to Android stays off: FCM_CLIENT_EMAIL, FCM_PRIVATE_KEY are not set.',
    },
    apns: { mode: 'off' },
  })
  expect(
    readPushSettings({ FCM_PROJECT_ID: 'a', FCM_CLIENT_EMAIL: 'b', FCM_PRIVATE_KEY: 'one\\ntwo' }).fcm,
  ).toMatchObject({ mode: 'ready', privateKey: 'one\ntwo' })
})
