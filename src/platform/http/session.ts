import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { AppError } from '../../shared/errors.ts'
import { type Permission, type Role, type SessionKind, sessionKindOf } from '../../shared/roles.ts'
import { isSubscriptionActive } from '../../shared/subscription.ts'
import type { Actor, ProductOwner } from '../actor.ts'
import { clock } from '../clock.ts'
import { asBusinessId, type BusinessId, withTenant } from '../db/tenant.ts'
import { findSigningKey, signingKey } from '../keys.ts'

/** Access tokens live 15 minutes; what was revoked meanwhile is refused at the next request, because the person is read again. */
export const accessTokenSeconds = 15 * 60

type Claims = { businessId: BusinessId; userId: string; sessionId: string; tokenVersion: number }

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

export const unauthenticated = () => new AppError('unauthenticated', 'Please sign in to continue.')

/**
 * What a token of ours says.
 * @throws AppError unauthenticated, or token_expired when only its time is over
 */
export const verified = async (
  token: string,
  audience: 'swath' | 'swath-owner' | 'swath-support',
): Promise<JWTPayload> => {
  try {
    const { payload } = await jwtVerify(
      token,
      (header) => {
        const key = header.kid ? findSigningKey('access-token', header.kid) : null
        if (!key) throw unauthenticated()
        return key.secret
      },
      { algorithms: ['HS256'], audience, currentDate: clock.now() },
    )
    return payload
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired)
      throw new AppError('token_expired', 'Your session needs a moment to renew. Please try again.')
    throw unauthenticated()
  }
}

const readToken = async (token: string): Promise<Claims> => {
  const payload = await verified(token, 'swath')
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

/** How exactly it is known when a session was last used; noting every request would write at every read. */
const useNotedMs = 5 * 60_000

/**
 * The signed-in person of a request. The person, the session and the business are read each time, so disabling somebody, signing
 * out everywhere or changing a role works at once.
 * @throws AppError 401 when there is no valid session, 403 when X-Client-App names the other kind of session
 */
export const actorOf = async (request: FastifyRequest): Promise<Actor> => {
  const claims = await readToken(bearerOf(request))
  const row = await withTenant(claims, async (db) => {
    const found = await db
      .selectFrom('users')
      .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
      .innerJoin('sessions', (join) =>
        join.onRef('sessions.businessId', '=', 'users.businessId').onRef('sessions.userId', '=', 'users.id'),
      )
      .leftJoin('twoFactors', (join) =>
        join.onRef('twoFactors.businessId', '=', 'users.businessId').onRef('twoFactors.userId', '=', 'users.id'),
      )
      .where('users.businessId', '=', claims.businessId)
      .where('users.id', '=', claims.userId)
      .where('sessions.id', '=', claims.sessionId)
      .select([
        'users.name',
        'users.role',
        'users.permissions',
        'users.status',
        'users.tokenVersion',
        'users.archivedAt',
        'businesses.timeZone',
        'businesses.planTier',
        'businesses.subscriptionStatus',
        'businesses.pastDueSince',
        'sessions.revokedAt',
        'sessions.lastUsedAt',
        'businesses.requireTwoFactor',
        'twoFactors.confirmedAt as twoFactorSince',
      ])
      .executeTakeFirst()
    if (found && !found.revokedAt && clock.nowMs() - Date.parse(found.lastUsedAt) > useNotedMs)
      await db
        .updateTable('sessions')
        .set({ lastUsedAt: clock.iso() })
        .where('businessId', '=', claims.businessId)
        .where('id', '=', claims.sessionId)
        .execute()
    return found
  })
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
  return {
    kind: 'user',
    businessId: claims.businessId,
    userId: claims.userId,
    sessionId: claims.sessionId,
    sessionKind: sessionKindOf(role),
    role,
    permissions: row.permissions as Permission[],
    name: row.name,
    timeZone: row.timeZone,
    subscriptionActive: isSubscriptionActive(row, clock.nowMs()),
    mustSetUpTwoFactor: mustSetUpTwoFactor({ ...row, role }),
  }
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
 * The product owner of a request: a token of their own, which no person of a business has.
 * @throws AppError 401
 */
export const productOwnerOf = async (request: FastifyRequest): Promise<ProductOwner> => {
  const payload = await verified(bearerOf(request), 'swath-owner')
  const owner = await ownerOf()
  if (!owner || payload.sub !== owner.name || payload.fp !== ownerFingerprint(owner.passwordHash))
    throw unauthenticated()
  return { kind: 'productOwner', name: owner.name }
}
