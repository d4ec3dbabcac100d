import { config } from '../config.ts'

/** Who keeps the books of businesses: where it is asked, and by what. Both the real one and the played one are asked by the same code. */
export type BooksPeer = {
  provider: 'intuit' | 'local'
  livemode: boolean
  clientId: string
  clientSecret: string
  /** What its webhooks are signed with. */
  webhookSecrets: () => readonly string[]
  authorizeUrl: string
  tokenUrl: string
  revokeUrl: string
  /** Without a slash at the end. */
  apiUrl: string
  /** Where a person opens a record there, or null. */
  pageOf: (realmId: string, type: string, id: string) => string | null
  /** Whether so many requests a second are too many for it. */
  isPaced?: boolean
  fetch: (url: string, init: BooksRequest) => Promise<Response>
}
export type BooksRequest = { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal }

const oauth = 'https://oauth.platform.intuit.com/oauth2/v1/tokens'
const pages: Record<string, string> = {
  Customer: 'customerdetail?nameId=',
  Invoice: 'invoice?txnId=',
  Payment: 'recvpayment?txnId=',
  CreditMemo: 'creditmemo?txnId=',
  Purchase: 'expense?txnId=',
}

const real = (): BooksPeer | null => {
  const settings = config.books
  if (settings.mode !== 'ready') return null
  const app = settings.livemode ? 'https://qbo.intuit.com' : 'https://sandbox.qbo.intuit.com'
  return {
    provider: 'intuit',
    livemode: settings.livemode,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    webhookSecrets: () => [settings.webhookVerifier],
    authorizeUrl: 'https://appcenter.intuit.com/connect/oauth2',
    tokenUrl: `${oauth}/bearer`,
    revokeUrl: 'https://developer.api.intuit.com/v2/oauth2/tokens/revoke',
    apiUrl: settings.livemode ? 'https://quickbooks.api.intuit.com' : 'https://sandbox-quickbooks.api.intuit.com',
    pageOf: (_realm, type, id) => (pages[type] ? `${app}/app/${pages[type]}${encodeURIComponent(id)}` : null),
    isPaced: true,
    fetch: (url, init) => fetch(url, init),
  }
}

let played: BooksPeer | null = null

/** Says who plays the provider on one's own computer; set at start. */
export const setPlayedBooks = (by: BooksPeer): void => {
  played = by
}

/** Who keeps books here, or why nobody does. Half a set-up is never replaced by the played one in silence. */
export const booksPeer = (): { peer: BooksPeer } | { peer: null; reason: string } => {
  const peer = real()
  if (peer) return { peer }
  if (config.books.mode === 'incomplete') return { peer: null, reason: config.books.reason }
  if (!config.production && played) return { peer: played }
  return { peer: null, reason: 'This server is not set up for QuickBooks.' }
}
