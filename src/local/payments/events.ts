import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { newId } from '../../platform/ids.ts'
import { signingKey } from '../../platform/keys.ts'
import { log } from '../../platform/log.ts'
import type { EventSpan } from '../../platform/payments/provider.ts'

/** What the local provider signs its events with. */
export const localSecret = (): string => `whsec_${signingKey('webhook-local').secret.toString('base64url')}`

/** Signs an event as the provider would. */
export const signEvent = async (payload: string): Promise<string> =>
  (await import('stripe')).default.webhooks.generateTestHeaderString({
    payload,
    secret: localSecret(),
    timestamp: Math.floor(clock.nowMs() / 1000),
  })

/** What happened to an object of the local provider, told as Stripe tells it. */
export type LocalEvent = {
  type: string
  /** The account of a business in which it happened; our own side has none. */
  account?: string | null
  object: { id: string; object: string; customer?: string } & Record<string, unknown>
}

type Post = (url: string, headers: Record<string, string>, payload: string) => Promise<number>

const overNetwork: Post = async (url, headers, payload) =>
  (await fetch(`${config.publicUrl}${url}`, { method: 'POST', headers, body: payload })).status

/** Who brings them, the latest last. Whoever leaves is taken out wherever he stands: servers do not close in the order in which they were built. */
const posts: Post[] = [overNetwork]

/** Events of the local provider reach this server without the network; set when the server is built. @returns takes it out again */
export const setLocalPost = (by: Post): (() => void) => {
  const own: Post = (...sent) => by(...sent)
  posts.push(own)
  return () => {
    const at = posts.indexOf(own)
    if (at >= 0) posts.splice(at, 1)
  }
}

/** Posts to a webhook of this server, whoever plays the provider. @returns the status of its answer */
export const postLocal: Post = (...sent) => (posts.at(-1) ?? overNetwork)(...sent)

type Kept = { account: string | null; at: string; id: string; type: string; payload: unknown }
/** What happened lately, as a real provider can be asked for it; gone with the process, as it is only played. */
const kept: Kept[] = []
const mostKept = 1000

/** What happened in a span of time in an account of the local provider, or on our own side. */
export async function* listLocalEvents(account: string | null, { since, until }: EventSpan) {
  for (const { account: of, at, id, type, payload } of [...kept])
    if (of === account && at >= since && (until === null || at < until)) yield { id, type, payload }
}

/** Waits before an event that nobody took is brought again; a real provider waits for hours. */
const againAfterMs = [50, 400]

const bring = async (headers: Record<string, string>, payload: string): Promise<void> => {
  for (let tries = 0; ; tries++) {
    const status = await postLocal('/api/webhooks/stripe', headers, payload).catch((error: unknown) => {
      if (againAfterMs[tries] === undefined) throw error
      return 500
    })
    if (status === 200) return
    const waitMs = againAfterMs[tries]
    if (waitMs === undefined || status < 500) throw new Error(`The webhook answered ${status}.`)
    await sleep(waitMs)
  }
}

/**
 * Signs and posts events of the local provider to our own webhook. One that is not taken is brought twice more, and asked for in the night if
 * it still got lost, as with a real one.
 */
export const deliverLocalEvents = async (events: readonly LocalEvent[]): Promise<void> => {
  for (const { type, object, account } of events) {
    const id = `evt_test_${newId().replaceAll('-', '')}`
    const payload = JSON.stringify({
      id,
      object: 'event',
      ...(account ? { account } : {}),
      type,
      livemode: false,
      created: Math.floor(clock.nowMs() / 1000),
      data: { object },
    })
    kept.push({ account: account ?? null, at: clock.iso(), id, type, payload: JSON.parse(payload) })
    kept.splice(0, kept.length - mostKept)
    const headers = { 'stripe-signature': await signEvent(payload), 'content-type': 'application/json' }
    try {
      await bring(headers, payload)
    } catch (error) {
      log.warn({ err: error, type }, 'an event of the local payment provider did not arrive')
    }
  }
}
