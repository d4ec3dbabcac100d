import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** An answer, or null when there was none: refused, cut off, or later than 30 s. */
export type Answer = { status: number; body: unknown; ms: number }

export type Session = {
  /** One request; null when no answer came. */
  send: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer | null>
  /** A GET or POST that has to go well. */
  ok: <T>(method: string, path: string, body?: object) => Promise<T>
  headers: () => Record<string, string>
}

const answerLimitMs = 30_000

/** Signs in and stays signed in: the access token is renewed before its quarter of an hour is over. */
export const openSession = async (
  base: string,
  account = { email: 'owner@demo.swath.test', password: 'demo-swath-2026' },
  app: 'admin' | 'employee' = 'admin',
): Promise<Session> => {
  let token = ''
  let since = 0
  const send: Session['send'] = async (method, path, body, headers = {}) => {
    const from = performance.now()
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          'x-client-app': app,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(answerLimitMs),
      })
      const text = await response.text()
      const json = (response.headers.get('content-type') ?? '').includes('json')
      return { status: response.status, body: json ? JSON.parse(text) : text, ms: performance.now() - from }
    } catch {
      return null
    }
  }
  const signIn = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send('POST', '/api/auth/login', account)
      if (answer?.status === 200) {
        token = (answer.body as { token: string }).token
        since = performance.now()
        return
      }
      if (attempt === 60) throw new Error(`could not sign in: ${answer?.status} ${JSON.stringify(answer?.body)}`)
      await sleep(500)
    }
  }
  await signIn()
  const renewing: Session['send'] = async (...call) => {
    if (performance.now() - since > 10 * 60_000) await signIn()
    return send(...call)
  }
  return {
    send: renewing,
    ok: async <T>(method: string, path: string, body?: object) => {
      const key = { 'idempotency-key': randomUUID() }
      const answer = await renewing(method, path, body, method === 'GET' ? {} : key)
      if (answer?.status !== 200)
        throw new Error(`${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
      return answer.body as T
    },
    headers: () => ({ authorization: `Bearer ${token}`, 'x-client-app': app }),
  }
}
