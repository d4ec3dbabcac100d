import { SignJWT } from 'jose'
import { admits } from '../../shared/can.ts'
import { callersOf, type Endpoint } from '../../shared/endpoint.ts'
import { AppError } from '../../shared/errors.ts'
import { isSubscriptionActive } from '../../shared/subscription.ts'
import { supportAreaOf, supportMessage, supportPermissions } from '../../shared/support.ts'
import type { Actor } from '../actor.ts'
import { clock } from '../clock.ts'
import { asBusinessId, type BusinessId } from '../db/tenant.ts'
import { signingKey } from '../keys.ts'
import { assertFor, type Credential, unauthenticated } from './session.ts'

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

const over = (message: string) => new AppError('session_ended', message)

const readVisit = (credential: Credential): { businessId: BusinessId; visitId: string } => {
  if (credential.expired) throw over(supportMessage.over)
  const payload = assertFor(credential, audience)
  try {
    return { businessId: asBusinessId(String(payload.bid)), visitId: String(payload.sub) }
  } catch {
    throw unauthenticated()
  }
}

/** What the guard needs to know of a visit of support. */
export type SupportRow = {
  grantId: string
  expiresAt: string
  endedAt: string | null
  grantEndedAt: string | null
  grantExpiresAt: string
  grantedByRole: string
  name: string
  timeZone: string
  closedAt: string | null
  planTier: string | null
  subscriptionStatus: string
  pastDueSince: string | null
}

/** How visits of support are read, and what they look at written down. */
export type SupportBook = {
  findVisit: (businessId: BusinessId, visitId: string) => Promise<SupportRow | undefined>
  logAccess: (businessId: BusinessId, visitId: string, area: string) => Promise<void>
}

let book: SupportBook = { findVisit: async () => undefined, logAccess: async () => undefined }

/** Set once at start from the feature that lets support in. */
export const setSupportBook = (source: SupportBook): void => {
  book = source
}

/**
 * Support in a business that let it in. Grant, visit and business are read each time, so what the Owner ends is over at the next request.
 * @throws AppError 401, with the reason when the visit is over
 */
export const supportOf = async (credential: Credential): Promise<Actor> => {
  const { businessId, visitId } = readVisit(credential)
  const row = await book.findVisit(businessId, visitId)
  if (!row) throw unauthenticated()
  const isPast = (instant: string) => Date.parse(instant) <= clock.nowMs()
  if (row.closedAt) throw over(supportMessage.businessClosed)
  // Who is not the Owner any more lets nobody in.
  if (row.grantedByRole !== 'Owner') throw over(supportMessage.ended)
  if (row.grantEndedAt && Date.parse(row.grantEndedAt) < Date.parse(row.grantExpiresAt))
    throw over(supportMessage.ended)
  if (row.grantEndedAt || isPast(row.grantExpiresAt) || isPast(row.expiresAt)) throw over(supportMessage.over)
  if (row.endedAt) throw over(supportMessage.left)
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

/**
 * Lets support through to what it may read and writes down that it looked. Everything else is refused: every method that is not GET,
 * every endpoint without an area, what needs a permission that support does not have.
 * @throws AppError forbidden
 */
export const admitSupport = async (actor: Actor, endpoint: Endpoint): Promise<Actor> => {
  const callers = callersOf(endpoint)
  if (callers.includes('support')) return actor
  if (endpoint.method !== 'GET') throw new AppError('forbidden', supportMessage.readOnly)
  const area = supportAreaOf(endpoint.path)
  if (area === null || !admits(actor, endpoint)) throw new AppError('forbidden', supportMessage.closed)
  await book.logAccess(actor.businessId, actor.userId, area)
  return actor
}

const signedFile = /\/api\/f\/[\w-]+\/[\w-]+\/\d+\/[\w-]+/g
const linkToken = /(\/|token=)[\w-]{43}(?![\w-])/g
const noPicture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#d9ded8" d="M0 0h4v3H0z"/></svg>')}`

/**
 * An answer, as it is sent, without the links that open something by themselves: they would go on working after the grant. Tokens of invoices and
 * accounts in written messages become `hidden`, pictures and files a gray field.
 */
export const withoutLinks = (json: string): string => json.replace(signedFile, noPicture).replace(linkToken, '$1hidden')
