import type { FastifyRequest } from 'fastify'
import { admits } from '../../shared/can.ts'
import { callersOf, type Endpoint } from '../../shared/endpoint.ts'
import { AppError } from '../../shared/errors.ts'
import type { Actor, ProductOwner } from '../actor.ts'
import { config } from '../config.ts'
import { actorOf, bearerOf, productOwnerOf, readCredential, unauthenticated } from './session.ts'
import { admitSupport, supportOf } from './support.ts'
import { admitTour, onlyOnTour, refuseChangeOnTour, tourOf } from './tour.ts'

const forbidden = () =>
  new AppError('forbidden', 'Your role does not include this. Ask the owner of your business if you need it.', {
    details: { because: 'role' },
  })

/** A cookie-only call must come from our own pages: browsers send Origin on every POST. */
const fromOurPages = (request: FastifyRequest): boolean => {
  const { origin, host } = request.headers
  if (!origin) return false
  if (origin === config.publicUrl) return true
  return !config.production && URL.canParse(origin) && new URL(origin).host === host
}

const notOurPage = () => new AppError('forbidden', 'This request did not come from a Swath page.')

/** A page of somebody else may sign nobody in here, neither out of nor into an account. Who is no browser sends no Origin. */
const comesFromElsewhere = (endpoint: Endpoint, request: FastifyRequest): boolean =>
  endpoint.method !== 'GET' &&
  endpoint.path.startsWith('/api/auth/') &&
  request.headers.origin !== undefined &&
  !fromOurPages(request)

const admitPerson = (actor: Actor, endpoint: Endpoint): Actor => {
  if (actor.mustSetUpTwoFactor && !endpoint.beforeSecondFactor)
    throw new AppError(
      'two_factor_setup_required',
      'Your business asks for a second step when you sign in. Set it up first; everything else is as you left it.',
    )
  if (!admits(actor, endpoint)) throw forbidden()
  if (endpoint.needsSubscription && !actor.subscriptionActive) {
    throw new AppError(
      'subscription_required',
      'Active subscription required to access this feature. What you have is safe: you can read and export it at any time.',
    )
  }
  return actor
}

/**
 * Lets a request through to the handler, or not: the one guard, driven by the contract. The token says which kind of caller asks; an endpoint
 * for several kinds takes each by its own rules.
 * @returns who asks, or undefined where the contract asks for nobody
 * @throws AppError unauthenticated (401), forbidden (403) or subscription_required (402)
 */
export const authorize = async (
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Actor | ProductOwner | undefined> => {
  const callers = callersOf(endpoint)
  await refuseChangeOnTour(endpoint, request)
  if (callers.includes('public') || callers.includes('webhook')) {
    if (comesFromElsewhere(endpoint, request)) throw notOurPage()
    return undefined
  }
  if (callers.includes('refresh')) {
    if (!fromOurPages(request)) throw notOurPage()
    return undefined
  }
  const credential = await readCredential(bearerOf(request))
  const { aud } = credential.payload
  if (callers.includes('productOwner') && (aud === 'swath-owner' || callers.length === 1))
    return productOwnerOf(credential)
  if (aud === 'swath-support') return admitSupport(await supportOf(credential), endpoint)
  if (aud === 'swath-tour') return admitTour(await tourOf(credential, request), endpoint)
  if (callers.length === 1 && callers[0] === 'support') throw unauthenticated()
  onlyOnTour(endpoint)
  return admitPerson(await actorOf(request, credential), endpoint)
}
