import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../shared/endpoint.ts'
import { AppError } from '../../shared/errors.ts'
import { type Actor, hasPermission, type ProductOwner } from '../actor.ts'
import { config } from '../config.ts'
import { actorOf, productOwnerOf } from './session.ts'
import { admitSupport, findSupport } from './support.ts'

const forbidden = () =>
  new AppError('forbidden', 'Your role does not include this. Ask the owner of your business if you need it.')

/** A cookie-only call must come from our own pages: browsers send Origin on every POST. */
const fromOurPages = (request: FastifyRequest): boolean => {
  const { origin, host } = request.headers
  if (!origin) return false
  if (origin === config.publicUrl) return true
  return !config.production && URL.canParse(origin) && new URL(origin).host === host
}

/**
 * Lets a request through to the handler, or not: the one guard, driven by the contract.
 * @returns who asks, or undefined where the contract asks for nobody
 * @throws AppError unauthenticated (401), forbidden (403) or subscription_required (402)
 */
export const authorize = async (
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Actor | ProductOwner | undefined> => {
  if (endpoint.access === 'public' || endpoint.access === 'webhook') return undefined
  if (endpoint.access === 'refresh') {
    if (!fromOurPages(request)) throw new AppError('forbidden', 'This request did not come from a Swath page.')
    return undefined
  }
  if (endpoint.access === 'productOwner') return productOwnerOf(request)
  const support = await findSupport(request, endpoint)
  if (support) return admitSupport(support, endpoint)
  const actor = await actorOf(request)
  if (actor.mustSetUpTwoFactor && !endpoint.beforeSecondFactor)
    throw new AppError(
      'two_factor_setup_required',
      'Your business asks for a second step when you sign in. Set it up first; everything else is as you left it.',
    )
  if (endpoint.access === 'owner' && actor.role !== 'Owner') throw forbidden()
  if (endpoint.access === 'office' && actor.role === 'Employee') throw forbidden()
  if (endpoint.permission && !hasPermission(actor, endpoint.permission)) throw forbidden()
  if (endpoint.needsSubscription && !actor.subscriptionActive) {
    throw new AppError(
      'subscription_required',
      'Active subscription required to access this feature. What you have is safe: you can read and export it at any time.',
    )
  }
  return actor
}
