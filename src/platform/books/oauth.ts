import * as oidc from 'openid-client'
import { paths } from '../../shared/paths.ts'
import { clock } from '../clock.ts'
import { config } from '../config.ts'
import type { BooksPeer } from './peer.ts'

// The code grant of OAuth 2 against the provider's own addresses (docs/decisions/035).

export type BooksTokens = { access: string; refresh: string /** ISO instant. */; until: string }

/** The provider takes our refresh token no more: a person has to connect again. */
export class GrantEnded extends Error {}

const scope = 'com.intuit.quickbooks.accounting'

const setup = (peer: BooksPeer): oidc.Configuration => {
  const made = new oidc.Configuration(
    {
      issuer: 'https://oauth.platform.intuit.com/op/v1',
      authorization_endpoint: peer.authorizeUrl,
      token_endpoint: peer.tokenUrl,
      revocation_endpoint: peer.revokeUrl,
    },
    peer.clientId,
    { client_secret: peer.clientSecret },
    oidc.ClientSecretBasic(peer.clientSecret),
  )
  if (peer.provider === 'local') oidc.allowInsecureRequests(made)
  made.timeout = 10
  made[oidc.customFetch] = (url, { method, headers, body, signal }) =>
    peer.fetch(url, {
      method,
      headers: headers as Record<string, string>,
      ...(body ? { body: String(body) } : {}),
      ...(signal ? { signal } : {}),
    })
  return made
}

const returnTo = (): string => `${config.publicUrl}${paths.quickbooks}`

/** Where the browser goes to give us leave, and comes back from with `state`. */
export const booksAuthorizationUrl = (peer: BooksPeer, state: string): string => {
  const url = oidc.buildAuthorizationUrl(setup(peer), { redirect_uri: returnTo(), scope, state })
  // The played provider stands on the server that the browser is on, by whatever name that is.
  return peer.provider === 'local' ? `${url.pathname}${url.search}` : url.href
}

const tokensOf = (answer: oidc.TokenEndpointResponse): BooksTokens => {
  if (!answer.refresh_token) throw new Error('The provider of the books gave no refresh token.')
  return {
    access: answer.access_token,
    refresh: answer.refresh_token,
    until: new Date(clock.nowMs() + (answer.expires_in ?? 3600) * 1000).toISOString(),
  }
}

const ended = (error: unknown): never => {
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
    throw new GrantEnded('invalid_grant', { cause: error })
  throw error
}

/** Trades the code that the browser brought back. @throws GrantEnded when it is old or was traded before */
export const tradeBooksCode = async (peer: BooksPeer, code: string, state: string): Promise<BooksTokens> => {
  const back = new URL(returnTo())
  back.searchParams.set('code', code)
  back.searchParams.set('state', state)
  return tokensOf(await oidc.authorizationCodeGrant(setup(peer), back, { expectedState: state }).catch(ended))
}

/** Trades the refresh token, which is used up by that. @throws GrantEnded */
export const refreshBooksTokens = async (peer: BooksPeer, refresh: string): Promise<BooksTokens> =>
  tokensOf(await oidc.refreshTokenGrant(setup(peer), refresh).catch(ended))

/** Gives our leave back. */
export const revokeBooksToken = (peer: BooksPeer, refresh: string): Promise<void> =>
  oidc.tokenRevocation(setup(peer), refresh)
