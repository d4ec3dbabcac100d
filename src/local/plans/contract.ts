import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

/** The local payment provider's pages for plans. */

const Cents = z.number().int()
const Page = z.object({ sessionId: z.string().max(100) })
const period = z.enum(['month', 'year'])

/** What the test clock of the local provider can do. */
export const clockSteps = ['renew', 'failPayment', 'endTrial', 'trialSoon', 'retry', 'giveUp'] as const
export type ClockStep = (typeof clockSteps)[number]

export const LocalPlanCheckout = z.object({
  status: z.enum(['open', 'complete', 'expired']),
  businessName: z.string(),
  email: z.string().nullable(),
  planName: z.string(),
  period,
  priceCents: Cents,
  coupon: z.object({ code: z.string(), percentOff: z.number().int() }).nullable(),
  discountCents: Cents,
  taxCents: Cents,
  /** The first invoice, now or when the trial ends. */
  firstCents: Cents,
  dueNowCents: Cents,
  trialEndsAt: z.string().nullable(),
  renewsAt: z.string(),
  successPath: z.string(),
  cancelPath: z.string(),
})
export type LocalPlanCheckout = z.output<typeof LocalPlanCheckout>

export const LocalPortal = z.object({
  businessName: z.string(),
  returnPath: z.string(),
  card: z.object({ brand: z.string(), last4: z.string(), declines: z.boolean() }).nullable(),
  creditCents: Cents,
  subscription: z
    .object({
      planName: z.string(),
      period,
      priceCents: Cents,
      status: z.string(),
      trialEndsAt: z.string().nullable(),
      periodEndsAt: z.string().nullable(),
      cancelAt: z.string().nullable(),
      priceId: z.string(),
    })
    .nullable(),
  prices: z.array(z.object({ id: z.string(), planName: z.string(), period, cents: Cents })),
  invoices: z.array(
    z.object({
      id: z.string(),
      number: z.string(),
      description: z.string(),
      status: z.string(),
      totalCents: Cents,
      issuedAt: z.string(),
    }),
  ),
})
export type LocalPortal = z.output<typeof LocalPortal>

const CardNumber = z.string().max(30)

export const localPlansApi = {
  checkout: endpoint({
    method: 'GET',
    path: '/api/local/plan-checkout/:sessionId',
    access: 'public',
    params: Page,
    response: LocalPlanCheckout,
    summary: 'The local test checkout of a plan',
  }),
  coupon: endpoint({
    method: 'POST',
    path: '/api/local/plan-checkout/:sessionId/coupon',
    access: 'public',
    params: Page,
    body: z.object({ code: z.string().trim().max(40).nullable() }),
    response: LocalPlanCheckout,
    summary: 'Lays a code on an open page, or takes it off',
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/local/plan-checkout/:sessionId/pay',
    access: 'public',
    params: Page,
    body: z.object({ cardNumber: CardNumber, confirmed: z.boolean().default(false) }),
    response: z.object({
      result: z.enum(['paid', 'declined', 'confirm']),
      message: z.string(),
      returnPath: z.string(),
    }),
    summary: 'Pays with a test card; one of them asks to be confirmed first',
  }),
  portal: endpoint({
    method: 'GET',
    path: '/api/local/portal/:sessionId',
    access: 'public',
    params: Page,
    response: LocalPortal,
    summary: 'The local test portal',
  }),
  act: endpoint({
    method: 'POST',
    path: '/api/local/portal/:sessionId',
    access: 'public',
    params: Page,
    body: z.discriminatedUnion('action', [
      z.object({ action: z.literal('card'), cardNumber: CardNumber }),
      z.object({ action: z.literal('cancel') }),
      z.object({ action: z.literal('resume') }),
      z.object({ action: z.literal('change'), priceId: z.string().max(120) }),
      // The test clock: what would take weeks happens now.
      z.object({ action: z.enum(clockSteps) }),
    ]),
    response: LocalPortal,
    summary: 'Card, plan, cancellation and the test clock',
  }),
}
