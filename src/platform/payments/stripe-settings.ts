/** How Stripe is set up, read from the environment. Half of it is as good as nothing, and says so. */
export type StripeSettings =
  | { mode: 'off' }
  | { mode: 'incomplete'; reason: string; missing: string[] }
  | {
      mode: 'ready'
      livemode: boolean
      secretKey: string
      /** The first signs now; others are taken while a secret is being changed. */
      webhookSecrets: string[]
      /** Whether events of businesses' own accounts reach us: they come by a second endpoint with a secret of its own. */
      connect: boolean
      /** `basic_month` and so on. The first id is sold, the others are recognized: prices of people who stayed. */
      prices: Record<string, string[]>
      apiBase: string | undefined
      automaticTax: boolean
    }

export const plans = ['basic', 'pro', 'enterprise'] as const
const periods = ['month', 'year'] as const
const priceName = (plan: string, period: string) => `STRIPE_PRICE_${plan.toUpperCase()}_${period.toUpperCase()}`

/** Every setting that Stripe needs. */
export const stripeNames: readonly string[] = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  ...plans.flatMap((plan) => periods.map((period) => priceName(plan, period))),
]

const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/**
 * What an environment makes of Stripe. Never throws: something half set up stays off, and the rest of the server runs.
 * @param production a live key outside production is refused: money would move while somebody tries things out
 */
export const readStripeSettings = (
  env: Readonly<Record<string, string | undefined>>,
  production: boolean,
): StripeSettings => {
  const missing = stripeNames.filter((name) => list(env[name]).length === 0)
  if (missing.length === stripeNames.length) return { mode: 'off' }
  const off = (reason: string, names: string[] = []): StripeSettings => ({ mode: 'incomplete', reason, missing: names })
  if (missing.length > 0)
    return off(`Stripe stays off: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set.`, missing)
  const secretKey = list(env.STRIPE_SECRET_KEY)[0] ?? ''
  const key = /^[sr]k_(test|live)_\w+$/.exec(secretKey)
  if (!key)
    return off('Stripe stays off: STRIPE_SECRET_KEY does not look like sk_test_… or sk_live_….', ['STRIPE_SECRET_KEY'])
  const webhookSecrets = list(env.STRIPE_WEBHOOK_SECRET)
  if (!webhookSecrets.every((secret) => secret.startsWith('whsec_')))
    return off('Stripe stays off: STRIPE_WEBHOOK_SECRET does not look like whsec_….', ['STRIPE_WEBHOOK_SECRET'])
  const connectSecrets = list(env.STRIPE_CONNECT_WEBHOOK_SECRET)
  if (!connectSecrets.every((secret) => secret.startsWith('whsec_')))
    return off('Stripe stays off: STRIPE_CONNECT_WEBHOOK_SECRET does not look like whsec_….', [
      'STRIPE_CONNECT_WEBHOOK_SECRET',
    ])
  const prices = Object.fromEntries(
    plans.flatMap((plan) => periods.map((period) => [`${plan}_${period}`, list(env[priceName(plan, period)])])),
  )
  const ids = Object.values(prices).flat()
  if (new Set(ids).size !== ids.length) return off('Stripe stays off: one price id stands for two prices.')
  const livemode = key[1] === 'live'
  if (livemode && !production)
    return off('Stripe stays off: a live key needs PUBLIC_URL, so that nobody is charged by a trial run.', [
      'PUBLIC_URL',
    ])
  return {
    mode: 'ready',
    livemode,
    secretKey,
    webhookSecrets: [...webhookSecrets, ...connectSecrets],
    connect: connectSecrets.length > 0,
    prices,
    apiBase: env.STRIPE_API_BASE || undefined,
    automaticTax: env.STRIPE_TAX === '1',
  }
}
