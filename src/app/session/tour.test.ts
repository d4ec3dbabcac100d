import { beforeEach, expect, test } from 'vitest'
import { customersApi } from '../../features/customers/contract.ts'
import { call, configureClient } from '../../shared/client.ts'
import { tourMessage } from '../../shared/tour.ts'
import { createTourSession } from './tour.ts'

type Reply = { status: number; body?: unknown } | 'no signal'

const view = {
  user: { _id: 'tour-1', name: 'Tour visitor' },
  businessName: 'Palmetto & Pine',
  until: '',
  invoiceId: 'i1',
}
const over = { status: 401, body: { code: 'session_ended', message: tourMessage.over } }

let calls: string[]
let answer: (call: string) => Reply
let kept: string | null
let left: number

beforeEach(() => {
  calls = []
  kept = null
  left = 0
  answer = (asked) => ({ status: 200, body: asked.startsWith('POST') ? { token: 't1', until: '' } : view })
})

const tab = () => {
  const session = createTourSession({
    kind: 'admin',
    read: () => kept,
    keep: (token) => {
      kept = token
    },
    leave: () => {
      left += 1
    },
  })
  configureClient({
    fetch: (async (path: string, init: RequestInit) => {
      const asked = `${init.method} ${path.split('?')[0]} ${new Headers(init.headers).get('authorization') ?? '-'}`
      calls.push(asked)
      const reply = answer(asked)
      if (reply === 'no signal') throw new TypeError('Failed to fetch')
      return new Response(JSON.stringify(reply.body ?? {}), { status: reply.status })
    }) as unknown as typeof fetch,
    token: session.token,
    clientApp: session.kind,
    refresh: session.refresh,
    sleep: async () => undefined,
    newKey: () => 'key',
  })
  return session
}

test('a tour begins without an account, is kept with the tab, and goes on in the next document', async () => {
  const session = tab()
  await session.start()
  expect(session.get()).toMatchObject({ phase: 'signedIn', tour: { businessName: 'Palmetto & Pine', invoiceId: 'i1' } })
  expect(kept).toBe('t1')
  await tab().start()
  expect(calls).toEqual(['POST /api/tour -', 'GET /api/tour Bearer t1', 'GET /api/tour Bearer t1'])
})

test('where there is no tour the tab says so', async () => {
  answer = () => ({ status: 404, body: { code: 'not_found', message: tourMessage.none } })
  const session = tab()
  await session.start()
  expect(session.get()).toEqual({ phase: 'ended', notice: tourMessage.none, tour: 'none' })
})

test('an expired tour ends with a kind word, and one press begins a fresh one', async () => {
  kept = 'old'
  answer = (asked) =>
    asked.includes('old') ? over : { status: 200, body: asked.startsWith('POST') ? { token: 't2', until: '' } : view }
  const session = tab()
  await session.start()
  expect(session.get()).toEqual({ phase: 'ended', notice: tourMessage.over, tour: 'over' })
  expect(kept).toBeNull()
  await session.start()
  expect([session.get().phase, kept]).toEqual(['signedIn', 't2'])
})

test('a call that is answered with 401 ends it too; no answer does not', async () => {
  const session = tab()
  await session.start()
  answer = () => 'no signal'
  expect(await session.refresh()).toBe(false)
  expect(session.get().phase).toBe('signedIn')
  answer = () => over
  await call(customersApi.list, { query: {} }).catch(() => undefined)
  expect(session.get().phase).toBe('ended')
})

test('leaving forgets the tour, tells nobody and shows the public site', async () => {
  const session = tab()
  await session.start()
  const before = calls.length
  await session.signOut()
  expect([kept, session.token(), left, calls.length]).toEqual([null, null, 1, before])
})

test('nobody signs in inside of it', async () => {
  const session = tab()
  await session.start()
  await expect(session.signIn('a@b.test', 'x')).rejects.toThrow('/signin')
  expect(() => session.adopt({})).toThrow('/signin')
})
