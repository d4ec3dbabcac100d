import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ApiError, call, clearCache, configureClient, fetchFile } from './client.ts'
import { isListRead, retriesOf } from './client-rules.ts'
import type { Method } from './endpoint.ts'

type Reply = { status: number; body?: unknown; etag?: string } | 'lost' | 'late'
let replies: Reply[] = []
let asked: { url: string; method: string; headers: Headers }[] = []
let slept: number[] = []
let refreshed = 0
let refreshes = false

beforeEach(() => {
  replies = []
  asked = []
  slept = []
  refreshed = 0
  refreshes = false
  clearCache()
  configureClient({
    fetch: (async (url: string, init: RequestInit) => {
      asked.push({ url, method: init.method ?? 'GET', headers: new Headers(init.headers) })
      const next = replies.length > 1 ? replies.shift() : replies[0]
      if (next === 'lost') throw new TypeError('Failed to fetch')
      if (next === 'late')
        return new Promise((_resolve, reject) =>
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        )
      if (!next) throw new Error('nothing to answer')
      return new Response(next.status === 304 ? null : JSON.stringify(next.body ?? {}), {
        status: next.status,
        headers: { 'content-type': 'application/json', ...(next.etag ? { etag: next.etag } : {}) },
      })
    }) as typeof fetch,
    token: () => 'a-token',
    clientApp: () => 'employee',
    refresh: async () => {
      refreshed++
      return refreshes
    },
    sleep: async (ms) => void slept.push(ms),
    newKey: () => `key-${asked.length}`,
    now: () => 1_700_000_000_000 + asked.length,
    timeoutMs: 120_000,
  })
})
afterEach(() => configureClient({ timeoutMs: 120_000 }))

const ask = (method: Method, path: string) => call({ method, path } as never, {} as never) as Promise<unknown>
const failure = async (work: Promise<unknown>): Promise<ApiError> =>
  work.then(
    () => Promise.reject(new Error('answered')),
    (e) => e,
  )

describe('what every call carries', () => {
  test('the token, the client app, and one key over all its tries', async () => {
    replies = ['lost', { status: 503 }, { status: 200, body: { ok: true } }]
    expect(await ask('POST', '/api/invoices')).toEqual({ ok: true })
    expect(
      asked.map(({ headers }) => [
        headers.get('authorization'),
        headers.get('x-client-app'),
        headers.get('idempotency-key'),
      ]),
    ).toEqual(Array(3).fill(['Bearer a-token', 'employee', 'key-0']))
  })

  test('a save whose answer was lost keeps its key when the person saves again, until there is one', async () => {
    const save = (body: object) =>
      call({ method: 'PATCH', path: '/api/jobs/1' } as never, { body } as never).catch(() => undefined)
    replies = ['lost']
    await save({ version: 3, title: 'Mow' })
    replies = [{ status: 200 }]
    await save({ version: 3, title: 'Mow' })
    await save({ version: 4, title: 'Mow' })
    await save({ version: 3, title: 'Mow' })
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toEqual([...Array(5).fill('key-0'), 'key-5', 'key-6'])
  })

  test('what has no version is a new wish each time', async () => {
    replies = ['lost']
    await failure(ask('POST', '/api/invoices'))
    await failure(ask('POST', '/api/invoices'))
    expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
  })
})

describe('tries', () => {
  test.each<[string, Reply]>([
    ['no answer', 'lost'],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
  ])('%s is tried three times more, after 1, 2 and 4 seconds', async (_name, reply) => {
    replies = [reply]
    await failure(ask('GET', '/api/search'))
    expect([asked.length, slept]).toEqual([4, [1000, 2000, 4000]])
  })

  test.each([400, 401, 402, 403, 404, 409, 422, 429])('%i is not', async (status) => {
    replies = [{ status, body: { code: 'forbidden', message: 'No.' } }]
    expect((await failure(ask('GET', '/api/search'))).status).toBe(status)
    expect(asked.length).toBe(1)
  })

  test('a call that takes too long is given up after the time-out and tried again', async () => {
    configureClient({ timeoutMs: 5 })
    replies = ['late']
    expect((await failure(ask('GET', '/api/search'))).code).toBe('timeout')
    expect(asked.length).toBe(4)
  })

  test.each<[Method, string, number]>([
    ['GET', '/api/customers', 3],
    ['POST', '/api/invoices', 3],
    ['POST', '/api/jobs', 0],
    ['POST', '/api/jobs/batch', 0],
    ['GET', '/api/jobs/calendar', 4],
    ['GET', '/api/visits/day-board', 4],
    ['GET', '/api/routes', 4],
    ['POST', '/api/visits/:visitId/move', 3],
  ])('%s %s is repeated %i times', (method, path, times) => expect(retriesOf(method, path, 3)).toBe(times))

  test('creating a job is not sent again by itself', async () => {
    replies = ['lost']
    expect((await failure(ask('POST', '/api/jobs'))).code).toBe('network')
    expect([asked.length, slept]).toEqual([1, []])
  })
})

