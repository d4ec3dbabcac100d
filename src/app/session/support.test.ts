import { beforeEach, describe, expect, test } from 'vitest'
import { configureClient } from '../../shared/client.ts'
import { createSupportSession, supportNotices } from './support.ts'
import type { SupportMemory } from './supportTab.ts'

type Reply = { status: number; body?: unknown } | 'no signal'

const view = {
  user: { _id: 'visit-1', name: 'Swath support' },
  businessName: 'Tybee Lawns',
  until: '2026-05-05T20:00:00Z',
}
const ended = { status: 401, body: { code: 'session_ended', message: 'The owner ended support access.' } }

let calls: { path: string; auth: string | null }[]
let answer: (path: string) => Reply
let kept: SupportMemory | null

beforeEach(() => {
  calls = []
  kept = null
  answer = (path) => ({ status: 200, body: path.endsWith('/open') ? { ...view, token: 't1' } : view })
})

const tab = (code: string | null = null) => {
  const session = createSupportSession({
    code,
    read: () => kept,
    keep: (memory) => {
      kept = memory
    },
  })
  configureClient({
    fetch: (async (path: string, init: RequestInit) => {
      calls.push({ path, auth: new Headers(init.headers).get('authorization') })
      const reply = answer(path)
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

describe('a tab of support', () => {
  test('exchanges its code once and keeps the token in the tab', async () => {
    const session = tab('code')
    await session.start()
    expect(session.get()).toMatchObject({ phase: 'signedIn', support: { businessName: 'Tybee Lawns' } })
    expect([session.token(), kept]).toEqual(['t1', { token: 't1' }])
    await tab().start()
    expect(calls).toEqual([
      { path: '/api/support/open', auth: null },
      { path: '/api/support/visit', auth: 'Bearer t1' },
    ])
  })

  test('never asks for a refresh, whatever the cookies are, and ends with the words of the server', async () => {
    const session = tab('code')
    await session.start()
    answer = () => ended
    expect(await session.refresh()).toBe(false)
    expect(session.get()).toEqual({ phase: 'ended', notice: 'The owner ended support access.' })
    expect([session.token(), kept]).toEqual([null, { ended: 'The owner ended support access.' }])
    const reloaded = tab()
    await reloaded.start()
    expect(reloaded.get()).toEqual({ phase: 'ended', notice: 'The owner ended support access.' })
    expect(calls.map(({ path }) => path)).toEqual(['/api/support/open', '/api/support/visit'])
  })

  test('is not ended by a lost answer, and tries its code again', async () => {
    answer = () => 'no signal'
    const session = tab('code')
    await session.start()
    expect(session.get()).toEqual({ phase: 'unreachable' })
    expect(calls).toHaveLength(3)
    answer = (path) => ({ status: 200, body: path.endsWith('/open') ? { ...view, token: 't1' } : view })
    await session.start()
    answer = () => ({ status: 503 })
    expect(await session.refresh()).toBe(false)
    expect(session.get().phase).toBe('signedIn')
  })

  test('leaves: the token is forgotten here and ended there', async () => {
    const session = tab('code')
    await session.start()
    await session.signOut()
    expect(session.get()).toEqual({ phase: 'ended', notice: supportNotices.left })
    expect(calls.at(-1)).toEqual({ path: '/api/support/leave', auth: 'Bearer t1' })
    expect(await session.refresh()).toBe(false)
  })

  test('cannot become the session of a person', async () => {
    const session = tab()
    await session.start()
    expect(session.get()).toEqual({ phase: 'ended', notice: supportNotices.none })
    await expect(session.signIn('dana@example.test', 'x')).rejects.toThrow()
    expect(() => session.adopt({ token: 't', user: view.user })).toThrow()
    expect(calls).toEqual([])
  })
})
