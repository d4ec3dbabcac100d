import type { FastifyRequest } from 'fastify'
import { SignJWT } from 'jose'
import { admits } from '../../shared/can.ts'
import { callersOf, type Endpoint } from '../../shared/endpoint.ts'
import { AppError } from '../../shared/errors.ts'
import { permissionPresets } from '../../shared/roles.ts'
import { tourHours, tourMessage } from '../../shared/tour.ts'
import type { Actor } from '../actor.ts'
import { clock } from '../clock.ts'
import { config } from '../config.ts'
import { asBusinessId, type BusinessId } from '../db/tenant.ts'
import { newId } from '../ids.ts'
import { signingKey } from '../keys.ts'
import { networkOf } from './network.ts'
import { assertFor, bearerOf, type Credential, readCredential, unauthenticated } from './session.ts'

const audience = 'swath-tour'

/** Whether this server shows a demo business to visitors at all: on one's own computer always, in production where it is asked for. */
export const mayTour = (): boolean => !config.production || config.tour

/**
 * A bearer token for one tour of the demo business. It stands for nobody and nothing is written down of it.
 * @param crewUserId whose phone the tour shows; null where the demo has no crew
 */
export const signTourToken = async (
  businessId: BusinessId,
  crewUserId: string | null,
): Promise<{ token: string; until: string }> => {
  const key = signingKey('access-token')
  const now = Math.floor(clock.nowMs() / 1000)
  const ends = now + tourHours * 3600
  const token = await new SignJWT({ bid: businessId, ...(crewUserId ? { crew: crewUserId } : {}) })
    .setProtectedHeader({ alg: 'HS256', kid: key.id })
    .setSubject(newId())
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(ends)
    .sign(key.secret)
  return { token, until: new Date(ends * 1000).toISOString() }
}

/** What the guard needs to know of the demo business and of whose phone is shown. */
export type TourRow = {
  name: string
  timeZone: string
  demo: boolean
  closedAt: string | null
  crewName: string | null
}

let findTour: (businessId: BusinessId, crewUserId: string | null) => Promise<TourRow | undefined> = async () =>
  undefined

/** Says how the business of a tour is read; set once at start from the feature that gives tours. */
export const setTourReader = (source: typeof findTour): void => {
  findTour = source
}

const over = () => new AppError('session_ended', tourMessage.over)

const windowMs = 60_000
const mostPerWindow = 1500
const looks = { since: 0, of: new Map<string, number>() }

/** A visitor has no account that could be stopped, so a network has its limit; a row of the database for each look would be the greater load. */
const countLook = (network: string): void => {
  // also when the clock was set back
  if (Math.abs(clock.nowMs() - looks.since) >= windowMs) {
    looks.since = clock.nowMs()
    looks.of.clear()
  }
  const count = (looks.of.get(network) ?? 0) + 1
  looks.of.set(network, count)
  if (count > mostPerWindow)
    throw new AppError('too_many_requests', 'That was a lot at once. Please go on with the tour in a minute.', {
      details: { retryAfterSeconds: Math.ceil((looks.since + windowMs - clock.nowMs()) / 1000) },
    })
}

/**
 * A visitor in the demo business: in the crew app as one of its crew, else in the office. The business is read each time, so a tour that is
 * closed is over at the next request.
 * @throws AppError 401 when the tour is over, 429 when one network asks too much
 */
export const tourOf = async (credential: Credential, request: FastifyRequest): Promise<Actor> => {
  if (credential.expired && credential.payload.aud === audience) throw over()
  const { bid, sub, crew, exp } = assertFor(credential, audience)
  if (!mayTour()) throw over()
  countLook(networkOf(request.ip))
  const businessId = asBusinessId(String(bid))
  const crewUserId = typeof crew === 'string' ? crew : null
  const row = await findTour(businessId, crewUserId)
  if (!row?.demo || row.closedAt) throw over()
  const onPhone = request.headers['x-client-app'] === 'employee'
  if (onPhone && (crewUserId === null || row.crewName === null)) throw over()
  const tourId = String(sub)
  return {
    kind: 'user',
    businessId,
    readOnly: true,
    sessionId: tourId,
    ...(onPhone
      ? {
          userId: crewUserId ?? '',
          sessionKind: 'employee',
          role: 'Employee',
          permissions: [],
          name: row.crewName ?? '',
        }
      : {
          userId: tourId,
          sessionKind: 'admin',
          role: 'Admin',
          permissions: permissionPresets.admin,
          name: 'Tour visitor',
        }),
    timeZone: row.timeZone,
    subscriptionActive: true,
    mustSetUpTwoFactor: false,
    tour: { businessName: row.name, until: new Date(Number(exp) * 1000).toISOString() },
  }
}

/**
 * Lets a visitor through to what is on the tour. Everything else is refused: every method that is not GET, every path that is not listed.
 * @throws AppError forbidden
 */
export const admitTour = (actor: Actor, endpoint: Endpoint): Actor => {
  if (callersOf(endpoint).includes('tour')) return actor
  if (!admits(actor, endpoint)) throw new AppError('forbidden', tourMessage.closed)
  return actor
}

/**
 * A tour changes nothing, also not where nobody has to be signed in: an invoice is not paid from it.
 * @throws AppError forbidden
 */
export const refuseChangeOnTour = async (endpoint: Endpoint, request: FastifyRequest): Promise<void> => {
  if (endpoint.method === 'GET' || !request.headers.authorization) return
  // What is no bearer token, as a proxy's Basic, is somebody else's to read.
  const isTour = await Promise.resolve()
    .then(() => readCredential(bearerOf(request)))
    .then(
      ({ payload }) => payload.aud === audience,
      () => false,
    )
  if (isTour) throw new AppError('forbidden', tourMessage.readOnly)
}

/** @throws AppError unauthenticated for whoever asks what only a tour may */
export const onlyOnTour = (endpoint: Endpoint): void => {
  if (callersOf(endpoint).includes('tour')) throw unauthenticated()
}

const fileOrToken = /(\/api\/f\/[\w-]+\/[\w-]+\/\d+\/[\w-]+)|(\/|token=)[\w-]{43}(?![\w-])/g

/** An answer, as it is sent, without tokens of links, which could pay an invoice or open an account. Invented photos stay: a signed picture only shows itself. */
export const withoutTokens = (json: string): string =>
  json.replace(fileOrToken, (_, file?: string, before?: string) => file ?? `${before}hidden`)
