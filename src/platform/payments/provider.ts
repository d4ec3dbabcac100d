export type BillingPeriod = 'month' | 'year'

/** A price as we sell it; the provider's own id for it is the provider's business. */
export type PlanPrice = { plan: string; planName: string; period: BillingPeriod; cents: number }

export type ProviderStatus = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'cancelled'

/** Instants are ISO UTC strings, amounts integer cents, as everywhere. */
export type ProviderSubscription = {
  id: string
  /** Our own mark on it; a subscription of another business is never taken over. */
  businessId: string | null
  /** Null when its price is none of ours. */
  plan: string | null
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

export type CheckoutWish = {
  customerId: string
  businessId: string
  price: PlanPrice
  trialDays: number
  coupon: { code: string; percentOff: number } | null
  successPath: string
  cancelPath: string
  /** The same key opens the same page. */
  requestKey: string
}

export type PlanCheckout = {
  id: string
  url: string
  status: 'open' | 'complete' | 'expired'
  customerId: string | null
  subscriptionId: string | null
}

/** What a change of plan costs before it is made: `dueNowCents` is charged at once, `creditCents` lowers the next invoice. */
export type ChangePreview = { dueNowCents: number; creditCents: number }

export type BillingProvider = {
  name: 'local' | 'stripe'
  livemode: boolean
  /** Why nothing can be bought right now, in a sentence for the person; null when all is well. */
  problem: (prices: readonly PlanPrice[]) => Promise<string | null>
  /** The provider's id of a price that is sold now. */
  priceId: (plan: string, period: BillingPeriod) => string | null
  ensureCustomer: (
    who: { businessId: string; name: string; email: string | null },
    requestKey: string,
  ) => Promise<string>
  openCheckout: (wish: CheckoutWish) => Promise<PlanCheckout>
  findCheckout: (id: string) => Promise<PlanCheckout | null>
  expireCheckout: (id: string) => Promise<void>
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