describe('401', () => {
  test('is refreshed once a request, and then tried again with nothing lost', async () => {
    refreshes = true
    replies = [
      { status: 401, body: { code: 'token_expired', message: 'x' } },
      { status: 200, body: { ok: 1 } },
    ]
    expect(await ask('GET', '/api/search')).toEqual({ ok: 1 })
    expect([refreshed, asked.length, slept]).toEqual([1, 2, []])
  })

  test('a second one is the answer', async () => {
    refreshes = true
    replies = [{ status: 401, body: { code: 'session_ended', message: 'Ended.' } }]
    expect((await failure(ask('GET', '/api/search'))).message).toBe('Ended.')
    expect([refreshed, asked.length]).toEqual([1, 2])
  })

  test('without a new token it is the answer at once', async () => {
    replies = [{ status: 401, body: { code: 'session_ended', message: 'Ended.' } }]
    await failure(ask('GET', '/api/search'))
    expect([refreshed, asked.length]).toEqual([1, 1])
  })
})

describe('list reads', () => {
  test.each(['employees', 'crews', 'customers', 'jobs', 'notifications'])(
    '%s carry the time, different at each try',
    async (word) => {
      replies = [{ status: 503 }, { status: 200, body: [] }]
      await ask('GET', `/api/${word}`)
      expect(asked.map(({ url }) => url)).toEqual([`/api/${word}?_t=1700000000000`, `/api/${word}?_t=1700000000001`])
    },
  )

  test('one record, a change and other lists do not', () => {
    expect(isListRead('GET', '/api/customers/:id')).toBe(false)
    expect(isListRead('POST', '/api/customers')).toBe(false)
    expect(isListRead('GET', '/api/invoices')).toBe(false)
    expect(isListRead('GET', '/api/customersx')).toBe(false)
  })
})

describe('ETags', () => {
  test('what did not change comes without its body, by the address without the time', async () => {
    replies = [
      { status: 200, body: { items: [1] }, etag: '"one"' },
      { status: 304 },
      { status: 200, body: { items: [2] }, etag: '"two"' },
    ]
    expect(await ask('GET', '/api/customers')).toEqual({ items: [1] })
    expect(await ask('GET', '/api/customers')).toEqual({ items: [1] })
    expect(await ask('GET', '/api/customers')).toEqual({ items: [2] })
    expect(asked.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"one"', '"one"'])
  })

  test('are forgotten with the person', async () => {
    replies = [{ status: 200, body: 1, etag: '"one"' }]
    await ask('GET', '/api/customers')
    clearCache()
    await ask('GET', '/api/customers')
    expect(asked[1]?.headers.get('if-none-match')).toBeNull()
  })
})

describe('a file', () => {
  const fetched = () =>
    fetchFile({ method: 'GET', path: '/api/invoices/:id/pdf' } as never, { params: { id: 'a' } } as never)

  test('is asked for as a call is: with the token, once more after a renewed session, again after a lost answer', async () => {
    refreshes = true
    replies = [{ status: 401 }, 'lost', { status: 200, body: 'whole' }]
    const { blob, name } = await fetched()
    expect(await blob.text()).toBe('"whole"')
    expect(name).toBeNull()
    expect([asked.length, refreshed]).toEqual([3, 1])
    expect(asked[2]?.headers.get('authorization')).toBe('Bearer a-token')
  })

  test('that is refused is told in the words of the server', async () => {
    replies = [{ status: 403, body: { code: 'forbidden', message: 'Ask the owner.' } }]
    expect(await failure(fetched())).toMatchObject({ status: 403, message: 'Ask the owner.' })
  })
})

test('much that leaves is compressed where it is asked for, and little is not', async () => {
  replies = [{ status: 200 }]
  const sent: { encoding: string | null; body: unknown }[] = []
  configureClient({
    fetch: (async (_url: string, init: RequestInit) => {
      sent.push({ encoding: new Headers(init.headers).get('content-encoding'), body: init.body })
      return Response.json({})
    }) as typeof fetch,
  })
  const ask = (words: string, squeeze: boolean) =>
    call({ method: 'POST', path: '/api/x' } as never, { body: { words } } as never, { squeeze }) as Promise<unknown>
  const much = 'mow and edge '.repeat(500)
  await ask(much, true)
  await ask('few', true)
  await ask(much, false)
  expect(sent.map(({ encoding }) => encoding)).toEqual(['gzip', null, null])
  const packed = sent[0]?.body as ArrayBuffer
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  expect(await new Response(unpacked).json()).toEqual({ words: much })
  expect(packed.byteLength).toBeLessThan(500)
})
