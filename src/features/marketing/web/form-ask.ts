import { createKeyRing } from '../../../shared/keyRing.ts'

/** How the forms of the public site ask the server. */

export class Refusal extends Error {
  readonly status: number
  readonly errors: { path: string; message: string }[]
  constructor(status: number, message: string, errors: { path: string; message: string }[] = []) {
    super(message)
    this.status = status
    this.errors = errors
  }
}

const noAnswer = 'We could not reach Swath. Nothing was lost: check your connection and try again.'

const ring = createKeyRing()
/** The waits before the second, third and fourth try of what a person sends. */
const waitsMs = [1_000, 2_000, 4_000]

const once = async <T>(method: string, path: string, body: unknown, key: string | null): Promise<T> => {
  const answer = await fetch(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => null)
  if (!answer) throw new Refusal(0, noAnswer)
  const content = (await answer.json().catch(() => ({}))) as {
    message?: string
    errors?: { path: string; message: string }[]
  }
  if (!answer.ok)
    throw new Refusal(
      answer.status,
      content.message ?? 'Something went wrong on our side. Nothing was lost; please try again.',
      content.errors,
    )
  return content as T
}

const isLost = (error: unknown): boolean => error instanceof Refusal && (error.status === 0 || error.status >= 500)

/**
 * One call of the API. What a person sends is tried again after a lost answer or a 5xx, under one key: it happens once.
 * @throws Refusal; status 0 when no answer came
 */
export const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  if (method !== 'POST') return once<T>(method, path, body, null)
  return ring.run([path, body], async (key) => {
    for (const waitMs of waitsMs) {
      try {
        return await once<T>(method, path, body, key)
      } catch (error) {
        if (!isLost(error)) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
    return once<T>(method, path, body, key)
  })
}

/** What went wrong, as a refusal; anything but an answer of the server is a mistake of ours. */
export const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal(0, 'This did not work. Nothing was lost; please try again.')
