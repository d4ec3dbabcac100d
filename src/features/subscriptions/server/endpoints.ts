import type { FastifyRequest } from 'fastify'
import { config } from '../../../platform/config.ts'
import { asBusinessId, type BusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { actorOf, productOwnerOf } from '../../../platform/http/session.ts'
import { inThread } from '../../../platform/threads.ts'
import { AppError, notFound } from '../../../shared/errors.ts'
import { subscriptionsApi } from '../contract.ts'
import {
  changePlan,
  claimConversion,
  confirmCheckout,
  openPortal,
  previewPlanChange,
  setCancelAtEnd,
  startCheckout,
} from './commands.ts'
import type { drawInvoice } from './pdf.ts'
import {
  findBusinessOfUser,
  getSubscription,
  getSubscriptionInvoice,
  getSubscriptionStatus,
  isOpenedByProductOwnerIn,
  listPlans,
} from './queries.ts'

/**
 * Whose checkout may be opened: the signed-in owner's own, or for the product owner one of a business whose account they made.
 * Anybody else's id is as good as none.
 */
const buyerOf = async (request: FastifyRequest, userId: string): Promise<BusinessId> => {
  if (!/^Bearer ./i.test(request.headers.authorization ?? ''))
    throw new AppError('unauthenticated', 'Please sign in to continue')
  const productOwner = await productOwnerOf(request).catch(() => null)
  if (productOwner) {
    const businessId = await findBusinessOfUser(userId)
    const made = businessId ? await withTenant({ businessId }, isOpenedByProductOwnerIn) : false
    if (!businessId || !made) throw notFound('account')
    return businessId
  }
  const actor = await actorOf(request)
  if (actor.role !== 'Owner')
    throw new AppError(
      'forbidden',
      'Only the owner of the business chooses its plan. Ask them if you need another one.',
    )
  if (actor.userId !== userId) throw notFound('account')
  return asBusinessId(actor.businessId)
}

export const subscriptionsEndpoints = serve(
  'subscriptions',
  subscriptionsApi,
)({
  plans: async () => listPlans(),
  status: ({ actor }) => withTenant(actor, getSubscriptionStatus),
  createCheckout: async ({ body, request }) => {
    const businessId = await buyerOf(request, body.userId)
    await countUse(`checkout:${businessId}`, 30, 600)
    return startCheckout(businessId, body)
  },
  confirm: async ({ params, request }) => {
    await countUse(`confirm:${request.ip}`, 240, 600)
    return confirmCheckout(params.sessionId)
  },
  get: ({ actor }) => withTenant(actor, getSubscription),
  previewChange: ({ actor, query }) => previewPlanChange(actor, query.priceId),
  change: ({ actor, body, once, again }) => changePlan(actor, body.priceId, { once, again }),
  cancel: ({ actor }) => setCancelAtEnd(actor, true),
  resume: ({ actor }) => setCancelAtEnd(actor, false),
  portal: ({ actor }) => openPortal(actor),
  invoicePdf: async ({ actor, params, reply }) => {
    const invoice = await withTenant(actor, (db) => getSubscriptionInvoice(db, params.id))
    reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="swath-${invoice.number || 'invoice'}.pdf"`)
      .serializer((bytes: unknown) => bytes as string)
    return Buffer.from(
      await inThread<typeof drawInvoice>(new URL('./pdf.ts', import.meta.url), 'drawInvoice', {
        invoice,
        timeZone: actor.timeZone,
        support: { email: config.supportEmail, phone: config.supportPhone },
      }),
    )
  },
  conversion: ({ actor }) => claimConversion(actor),
})
