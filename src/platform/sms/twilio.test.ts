import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import twilio from 'twilio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../config.ts'
import { newId } from '../ids.ts'
import {
  findAtTwilio,
  isTwilioSignature,
  sendByTwilio,
  type TwilioSettings,
  twilioForm,
  twilioSettings,
  twilioStatus,
  Untraceable,
} from './twilio.ts'

const accountSid = `AC${'a'.repeat(32)}`
const env = {
  PUBLIC_URL: 'https://app.oak.test',
  TWILIO_ACCOUNT_SID: accountSid,
  TWILIO_AUTH_TOKEN: 'a-token-of-the-account',
  TWILIO_MESSAGING_SERVICE_SID: `MG${'b'.repeat(32)}`,
}

type Seen = { method: string; url: string; authorization: string; form: Record<string, string> }
let seen: Seen[] = []
let answer: { status: number; body: unknown } = { status: 201, body: { sid: 'SM1', status: 'queued' } }

// The provider's API as far as we use it; whatever else is asked is refused.
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { method = '', url = '' } = request
  const known =
    ['POST', 'GET'].includes(method) && url.split('?')[0] === `/2010-04-01/Accounts/${accountSid}/Messages.json`
  seen.push({
    method,
    url,
    authorization: request.headers.authorization ?? '',
    form: Object.fromEntries(new URLSearchParams(body)),
  })
  response.writeHead(known ? answer.status : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(known ? answer.body : { code: 20404, message: 'The requested resource was not found' }))
})
let settings: TwilioSettings
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const made = twilioSettings(
    loadConfig({ ...env, TWILIO_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
  )
  if (!made) throw new Error('Not configured.')
  settings = made
})
afterAll(() => void server.close())

const text = { id: newId(), to: '+19125550123', body: 'Hello', businessId: null }
const send = (status: number, body: unknown) => {
  seen = []
  answer = { status, body }
  return sendByTwilio(settings, text)
}

describe('the settings', () => {
  it.each(Object.keys(env))('without %s there is no provider', (name) => {
    expect(twilioSettings(loadConfig({ ...env, [name]: undefined }))).toBeNull()
  })
  it('refuse what cannot be an id of the provider, and never show the token', () => {
    expect(() => loadConfig({ ...env, TWILIO_ACCOUNT_SID: 'SK1' })).toThrow('TWILIO_ACCOUNT_SID must begin with AC')
    expect(() => loadConfig({ ...env, TWILIO_AUTH_TOKEN: 'short' })).toThrow(/^(?!.*short).*TWILIO_AUTH_TOKEN/)
  })
})

describe('a text', () => {
  it("is asked for exactly as the provider's own client asks", async () => {
    expect(await send(201, { sid: 'SM1', status: 'queued' })).toEqual({
      result: 'accepted',
      provider: 'twilio',
      providerId: 'SM1',
      livemode: true,
    })
    const ours = seen[0]
    const theirs: { method: string; uri: string; data: Record<string, string>; username: string; password: string }[] =
      []
    const client = twilio(env.TWILIO_ACCOUNT_SID, env.TWILIO_AUTH_TOKEN, {
      httpClient: {
        request: async (options: (typeof theirs)[number]) => {
          theirs.push(options)
          return { statusCode: 201, body: { sid: 'SM1', status: 'queued' } }
        },
      } as never,
    })
    const form = twilioForm(settings, text)
    await client.messages.create({
      to: text.to,
      body: text.body,
      messagingServiceSid: env.TWILIO_MESSAGING_SERVICE_SID,
      statusCallback: form.StatusCallback,
      validityPeriod: Number(form.ValidityPeriod),
    })
    const asked = theirs[0]
    const plain = Object.fromEntries(Object.entries(asked?.data ?? {}).map(([name, value]) => [name, String(value)]))
    expect(ours?.form).toEqual(plain)
    expect(`https://api.twilio.com${ours?.url}`).toBe(asked?.uri)
    expect(ours?.method).toBe(asked?.method.toUpperCase())
    const auth = Buffer.from(`${asked?.username}:${asked?.password}`).toString('base64')
    expect(ours?.authorization).toBe(`Basic ${auth}`)
  })

  it.each([
    [400, { code: 21610, message: 'Attempt to send to unsubscribed recipient' }, 'refused', 'They replied STOP'],
    [400, { code: 21211, message: 'Invalid To' }, 'refused', 'This is not a phone number'],
    [400, { code: 21604, message: "A 'To' phone number is required" }, 'refused', null],
    [401, { code: 20003, message: 'Authenticate' }, 'later', undefined],
    [403, { code: 20005, message: 'Account not active' }, 'later', undefined],
    [429, { code: 20429, message: 'Too Many Requests' }, 'later', undefined],
    [503, {}, 'later', undefined],
  ])('an answer %i %j is %s', async (status, body, result, suppressed) => {
    const outcome = await send(status, body)
    expect(outcome.result).toBe(result)
    if (outcome.result === 'refused') expect(outcome.suppressed).toBe(suppressed)
  })

  it('may have left when the provider breaks: that is thrown, so nobody sends it twice', async () => {
    await expect(send(500, { message: 'Internal' })).rejects.toThrow('Internal')
    await expect(send(201, {})).rejects.toThrow()
  })

  it('waits when the provider cannot be reached', async () => {
    const closed = createServer()
    await new Promise<void>((ready) => closed.listen(0, '127.0.0.1', ready))
    const { port } = closed.address() as AddressInfo
    await new Promise((done) => closed.close(done))
    const outcome = await sendByTwilio({ ...settings, apiUrl: `http://127.0.0.1:${port}` }, text)
    expect(outcome.result).toBe('later')
  })
})

