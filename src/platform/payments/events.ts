import type Stripe from 'stripe'
import { clock } from '../clock.ts'
import { config } from '../config.ts'
import { playedProvider } from './providers.ts'

/** Whose signatures count: Stripe's when it is set up, and outside production those of whoever plays it. */
const secrets = (): string[] => [
  ...(config.stripe.mode === 'ready' ? config.stripe.webhookSecrets : []),
  ...(playedProvider()?.secrets() ?? []),
]

/**
 * Reads a webhook: the signature is over the bytes as they came and at most 5 minutes old.
 * @throws when it fits none of our secrets
 */
export const readEvent = async (rawBody: string, signature: string): Promise<Stripe.Event> => {
  // Loaded when first needed: the library takes longer to load than the rest of the server.
  const { webhooks } = (await import('stripe')).default
  let failure: unknown = new Error('No secret is set.')
  for (const secret of secrets()) {
    try {
      return webhooks.constructEvent(rawBody, signature, secret, 300, undefined, clock.nowMs())
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
