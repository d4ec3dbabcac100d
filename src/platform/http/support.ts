import type { FastifyRequest } from 'fastify'
import { decodeJwt, SignJWT } from 'jose'
import { sql } from 'kysely'
import type { Endpoint } from '../../shared/endpoint.ts'
import { AppError } from '../../shared/errors.ts'
import { has } from '../../shared/roles.ts'
import { isSubscriptionActive } from '../../shared/subscription.ts'
import { supportAreaOf, supportPermissions, supportWords } from '../../shared/support.ts'
import type { Actor } from '../actor.ts'
import { clock } from '../clock.ts'
import { asBusinessId, type BusinessId, withTenant } from '../db/tenant.ts'
import { signingKey } from '../keys.ts'
import { bearerOf, unauthenticated, verified } from './session.ts'

const audience = 'swath-support'

/** A bearer token for one support visit, good until the visit ends. It is no token of a person or of the product owner. */
export const signSupportToken = async (visit: {
  businessId: BusinessId
  visitId: string
  expiresAt: string
}): Promise<string> => {
  const key = signingKey('access-token')
  return new SignJWT({ bid: visit.businessId })
    .setProtectedHeader({ alg: 'HS256', kid: key.id })
    .setSubject(visit.visitId)
    .setAudience(audience)
    .setIssuedAt(Math.floor(clock.nowMs() / 1000))
    .setExpirationTime(Math.floor(Date.parse(visit.expiresAt) / 1000))
    .sign(key.secret)
}

/** Only which way a token goes; each way then proves it. */
const saysSupport = (request: FastifyRequest): boolean => {
  try {
    return decodeJwt(bearerOf(request)).aud === audience
  } catch {
    return false
  }
}

const over = (message: string) => new AppError('session_ended', message)

const readVisit = async (request: FastifyRequest): Promise<{ businessId: BusinessId; visitId: string }> => {
  try {
    const payload = await verified(bearerOf(request), audience)
    return { businessId: asBusinessId(String(payload.bid)), visitId: String(payload.sub) }
  } catch (error) {
    throw error instanceof AppError && error.code === 'token_expired' ? over(supportWords.over) : unauthenticated()
  }
}

/**
 * Support in a business that let it in, or null when the token is not support's. Grant, visit and business are read each time, so what
 * the Owner ends is over at the next request.
 * @throws AppError 401 with the reason when the visit is over, or when an endpoint for support alone is asked by somebody else
 */
export const findSupport = async (request: FastifyRequest, endpoint: Endpoint): Promise<Actor | null> => {
  if (!saysSupport(request)) {
    if (endpoint.access === 'support') throw unauthenticated()
    return null
  }
  const { businessId, visitId } = await readVisit(request)
  const row = await withTenant({ businessId, readOnly: true }, (db) =>
    db
      .selectFrom('supportVisits')
      .innerJoin('supportGrants', (join) =>
        join
          .onRef('supportGrants.businessId', '=', 'supportVisits.businessId')
          .onRef('supportGrants.id', '=', 'supportVisits.grantId'),
      )
      .innerJoin('users', (join) =>
        join
          .onRef('users.businessId', '=', 'supportGrants.businessId')
          .onRef('users.id', '=', 'supportGrants.grantedBy'),
      )
      .innerJoin('businesses', 'businesses.businessId', 'supportVisits.businessId')
      .where('supportVisits.businessId', '=', businessId)
      .where('supportVisits.id', '=', visitId)
      .select([
        'supportVisits.grantId',
        'supportVisits.expiresAt',
        'supportVisits.endedAt',
        'supportGrants.endedAt as grantEndedAt',
        'supportGrants.expiresAt as grantExpiresAt',
        'users.role as grantedByRole',
        'businesses.name',
        'businesses.timeZone',
        'businesses.closedAt',
        'businesses.planTier',
        'businesses.subscriptionStatus',
        'businesses.pastDueSince',
      ])
      .executeTakeFirst(),
  )
  if (!row) throw unauthenticated()
  const isPast = (instant: string) => Date.parse(instant) <= clock.nowMs()
  if (row.closedAt) throw over(supportWords.businessClosed)
  // Who is not the Owner any more lets nobody in.
  if (row.grantedByRole !== 'Owner') throw over(supportWords.ended)
  if (row.grantEndedAt && Date.parse(row.grantEndedAt) < Date.parse(row.grantExpiresAt)) throw over(supportWords.ended)
  if (row.grantEndedAt || isPast(row.grantExpiresAt) || isPast(row.expiresAt)) throw over(supportWords.over)
  if (row.endedAt) throw over(supportWords.left)
  return {
    kind: 'user',
    businessId,
    readOnly: true,
    userId: visitId,
    sessionId: visitId,
    sessionKind: 'admin',
    role: 'Admin',
    permissions: supportPermissions,
    name: 'Swath support',
    timeZone: row.timeZone,
    subscriptionActive: isSubscriptionActive(row, clock.nowMs()),
    mustSetUpTwoFactor: false,
    support: { visitId, grantId: row.grantId, businessName: row.name, until: row.expiresAt },
  }
}

/** What a screen asks for at once is one look. */
const oneLookMs = 3_000

const noteLook = async (actor: Actor, area: string): Promise<void> => {
  const now = clock.iso()
  await withTenant({ businessId: actor.businessId }, (db) =>
    db
      .insertInto('supportLooks')
      .values({ businessId: db.businessId, visitId: actor.userId, area, firstAt: now, lastAt: now })
      .onConflict((c) =>
        c.columns(['businessId', 'visitId', 'area']).doUpdateSet({
          times: sql<number>`support_looks.times + case when ${now}::timestamptz - support_looks.last_at > make_interval(secs => ${oneLookMs / 1000}) then 1 else 0 end`,
          lastAt: sql<string>`greatest(support_looks.last_at, ${now}::timestamptz)`,
        }),
      )
      .execute(),
  )
}

/**
 * Lets support through to what it may read and writes down that it looked. Everything else is refused: every method that is not GET,
 * every endpoint without an area, what needs a permission that support does not have.
 * @throws AppError forbidden
 */
export const admitSupport = async (actor: Actor, endpoint: Endpoint): Promise<Actor> => {
  if (endpoint.access === 'support') return actor
  if (endpoint.method !== 'GET') throw new AppError('forbidden', supportWords.readOnly)
  const area = supportAreaOf(endpoint.path)
  const isOpen = area !== null && (endpoint.access === 'office' || endpoint.access === 'member')
  if (!isOpen || (endpoint.permission && !has(actor, endpoint.permission)))
    throw new AppError('forbidden', supportWords.closed)
  await noteLook(actor, area)
  return actor
}

const signedFile = /\/api\/f\/[\w-]+\/[\w-]+\/\d+\/[\w-]+/g
const linkToken = /(\/|token=)[\w-]{43}(?![\w-])/g
const noPicture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#d9ded8" d="M0 0h4v3H0z"/></svg>')}`

/**
 * An answer without the links that open something by themselves: they would go on working after the grant. Tokens of invoices and
 * accounts in written messages become `hidden`, pictures and files a grey field.
 */
export const withoutLinks = (answer: unknown): unknown =>
  answer === undefined
    ? undefined
    : JSON.parse(JSON.stringify(answer).replace(signedFile, noPicture).replace(linkToken, '$1hidden'))