describe('a text whose answer was lost', () => {
  const since = '2026-06-12T16:00:30.500Z'
  const listed = (changes: object = {}) => ({
    sid: 'SM7',
    to: text.to,
    body: text.body,
    status: 'delivered',
    error_code: null,
    ...changes,
  })
  const find = (messages: readonly object[], known: readonly string[] = [], more: string | null = null) => {
    seen = []
    answer = { status: 200, body: { messages, next_page_uri: more } }
    return findAtTwilio(settings, text, since, new Set(known))
  }

  it("is looked for as the provider's own client asks", async () => {
    await find([])
    const asked: { uri: string; params: Record<string, string> }[] = []
    const client = twilio(env.TWILIO_ACCOUNT_SID, env.TWILIO_AUTH_TOKEN, {
      httpClient: {
        request: async (options: (typeof asked)[number]) => {
          asked.push(options)
          return { statusCode: 200, body: { messages: [], page_size: 1000 } }
        },
      } as never,
    })
    await client.messages.page({ to: text.to, dateSentAfter: new Date('2026-06-12T15:59:30Z'), pageSize: 1000 })
    const [path, query] = (seen[0]?.url ?? '').split('?')
    expect(`https://api.twilio.com${path}`).toBe(asked[0]?.uri)
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual(
      Object.fromEntries(Object.entries(asked[0]?.params ?? {}).map(([name, value]) => [name, String(value)])),
    )
  })

  it.each([
    ['there', [listed()], [], null, { trace: 'found', providerId: 'SM7', status: 'delivered' }],
    ['on its way', [listed({ status: 'queued' })], [], null, { trace: 'found', status: null }],
    ['failed there', [listed({ status: 'failed', error_code: 30005 })], [], null, { status: 'failed', code: 30005 }],
    ['another message of ours', [listed()], ['SM7'], null, { trace: 'absent' }],
    ['other words', [listed({ body: 'Bye' })], [], null, { trace: 'absent' }],
    ['another number', [listed({ to: '+19125550199' })], [], null, { trace: 'absent' }],
    ['not on the first of several pages', [listed({ body: 'Bye' })], [], '/next', { trace: 'unsaid' }],
  ] as const)('%s', async (_name, messages, known, more, expected) => {
    expect(await find(messages, known, more)).toMatchObject(expected)
  })

  it('is not said to be absent where the provider does not answer', async () => {
    answer = { status: 500, body: {} }
    await expect(findAtTwilio(settings, text, since, new Set())).rejects.toThrow('500')
    answer = { status: 401, body: {} }
    await expect(findAtTwilio(settings, text, since, new Set())).rejects.not.toThrow(Untraceable)
    answer = { status: 400, body: {} }
    await expect(findAtTwilio(settings, text, since, new Set())).rejects.toThrow(Untraceable)
    answer = { status: 200, body: {} }
    await expect(findAtTwilio(settings, text, since, new Set())).rejects.toThrow('without a list')
  })
})

describe('a signature', () => {
  const path = '/api/webhooks/twilio/status?m=1&b='
  const form = {
    MessageSid: 'SM1',
    MessageStatus: 'delivered',
    MessagingServiceSid: env.TWILIO_MESSAGING_SERVICE_SID,
    From: '+18005551212',
    ErrorCode: '',
  }
  const sign = (url: string, token = env.TWILIO_AUTH_TOKEN) => twilio.getExpectedTwilioSignature(token, url, form)
  const check = (signature: string, changed: Record<string, string> = form, at = path) =>
    isTwilioSignature(settings, at, new URLSearchParams(changed), signature)

  it("is judged as the provider's own validator does", () => {
    const good = sign(`https://app.oak.test${path}`)
    expect(twilio.validateRequest(env.TWILIO_AUTH_TOKEN, good, `https://app.oak.test${path}`, form)).toBe(true)
    expect(check(good)).toBe(true)
    expect(check(good, { ...form, MessageStatus: 'failed' })).toBe(false)
    expect(check(good, form, `${path}x`)).toBe(false)
    expect(check(sign(`https://evil.test${path}`))).toBe(false)
    expect(check(sign(`https://app.oak.test${path}`, 'another-token'))).toBe(false)
    expect(check('')).toBe(false)
    expect(check('%%%')).toBe(false)
  })
})

it.each([
  ['queued', null],
  ['sending', null],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['undelivered', 'failed'],
  ['failed', 'failed'],
  ['read', 'read'],
  ['nonsense', null],
])('the word %s is %s', (word, ours) => expect(twilioStatus(word)).toBe(ours))
