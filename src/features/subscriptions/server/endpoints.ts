import type { Actor, ProductOwner } from '../../../platform/actor.ts'
import { config } from '../../../platform/config.ts'
import { type BusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { inThread } from '../../../platform/threads.ts'
import { notFound } from '../../../shared/errors.ts'
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
  isOpenedByProductOwnerTx,
  listPlans,
} from './queries.ts'

/**
 * Whose checkout may be opened: the signed-in owner's own, or for the product owner one of a business whose account they made.
 * Anybody else's id is as good as none.
 */
const buyerOf = async (caller: Actor | ProductOwner, userId: string): Promise<BusinessId> => {
  if (caller.kind === 'user') {
    if (caller.userId !== userId) throw notFound('account')
    return caller.businessId
  }
  const businessId = await findBusinessOfUser(userId)
  const made = businessId ? await withTenant({ businessId }, isOpenedByProductOwnerTx) : false
  if (!businessId || !made) throw notFound('account')
  return businessId
}

export const subscriptionsEndpoints = serve(
  'subscriptions',
  subscriptionsApi,
)({
  plans: async () => listPlans(),
  status: ({ actor }) => withTenant(actor, getSubscriptionStatus),
  createCheckout: async ({ actor, body }) => {
    const businessId = await buyerOf(actor, body.userId)
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
