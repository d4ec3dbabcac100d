import type { Subscriptions } from '../db/types.generated.ts'

export type PlanTier = Subscriptions['plan']

export type BillingPeriod = 'month' | 'year'

/** A price as we sell it; the provider's own id for it is the provider's business. */
export type PlanPrice = { plan: PlanTier; planName: string; period: BillingPeriod; cents: number }

export type ProviderStatus = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled'

/** Instants are ISO UTC strings, amounts integer cents, as everywhere. */
export type ProviderSubscription = {
  id: string
  /** Our own mark on it; a subscription of another business is never taken over. */
  businessId: string | null
  /** Null when its price is none of ours. */
  plan: PlanTier | null
  period: BillingPeriod
  priceCents: number
  status: ProviderStatus
  startedAt: string
  trialEndsAt: string | null
  periodEndsAt: string | null
  /** When it ends by itself; null while it renews. */
  cancelAt: string | null
  couponCode: string | null
  card: { brand: string; last4: string } | null
}

export type ProviderInvoice = {
  id: string
  subscriptionId: string | null
  number: string
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  description: string
  subtotalCents: number
  discountCents: number
  taxCents: number
  totalCents: number
  paidCents: number
  attempts: number
  hostedUrl: string | null
  pdfUrl: string | null
  issuedAt: string
  periodStartsAt: string | null
  periodEndsAt: string | null
}

/** Everything the provider knows of a customer, as of one moment: the only truth. */
export type ProviderState = { subscriptions: ProviderSubscription[]; invoices: ProviderInvoice[]; deleted: boolean }

type Page = {
  /** Paths of ours that the payer returns to. */
  successPath: string
  cancelPath: string
  /** The same key opens the same page. */
  requestKey: string
}

/** Money for one thing, paid once. */
type Amount = Page & { amountCents: number; description: string; payeeName: string; email: string | null }

/** Which payment of ours a checkout is for; it travels as the provider's metadata and is the way back. */
export type InvoiceMark = { businessId: string; invoiceId: string; checkoutSessionId: string }
export type FeeMark = { sprintId: string }

/** What a hosted page is opened for. */
export type CheckoutRequest =
  | (Page & {
      purpose: 'subscription'
      customerId: string
      businessId: string
      price: PlanPrice
      trialDays: number
      coupon: { code: string; percentOff: number } | null
    })
  /** A customer of a business pays its invoice, into the business's own account at the provider. */
  | (Amount & { purpose: 'invoice'; mark: InvoiceMark })
  /** A prospect pays a fee to us. */
  | (Amount & { purpose: 'fee'; mark: FeeMark })
export type Purpose = CheckoutRequest['purpose']
export type SubscriptionRequest = Extract<CheckoutRequest, { purpose: 'subscription' }>
export type PaymentRequest = Exclude<CheckoutRequest, SubscriptionRequest>

/** A hosted page as the provider tells of it when asked, which is the only truth. */
export type Checkout = {
  provider: string
  livemode: boolean
  id: string
  url: string
  status: 'open' | 'complete' | 'expired'
  expiresAt: string
  /** Only what is really paid has a payment; complete alone is not yet paid with a slow way to pay. */
  paymentId: string | null
  amountCents: number
  invoice: InvoiceMark | null
  fee: FeeMark | null
  customerId: string | null
  subscriptionId: string | null
}

/** Which refund of ours it is; it travels as the provider's metadata and is the way back. */
export type RefundMark = { businessId: string; refundId: string }
export type RefundRequest = { paymentId: string; amountCents: number; mark: RefundMark; requestKey: string }
export type Refund = { id: string; failed: boolean; mark: RefundMark | null }

/** What a change of plan costs before it is made: `dueNowCents` is charged at once, `creditCents` lowers the next invoice. */
export type ChangePreview = { dueNowCents: number; creditCents: number }

/**
 * Who takes money, for every purpose. `account` is a business's own account at the provider, which its customers pay into; null is ours.
 */
export type PaymentProvider = {
  name: Subscriptions['provider']
  livemode: boolean
  openCheckout: (request: CheckoutRequest, account?: string | null) => Promise<Checkout>
  findCheckout: (id: string, account?: string | null) => Promise<Checkout | null>
  /** Ends an open page so that nobody can pay what no longer holds; one that was paid or ended meanwhile stays as it is. */
  expireCheckout: (id: string, account?: string | null) => Promise<void>
  /** Gives a payment back, in part or whole; the same key gives it back once. @throws PaymentRefused with the reason */
  refund: (request: RefundRequest, account?: string | null) => Promise<Refund>
  /** What became of a refund, which a bank may refuse days later; null when it is none of ours. */
  findRefund: (id: string, account?: string | null) => Promise<Refund | null>
  /** Why nothing can be bought right now, in a sentence for the person; null when all is well. */
  problem: (prices: readonly PlanPrice[]) => Promise<string | null>
  /** The provider's id of a price that is sold now. */
  priceId: (plan: string, period: BillingPeriod) => string | null
  ensureCustomer: (
    who: { businessId: string; name: string; email: string | null },
    requestKey: string,
  ) => Promise<string>
  readCustomer: (customerId: string) => Promise<ProviderState>
  previewChange: (subscriptionId: string, customerId: string, price: PlanPrice) => Promise<ChangePreview>
  /** @throws PaymentRefused when the card is declined; then nothing changed */
  changePlan: (subscriptionId: string, customerId: string, price: PlanPrice, requestKey: string) => Promise<void>
  setCancelAtEnd: (subscriptionId: string, customerId: string, cancel: boolean) => Promise<void>
  cancelNow: (subscriptionId: string, customerId: string) => Promise<void>
  /** Asks the card on file for an open invoice once more. @throws PaymentRefused */
  payInvoice: (invoiceId: string, customerId: string, requestKey: string) => Promise<void>
  openPortal: (customerId: string, returnPath: string) => Promise<string>
  /** Time goes on at the provider; a real one needs nobody for that. */
  tick: () => Promise<void>
}

/** The provider's no to a payment, with its words for the person. Nothing was charged. */
export class PaymentRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PaymentRefused'
  }
}
