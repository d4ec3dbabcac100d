import { createHash, hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { AppError } from '../../shared/errors.ts'
import { type Permission, type Role, type SessionKind, sessionKindOf } from '../../shared/roles.ts'
import { isSubscriptionActive } from '../../shared/subscription.ts'
import type { Actor, ProductOwner } from '../actor.ts'
import { clock } from '../clock.ts'
import { asBusinessId, type BusinessId } from '../db/tenant.ts'
import { findSigningKey, signingKey } from '../keys.ts'

/** Access tokens live 15 minutes; what was revoked meanwhile is refused at the next request, because the person is read again. */
export const accessTokenSeconds = 15 * 60

export type Claims = { businessId: BusinessId; userId: string; sessionId: string; tokenVersion: number }

/** A bearer token for one session. */
export const signAccessToken = async (claims: Claims): Promise<string> => {
  const key = signingKey('access-token')
  const now = Math.floor(clock.nowMs() / 1000)
  return new SignJWT({ bid: claims.businessId, sid: claims.sessionId, ver: claims.tokenVersion })
    .setProtectedHeader({ alg: 'HS256', kid: key.id })
    .setSubject(claims.userId)
    .setAudience('swath')
    .setIssuedAt(now)
    .setExpirationTime(now + accessTokenSeconds)
    .sign(key.secret)
}

export const unauthenticated = () => new AppError('unauthenticated', 'Please sign in to continue')

/** Whom a token is for: a person of a business, the product owner, support inside a business, a visitor of the tour. */
export type Audience = 'swath' | 'swath-owner' | 'swath-support' | 'swath-tour'
const audiences: Audience[] = ['swath', 'swath-owner', 'swath-support', 'swath-tour']

/** What a token of ours says, and whether its time is over. */
export type Credential = { payload: JWTPayload; expired: boolean }

/** Signatures that were proven lately. Only the proof is remembered: session, person and business are read at every request. */
const proven = new Map<string, { payload: JWTPayload; keyId: string }>()
const provenMost = 5_000

const remembered = (digest: string): JWTPayload | null => {
  const known = proven.get(digest)
  if (!known || (known.payload.exp ?? 0) * 1000 <= clock.nowMs()) return null
  // a key that was taken away ends its tokens at once
  return findSigningKey('access-token', known.keyId) ? known.payload : null
}

const keyOf = (kid: string | undefined): Uint8Array => {
  const key = kid ? findSigningKey('access-token', kid) : null
  if (!key) throw unauthenticated()
  return key.secret
}

/**
 * Reads a token of ours, whomever it is for.
 * @throws AppError unauthenticated when it is none
 */
export const readCredential = async (token: string): Promise<Credential> => {
  const digest = hash('sha256', token, 'base64')
  const known = remembered(digest)
  if (known) return { payload: known, expired: false }
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyOf(kid), {
      algorithms: ['HS256'],
      audience: audiences,
      currentDate: clock.now(),
    })
    if (proven.size >= provenMost) proven.clear()
    proven.set(digest, { payload, keyId: protectedHeader.kid ?? '' })
    return { payload, expired: false }
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) return { payload: error.payload, expired: true }
    throw unauthenticated()
  }
}

/**
 * What a token of ours says to one audience.
 * @throws AppError unauthenticated, or token_expired when only its time is over
 */
export const assertFor = ({ payload, expired }: Credential, audience: Audience): JWTPayload => {
  if (payload.aud !== audience) throw unauthenticated()
  if (expired) throw new AppError('token_expired', 'Your session needs a moment to renew. Please try again.')
  return payload
}

const claimsOf = (credential: Credential): Claims => {
  const payload = assertFor(credential, 'swath')
  try {
    return {
      businessId: asBusinessId(String(payload.bid)),
      userId: String(payload.sub),
      sessionId: String(payload.sid),
      tokenVersion: Number(payload.ver),
    }
  } catch {
    throw unauthenticated()
  }
}

/** Whether somebody of the office still has to set up the second step that the business asks for. */
export const mustSetUpTwoFactor = (person: {
  role: Role
  requireTwoFactor: boolean
  twoFactorSince: string | null
}): boolean => person.requireTwoFactor && person.role !== 'Employee' && person.twoFactorSince === null

