/** How QuickBooks Online is set up, read from the environment. Half of it is as good as nothing, and says so. */
export type BooksSettings =
  | { mode: 'off' }
  | { mode: 'incomplete'; reason: string; missing: string[] }
  | {
      mode: 'ready'
      /** Real companies, or the provider's sandbox. */
      livemode: boolean
      clientId: string
      clientSecret: string
      webhookVerifier: string
    }

const names = ['QBO_CLIENT_ID', 'QBO_CLIENT_SECRET', 'QBO_ENV', 'QBO_WEBHOOK_VERIFIER'] as const

/**
 * What an environment makes of QuickBooks Online. Never throws: something half set up stays off, and the rest of the server runs.
 * @param production real companies outside production are refused: a trial run would write into somebody's books
 */
export const readBooksSettings = (
  env: Readonly<Record<string, string | undefined>>,
  production: boolean,
): BooksSettings => {
  const of = (name: string): string => env[name]?.trim() ?? ''
  const missing: string[] = names.filter((name) => of(name) === '')
  if (missing.length === names.length) return { mode: 'off' }
  const off = (reason: string, left: string[]): BooksSettings => ({ mode: 'incomplete', reason, missing: left })
  if (missing.length > 0)
    return off(`QuickBooks stays off: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set.`, missing)
  const environment = of('QBO_ENV')
  if (environment !== 'sandbox' && environment !== 'production')
    return off('QuickBooks stays off: QBO_ENV must be sandbox or production.', ['QBO_ENV'])
  const livemode = environment === 'production'
  if (livemode && !production)
    return off(
      'QuickBooks stays off: QBO_ENV=production needs PUBLIC_URL, so that a trial run reaches no real books.',
      ['PUBLIC_URL'],
    )
  return {
    mode: 'ready',
    livemode,
    clientId: of('QBO_CLIENT_ID'),
    clientSecret: of('QBO_CLIENT_SECRET'),
    webhookVerifier: of('QBO_WEBHOOK_VERIFIER'),
  }
}
