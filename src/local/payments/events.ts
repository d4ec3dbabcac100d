import { clock } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { newId } from '../../platform/ids.ts'
import { signingKey } from '../../platform/keys.ts'
import { log } from '../../platform/log.ts'

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
  object: { id: string; object: string; customer?: string } & Record<string, unknown>
}

type Post = (url: string, headers: Record<string, string>, payload: string) => Promise<number>

let post: Post = async (url, headers, payload) =>
  (await fetch(`${config.publicUrl}${url}`, { method: 'POST', headers, body: payload })).status

/** Events of the local provider reach this server without the network; set when the server is built. @returns puts back what was there */
export const setLocalPost = (by: Post): (() => void) => {
  const former = post
  post = by
  return () => {
    if (post === by) post = former
  }
}

/** Signs and posts events of the local provider to our own webhook. One that gets lost is found by the nightly comparison, as with a real one. */
export const deliverLocalEvents = async (events: readonly LocalEvent[]): Promise<void> => {
  for (const { type, object } of events) {
    const payload = JSON.stringify({
      id: `evt_test_${newId().replaceAll('-', '')}`,
      object: 'event',
      type,
      livemode: false,
      created: Math.floor(clock.nowMs() / 1000),
      data: { object },
    })
    const headers = { 'stripe-signature': await signEvent(payload), 'content-type': 'application/json' }
    try {
      const status = await post('/api/webhooks/stripe', headers, payload)
      if (status !== 200) throw new Error(`The webhook answered ${status}.`)
    } catch (error) {
      log.warn({ err: error, type }, 'an event of the local payment provider did not arrive')
    }
  }
}
