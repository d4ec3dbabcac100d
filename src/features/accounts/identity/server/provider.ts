import * as oidc from 'openid-client'
import { clock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { AppError } from '../../../../shared/errors.ts'
import { type Claims, canonicalIssuer, type IdentityMode, identityMode, issuerNames } from '../rules.ts'

/** What has to come back unchanged with the browser; sealed into a cookie. */
export type Flow = { state: string; nonce: string; verifier: string }

/** Who plays the provider on one's own computer: below which path of ours it answers, its client and secret, and how it is asked inside this process. */
export type PlayedIdentity = { path: string; clientId: string; transport: oidc.CustomFetch }

export const currentMode = (): IdentityMode => identityMode(config)

const known = new Map<string, { found: Promise<oidc.Configuration>; until: number }>()
let played: PlayedIdentity | undefined
/** Says who plays the provider. Returns what takes it back: the server that answered may end before the process does. */
export const setPlayedIdentity = (by: PlayedIdentity): (() => void) => {
  const before = played
  played = by
  known.clear()
  return () => {
    if (played !== by) return
    played = before
    known.clear()
  }
}
/** How the real one is asked; tests put a fake here. */
let realTransport: oidc.CustomFetch | undefined
export const askProviderBy = (transport: oidc.CustomFetch | undefined): void => {
  known.clear()
  realTransport = transport
}

const hourMs = 3_600_000
const isLoopback = (url: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)

const discover = (issuer: string, player: PlayedIdentity | undefined): Promise<oidc.Configuration> => {
  const url = new URL(issuer)
  const transport = player ? player.transport : realTransport
  const metadata = {
    client_secret: player ? player.clientId : (config.googleClientSecret ?? ''),
    [oidc.clockTolerance]: 30,
  }
  return oidc.discovery(url, player ? player.clientId : (config.googleClientId ?? ''), metadata, undefined, {
    timeout: 10,
    ...(url.protocol === 'http:' && isLoopback(url) ? { execute: [oidc.allowInsecureRequests] } : {}),
    ...(transport ? { [oidc.customFetch]: transport } : {}),
  })
}

/**
 * The configured provider with its addresses and keys, asked once an hour.
 * @throws AppError unavailable when there is none or it does not answer
 */
const provider = async (origin: string): Promise<oidc.Configuration> => {
  const now = currentMode()
  const player = now.mode === 'local' ? played : undefined
  const issuer = now.mode === 'real' ? now.issuer : player && `${origin}${player.path}`
  if (!issuer) throw new AppError('unavailable', 'Google sign-in is not set up on this server yet.')
  const cached = known.get(issuer)
  if (cached && cached.until > clock.nowMs()) return cached.found
  const found = discover(issuer, player)
  known.set(issuer, { found, until: clock.nowMs() + hourMs })
  try {
    return await found
  } catch (cause) {
    known.delete(issuer)
    throw new AppError(
      'unavailable',
      'Google does not answer right now. Please try again, or sign in with your password.',
      { cause },
    )
  }
}

const redirectUri = (origin: string): string => `${origin}/api/auth/google/callback`

/** Google shows its list of accounts, the played one asks anew: nobody is signed in as who happened to be there. */
const promptFor = (issuer: string): Record<string, string> => {
  if (currentMode().mode === 'local') return { prompt: 'login' }
  return canonicalIssuer(issuer) === 'https://accounts.google.com' ? { prompt: 'select_account' } : {}
}

/** Where to send the browser, and what has to come back with it: state, nonce and the PKCE verifier (S256). */
export const authorizationUrl = async (origin: string): Promise<{ url: string; flow: Flow }> => {
  const at = await provider(origin)
  const flow = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  }
  const url = oidc.buildAuthorizationUrl(at, {
    redirect_uri: redirectUri(origin),
    scope: 'openid email profile',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...promptFor(at.serverMetadata().issuer),
  })
  return { url: url.href, flow }
}

const checksOf = (flow: Flow): oidc.AuthorizationCodeGrantChecks => ({
  pkceCodeVerifier: flow.verifier,
  expectedState: flow.state,
  expectedNonce: flow.nonce,
  idTokenExpected: true,
})

/** The issuer that a token names, unchecked: only to choose under which of Google's two names it is then checked in full. */
const issuerIn = async (response: Response): Promise<string | null> => {
  try {
    const { id_token } = (await response.json()) as { id_token?: string }
    const payload = JSON.parse(Buffer.from(id_token?.split('.')[1] ?? '', 'base64url').toString()) as { iss?: string }
    return payload.iss ?? null
  } catch {
    return null
  }
}

/** The same provider under another of its names. */
const renamed = (at: oidc.Configuration, issuer: string, transport: oidc.CustomFetch): oidc.Configuration => {
  const other = new oidc.Configuration(
    { ...(at.serverMetadata() as oidc.ServerMetadata), issuer },
    at.clientMetadata().client_id,
    {
      ...at.clientMetadata(),
      [oidc.clockTolerance]: 30,
    },
  )
  other[oidc.customFetch] = transport
  return other
}

/** A code can be traded once, and Google may sign as either of its names: the answer is kept while it is checked under the other one. */
const trade = async (at: oidc.Configuration, url: URL, flow: Flow) => {
  const names = issuerNames(at.serverMetadata().issuer)
  if (names.length === 1) return oidc.authorizationCodeGrant(at, url, checksOf(flow))
  const usual: oidc.CustomFetch = at[oidc.customFetch] ?? ((address, options) => fetch(address, options as RequestInit))
  const answer: { kept?: Response } = {}
  const tokenEndpoint = at.serverMetadata().token_endpoint
  const transport: oidc.CustomFetch = async (address, options) => {
    if (address !== tokenEndpoint) return usual(address, options)
    answer.kept ??= await usual(address, options)
    return answer.kept.clone()
  }
  const first = names[0] ?? ''
  try {
    return await oidc.authorizationCodeGrant(renamed(at, first, transport), url, checksOf(flow))
  } catch (error) {
    const named = answer.kept ? await issuerIn(answer.kept.clone()) : null
    if (!named || named === first || !names.includes(named)) throw error
    return oidc.authorizationCodeGrant(renamed(at, named, transport), url, checksOf(flow))
  }
}

/**
 * Trades the code that came back for who the person is: signature, issuer, audience, nonce, state, PKCE and time (30 s of skew) are checked.
 * @throws Error of the library when anything does not fit
 */
export const claimsFrom = async (origin: string, url: URL, flow: Flow): Promise<Claims> => {
  const at = await provider(origin)
  const claims = (await trade(at, url, flow)).claims()
  if (!claims) throw new Error('No ID token came.')
  const email = typeof claims.email === 'string' ? claims.email.trim().toLowerCase() : null
  return {
    issuer: canonicalIssuer(claims.iss),
    subject: claims.sub,
    email,
    // In the same token as the e-mail; anything but a plain true is no.
    emailVerified: email !== null && claims.email_verified === true,
    name: typeof claims.name === 'string' ? claims.name.slice(0, 120) : null,
  }
}
