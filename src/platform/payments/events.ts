import type Stripe from 'stripe'
import { clock } from '../clock.ts'
import { config } from '../config.ts'
import { newId } from '../ids.ts'
import { signingKey } from '../keys.ts'
import { log } from '../log.ts'

const localSecret = (): string => `whsec_${signingKey('webhook-local').secret.toString('base64url')}`

/** Whose signatures count: Stripe's when it is set up, and outside production the local provider's. */
const secrets = (): string[] => [
  ...(config.stripe.mode === 'ready' ? config.stripe.webhookSecrets : []),
  ...(config.production ? [] : [localSecret()]),
]

// Loaded when first needed: the library takes longer to load than the rest of the server.
const webhooks = async () => (await import('stripe')).default.webhooks

/** Signs an event as the provider would. */
export const signEvent = async (payload: string): Promise<string> =>
  (await webhooks()).generateTestHeaderString({
    payload,
    secret: localSecret(),
    timestamp: Math.floor(clock.nowMs() / 1000),
  })

/**
 * Reads a webhook: the signature is over the bytes as they came and at most 5 minutes old.
 * @throws when it fits none of our secrets
 */
export const readEvent = async (rawBody: string, signature: string): Promise<Stripe.Event> => {
  const hooks = await webhooks()
  let failure: unknown = new Error('No secret is set.')
  for (const secret of secrets()) {
    try {
      return hooks.constructEvent(rawBody, signature, secret, 300, undefined, clock.nowMs())
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

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
