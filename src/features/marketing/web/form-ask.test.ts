import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ask, Refusal } from './form-ask.ts'

type Sent = { path: string; key: string | null }

const answers = (...statuses: number[]): Sent[] => {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    sent.push({ path, key: new Headers(init.headers).get('idempotency-key') })
    const status = statuses[sent.length - 1] ?? 200
    if (status === 0) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify({ ok: true }), { status })
  })
  return sent
}

/** What comes of it, with every wait that it makes passed. */
const settled = async (work: Promise<unknown>) => {
  const result = work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  await vi.advanceTimersByTimeAsync(7_000)
  return result
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('what a visitor sends', () => {
  test('comes through lost answers and errors of the server under one key', async () => {
    const sent = answers(0, 503, 500)
    expect(await settled(ask('POST', '/api/contact', { name: 'R. Odom' }))).toEqual({ value: { ok: true } })
    expect(sent).toHaveLength(4)
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect(sent[0]?.key).toMatch(/^[\w-]{36}$/)
  })

  test('is given up after the fourth try; sent again by hand it still has its key', async () => {
    const sent = answers(0, 0, 0, 0)
    const first = await settled(ask('POST', '/api/leads', { name: 'A' }))
    expect(first).toMatchObject({ error: { status: 0 } })
    await settled(ask('POST', '/api/leads', { name: 'A' }))
    await settled(ask('POST', '/api/leads', { name: 'A' }))
    expect(sent).toHaveLength(6)
    expect(sent[4]?.key).toBe(sent[0]?.key)
    expect(sent[5]?.key).not.toBe(sent[0]?.key)
  })

  test.each([409, 422, 429])('is not repeated after a clear no (%i)', async (status) => {
    const sent = answers(status)
    const result = await settled(ask('POST', '/api/leads', { status }))
    expect(result).toMatchObject({ error: expect.any(Refusal) })
    expect(sent).toHaveLength(1)
  })

  test('is not waited for where it is kept on the device: an answer of the application, a look', async () => {
    const sent = answers(0, 0)
    await settled(ask('PUT', '/api/leads/application/t', {}))
    await settled(ask('GET', '/api/leads/application/t'))
    expect(sent.map(({ key }) => key)).toEqual([null, null])
  })
})
