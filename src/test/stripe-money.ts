/** What of Stripe businesses take money with: accounts of their own and the forms for them. For `startFakeStripe`. */

type Json = Record<string, unknown>
type Stored = Json & { id: string; object: string }
export type Answer = { status: number; body: unknown }

export type Store = {
  objects: Map<string, Stored>
  id: (prefix: string) => string
  keep: <T extends Stored>(object: T) => T
  /** The account that a call was made for, by its header. */
  account: string | undefined
}

export const missing = (what: string): Answer => ({
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}` } },
})
export const ok = (body: unknown): Answer => ({ status: 200, body })

const shut: Answer = {
  status: 403,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'account_invalid',
      message: 'The provided key does not have access to this account.',
    },
  },
}

const newAccount = {
  charges_enabled: false,
  payouts_enabled: false,
  details_submitted: false,
  requirements: {
    currently_due: ['external_account', 'individual.id_number'],
    past_due: ['external_account'],
    disabled_reason: 'requirements.past_due',
  },
}

/** @returns null for what it does not know */
export const handleMoney = (method: string, path: string, body: Json, query: Json, store: Store): Answer | null => {
  const [kind, first = '', second = ''] = path.split('/').slice(2)
  const found = store.objects.get(first)
  if (store.account && store.objects.get(store.account)?.gone) return shut
  if (kind === 'accounts' && method === 'POST' && !first)
    return ok(store.keep({ ...newAccount, ...body, id: store.id('acct'), object: 'account' }))
  if (kind === 'accounts' && method === 'GET') return found && !found.gone ? ok(found) : shut
  if (kind === 'account_links' && method === 'POST')
    return ok({ object: 'account_link', url: `https://connect.stripe.test/setup/${store.id('link')}`, expires_at: 0 })
  if (kind === 'payment_intents' && method === 'POST') {
    const card = store.objects.get(String(body.payment_method))
    const declines = card?.declines as string | undefined
    const intent = store.keep({
      ...body,
      id: store.id('pi'),
      object: 'payment_intent',
      amount: Number(body.amount),
      account: store.account,
      livemode: false,
      created: Math.floor(Date.now() / 1000),
      status: declines ? 'requires_payment_method' : 'succeeded',
      last_payment_error: declines ? { code: 'card_declined', decline_code: declines } : null,
    })
    const error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: declines,
      message: 'Your card was declined.',
    }
    return declines ? { status: 402, body: { error: { ...error, payment_intent: intent } } } : ok(intent)
  }
  if (kind === 'payment_intents' && method === 'GET' && !first)
    return ok({
      object: 'list',
      has_more: false,
      data: [...store.objects.values()].filter(
        (one) => one.object === 'payment_intent' && one.account === store.account && one.customer === query.customer,
      ),
    })
  if (kind === 'payment_intents' && method === 'GET')
    return found && found.account === store.account ? ok(found) : missing('payment_intent')
  if (kind === 'payment_methods' && second === 'detach')
    return found ? ok({ ...found, customer: null }) : missing('payment_method')
  return null
}

/** Calls that the older specification lacks parameters for, with those of the present one. */
export const newerMoney = {
  'post /v1/accounts': {
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            properties: {
              country: { type: 'string' },
              email: { type: 'string' },
              metadata: { type: 'object', additionalProperties: { type: 'string' } },
              business_profile: {
                type: 'object',
                properties: { name: { type: 'string' }, product_description: { type: 'string' } },
              },
              controller: {
                type: 'object',
                properties: {
                  stripe_dashboard: { type: 'object', properties: { type: { enum: ['express', 'full', 'none'] } } },
                  fees: { type: 'object', properties: { payer: { enum: ['account', 'application'] } } },
                  losses: { type: 'object', properties: { payments: { enum: ['application', 'stripe'] } } },
                  requirement_collection: { enum: ['application', 'stripe'] },
                },
              },
            },
          },
        },
      },
    },
  },
}

/** Parameters that the older specification lacks in calls that it has. */
export const newerFields: Record<string, Record<string, Json>> = {
  'post /v1/checkout/sessions': { allowed_payment_method_types: { type: 'array', items: { type: 'string' } } },
}
