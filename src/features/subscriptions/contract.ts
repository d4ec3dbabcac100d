import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

const planIds = ['basic', 'pro', 'enterprise'] as const
const Cents = z.number().int()
const Instant = z.string()

export const OfferedPlan = z.object({
  id: z.enum(planIds),
  name: z.string(),
  /** Decimal dollars, as the specification names them. */
  price: z.number(),
  annualPrice: z.number(),
  /** Ids that a checkout takes. */
  priceId: z.string(),
  annualPriceId: z.string(),
  customerLimit: z.number().int().nullable(),
  messageLimit: z.number().int().nullable(),
  features: z.array(z.string()),
  trialDays: z.number().int(),
  recommended: z.boolean(),
})

export const SubscriptionInvoice = z.object({
  id: z.uuid(),
  number: z.string(),
  status: z.enum(['draft', 'open', 'paid', 'void', 'uncollectible']),
  description: z.string(),
  issuedAt: Instant,
  totalCents: Cents,
  discountCents: Cents,
  taxCents: Cents,
  /** The provider's own page, where it has one. */
  hostedUrl: z.string().nullable(),
})
export type SubscriptionInvoice = z.output<typeof SubscriptionInvoice>

export const Subscription = z.object({
  /** Null while nobody can take money for a plan here. */
  provider: z.string().nullable(),
  /** False: no money moves. */
  livemode: z.boolean(),
  status: z.string(),
  active: z.boolean(),
  plan: z.enum(planIds).nullable(),
  period: z.enum(['month', 'year']).nullable(),
  priceCents: Cents.nullable(),
  trialEndsAt: Instant.nullable(),
  renewsAt: Instant.nullable(),
  /** When it ends, once it was canceled. */
  endsAt: Instant.nullable(),
  graceEndsAt: Instant.nullable(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  couponCode: z.string().nullable(),
  /** What is owed after failed payments. */
  openCents: Cents,
  /** Whether a trial is still to be had. */
  trialAvailable: z.boolean(),
  invoices: z.array(SubscriptionInvoice),
})
export type Subscription = z.output<typeof Subscription>

export const Confirmation = z.object({
  /** `waiting`: paid, and the subscription is on its way. */
  state: z.enum(['confirmed', 'waiting', 'open', 'expired']),
  plan: z.enum(planIds).nullable(),
  period: z.enum(['month', 'year']).nullable(),
  trialEndsAt: Instant.nullable(),
  renewsAt: Instant.nullable(),
  livemode: z.boolean(),
})

const owner = { access: 'owner' } as const
const PriceId = z.string().trim().min(1).max(120)

export const subscriptionsApi = {
  plans: endpoint({
    method: 'GET',
    path: '/api/payment/plans',
    access: 'public',
    response: z.object({ plans: z.array(OfferedPlan), livemode: z.boolean() }),
    summary: 'The plans with their prices and limits',
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/payment/subscription-status',
    access: 'member',
    beforeSecondFactor: true,
    response: z.object({
      active: z.boolean(),
      tier: z.enum(planIds).nullable(),
      status: z.string(),
      trialEndsAt: Instant.nullable(),
      graceEndsAt: Instant.nullable(),
      endsAt: Instant.nullable(),
    }),
    summary: 'Whether the business has an active subscription',
  }),
  createCheckout: endpoint({
    method: 'POST',
    path: '/api/payment/create-checkout-session-for-user',
    // The owner for themselves, the product owner for an account they made.
    access: ['owner', 'productOwner'],
    body: z.object({ priceId: PriceId, userId: z.string().max(60), coupon: z.string().trim().max(40).optional() }),
    response: z.object({ sessionId: z.string().nullable(), url: z.string() }),
    summary: 'The hosted checkout for a plan; with a live subscription the way to change it',
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/payment/checkout-sessions/:sessionId/sync',
    access: 'public',
    params: z.object({ sessionId: z.string().min(8).max(200) }),
    response: Confirmation,
    summary: 'Back from the checkout: asks the provider what happened; an address alone gives nothing',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/payment/subscription',
    access: 'office',
    response: Subscription,
    summary: 'The subscription with our invoices',
  }),
  previewChange: endpoint({
    method: 'GET',
    path: '/api/payment/subscription/change',
    ...owner,
    query: z.object({ priceId: PriceId }),
    response: z.object({
      plan: z.enum(planIds),
      period: z.enum(['month', 'year']),
      priceCents: Cents,
      dueNowCents: Cents,
      creditCents: Cents,
      endsTrial: z.boolean(),
      /** What is above the new plan's limits; nothing of it is lost. */
      warnings: z.array(z.string()),
    }),
    summary: 'What a change of plan costs and means, before it is made',
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/payment/subscription/change',
    ...owner,
    idempotent: 'steps',
    body: z.object({ priceId: PriceId }),
    response: Subscription,
    summary: 'Another plan or period',
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/payment/subscription/cancel',
    ...owner,
    response: Subscription,
    summary: 'Ends with the paid period',
  }),
  resume: endpoint({
    method: 'POST',
    path: '/api/payment/subscription/resume',
    ...owner,
    response: Subscription,
    summary: 'Takes a cancellation back',
  }),
  portal: endpoint({
    method: 'POST',
    path: '/api/payment/portal',
    ...owner,
    response: z.object({ url: z.string() }),
    summary: "The provider's page for card and invoices",
  }),
  invoicePdf: endpoint({
    method: 'GET',
    path: '/api/payment/invoices/:id/pdf',
    access: 'office',
    params: z.object({ id: z.uuid() }),
    response: z.any(),
    summary: 'One of our invoices as PDF',
  }),
  conversion: endpoint({
    method: 'POST',
    path: '/api/payment/conversion',
    ...owner,
    response: z.object({ url: z.string().nullable() }),
    summary: 'The address of the conversion tag, once per subscription; nothing when none is set up',
  }),
}