/** The bearer token of a request. @throws AppError unauthenticated */
export const bearerOf = (request: FastifyRequest): string => {
  const match = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')
  if (!match?.[1]) throw unauthenticated()
  return match[1]
}

const clientKindOf = (request: FastifyRequest): SessionKind | null => {
  const header = request.headers['x-client-app']
  return header === 'admin' || header === 'employee' ? header : null
}

/** What the guard needs to know of who asks. */
export type SessionRow = {
  name: string
  role: string
  permissions: string[]
  status: string
  tokenVersion: number
  archivedAt: string | null
  timeZone: string
  planTier: string | null
  subscriptionStatus: string
  pastDueSince: string | null
  requireTwoFactor: boolean
  revokedAt: string | null
  twoFactorSince: string | null
}

let sessionOf: (claims: Claims) => Promise<SessionRow | undefined> = async () => undefined

/** Says how a session is read; set once at start from the feature that opens sessions. */
export const setSessionReader = (source: typeof sessionOf): void => {
  sessionOf = source
}

/** Somebody as they act: what the person and the business hold now. */
export const actorFrom = (
  ids: Pick<Actor, 'businessId' | 'userId' | 'sessionId'>,
  row: Omit<SessionRow, 'status' | 'tokenVersion' | 'archivedAt' | 'revokedAt'>,
): Actor => {
  const role = row.role as Role
  return {
    kind: 'user',
    ...ids,
    sessionKind: sessionKindOf(role),
    role,
    permissions: row.permissions as Permission[],
    name: row.name,
    timeZone: row.timeZone,
    subscriptionActive: isSubscriptionActive(row, clock.nowMs()),
    mustSetUpTwoFactor: mustSetUpTwoFactor({ ...row, role }),
  }
}

/**
 * The signed-in person of a request. The person, the session and the business are read each time, so disabling somebody, signing
 * out everywhere or changing a role works at once.
 * @throws AppError 401 when there is no valid session, 403 when X-Client-App names the other kind of session
 */
export const actorOf = async (request: FastifyRequest, credential: Credential): Promise<Actor> => {
  const claims = claimsOf(credential)
  const row = await sessionOf(claims)
  if (row?.status !== 'active' || row.archivedAt || row.revokedAt || row.tokenVersion !== claims.tokenVersion) {
    throw new AppError(
      'session_ended',
      'Your session has ended. Please sign in again; what you typed stays on this screen.',
    )
  }
  const role = row.role as Role
  const kind = clientKindOf(request)
  if (kind && kind !== sessionKindOf(role))
    throw new AppError('forbidden', 'This sign-in belongs to the other app. Please sign in here as well.')
  const { businessId, userId, sessionId } = claims
  return actorFrom({ businessId, userId, sessionId }, row)
}

/** The product owner's session lasts a working day. */
export const ownerTokenSeconds = 8 * 3600

/** Ends every session when the password changes: a token names the hash that it was given for. */
const ownerFingerprint = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('base64url').slice(0, 22)

/** A bearer token for the product owner, good for 8 hours and for the password it was given for. */
export const signOwnerToken = async (owner: { name: string; passwordHash: string }): Promise<string> => {
  const key = signingKey('access-token')
  const now = Math.floor(clock.nowMs() / 1000)
  return new SignJWT({ fp: ownerFingerprint(owner.passwordHash) })
    .setProtectedHeader({ alg: 'HS256', kid: key.id })
    .setSubject(owner.name)
    .setAudience('swath-owner')
    .setIssuedAt(now)
    .setExpirationTime(now + ownerTokenSeconds)
    .sign(key.secret)
}

let ownerOf: () => Promise<{ name: string; passwordHash: string } | null> = async () => null

/** Says who the product owner is; set once by the feature that signs them in. */
export const setOwnerAccount = (source: typeof ownerOf): void => {
  ownerOf = source
}

/**
 * The product owner: a token of their own, which no person of a business has.
 * @throws AppError 401
 */
export const productOwnerOf = async (credential: Credential): Promise<ProductOwner> => {
  const payload = assertFor(credential, 'swath-owner')
  const owner = await ownerOf()
  if (!owner || payload.sub !== owner.name || payload.fp !== ownerFingerprint(owner.passwordHash))
    throw unauthenticated()
  return { kind: 'productOwner', name: owner.name }
}
