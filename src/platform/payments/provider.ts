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
  /** What the payer reads; where nobody says, what their browser asks for. */
  language?: 'en' | 'es'
  /** The same key opens the same page. */
  requestKey: string
}

/** Money for one thing, paid once. */
type Amount = Page & { amountCents: number; description: string; payeeName: string; email: string | null }

/** Which payment of ours a checkout is for; it travels as the provider's metadata and is the way back. */
export type InvoiceMark = { businessId: string; invoiceId: string; checkoutSessionId: string }
export type FeeMark = { sprintId: string }
/** Which request for a card of ours it is. */
export type CardMark = { businessId: string; cardRequestId: string }
/** Which deposit of a quote it is. */
export type DepositMark = { businessId: string; quoteDepositId: string }

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
  | (Amount & {
      purpose: 'invoice'
      mark: InvoiceMark
      /** ISO instant at which the page closes: until then no card on file is charged for it. From half an hour to a day ahead. */
      closesAt: string
      savesCard: boolean
      takesBank: boolean
      /** Nothing but a bank account pays it. */
      bankOnly?: boolean
      /** What of the amount is for the crew: it stands on the page by itself. */
      tipCents: number
    })
  /** A customer leaves a card or a bank account with a business; nothing is paid. */
  | (Page & { purpose: 'card'; mark: CardMark; payeeName: string; takesBank: boolean })
  /** A customer pays the deposit of a quote, into the business's own account. */
  | (Amount & { purpose: 'deposit'; mark: DepositMark })
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
  /** When its card was charged; null where it is not paid, and from a bank account, whose bank says its day by an event. */
  paidAt: string | null
  /** A bank was asked and has days to answer: complete, not yet paid. */
  processing: boolean
  /** Why the payer's bank said no in the end, by the provider's own name; null while it did not. */
  problem: string | null
  /** What it is paid with. */
  method: PaidWith
  amountCents: number
  invoice: InvoiceMark | null
  fee: FeeMark | null
  card: CardMark | null
  deposit: DepositMark | null
  customerId: string | null
  subscriptionId: string | null
  /** What was left to be charged again; null where nobody asked for it, or it is not paid yet. */
  saved: SavedMethod | null
}

/** A page is not handed out in its last minute: its payer would find it closed. */
export const lastMinuteMs = 60_000

/**
 * The address of a page that was opened before and is handed out once more: it takes money or a card still, and does so for a while; else null. One
 * that is open and not good any more is ended before another takes its place, so that nobody pays on both.
 */
export const goodPageUrl = (
  page: Pick<Checkout, 'status' | 'url' | 'expiresAt'> | null,
  nowMs: number,
): string | null =>
  page?.status === 'open' && page.url !== '' && Date.parse(page.expiresAt) > nowMs + lastMinuteMs ? page.url : null

export type PaidWith = 'card' | 'bank'

/** A card or a bank account at the provider that can be charged while its holder is away. */
export type SavedMethod = {
  kind: PaidWith
  id: string
  customerId: string
  /** The card's brand, or the name of the bank. */
  brand: string
  last4: string
  /** A bank account does not expire. */
  expMonth: number | null
  expYear: number | null
}

export type ChargeRequest = {
  customerId: string
  methodId: string
  kind: PaidWith
  amountCents: number
  description: string
  mark: InvoiceMark
  requestKey: string
}
/** A charge of a saved card as the provider tells of it. */
export type Charge = {
  provider: string
  livemode: boolean
  id: string
  status: 'paid' | 'processing' | 'declined'
  /** What it was charged on. A bank account answers days later. */
  method: PaidWith
  amountCents: number
  /** Why it was declined, by the provider's own name. */
  declineCode: string | null
  /** When it was made. */
  madeAt: string
  mark: InvoiceMark | null
}

/** Which refund of ours it is; it travels as the provider's metadata and is the way back. */
export type RefundMark = { businessId: string; refundId: string }
export type RefundRequest = { paymentId: string; amountCents: number; mark: RefundMark; requestKey: string }
/** What a payment was made with, as far as the provider tells. */
export type PaidTo = Pick<SavedMethod, 'kind' | 'brand' | 'last4'>
/** One without a mark was made in the provider's own dashboard. */
export type Refund = {
  id: string
  failed: boolean
  mark: RefundMark | null
  to: PaidTo | null
  paymentId: string | null
  amountCents: number
}

/**
 * A payment that its payer's bank questions. An inquiry only asks and takes no money; a dispute takes it until it is decided; a return is a bank
 * that gives a transfer back, which nobody can contest.
 */
export type Dispute = {
  provider: string
  livemode: boolean
  id: string
  paymentId: string
  amountCents: number
  kind: 'inquiry' | 'dispute' | 'return'
  /** Why, by the provider's own name. */
  reason: string
  status: 'needs_response' | 'under_review' | 'won' | 'lost' | 'closed'
  /** Until when evidence is taken; null where none is. */
  dueAt: string | null
  /** What it took out of the account, and what of that came back. */
  takenCents: number
  returnedCents: number
  feeCents: number
  isSubmitted: boolean
  openedAt: string
  /** What the payment was for; null where it is none of ours. */
  mark: InvoiceMark | null
}

/** What a business answers a bank with. The files are PDF. */
export type Evidence = {
  text: string
  product: string
  serviceOn: string | null
  customerName: string
  customerEmail: string | null
  billingAddress: string | null
  invoice: Uint8Array | null
  work: Uint8Array
}
export type EvidenceRequest = { disputeId: string; evidence: Evidence; requestKey: string }

/** Money that the provider sends to a business's bank, as it tells of it when asked. */
export type Payout = {
  provider: string
  livemode: boolean
  id: string
  status: 'on_its_way' | 'paid' | 'failed' | 'canceled'
  /** Below zero where the provider takes it from the bank. */
  amountCents: number
  madeAt: string
  arrivesOn: string
  /** Why the bank sent it back, in the provider's words. */
  failure: string | null
  /** Whether all that it is made of can be read: not yet, or never where it was asked for by hand. */
  linesTold: 'coming' | 'all' | 'never'
}

/** What moved on a business's account and is part of a payout. */
export type PayoutLine = {
  id: string
  kind: 'payment' | 'refund' | 'dispute' | 'fee' | 'returned' | 'other'
  /** Before `feeCents`, which the provider kept of it. */
  amountCents: number
  feeCents: number
  /** The provider's id of the payment, refund or dispute. */
  sourceId: string | null
  madeAt: string
  words: string
}
export type PayoutLines = { lines: PayoutLine[] /** The page after this one. */; next: string | null }

/** A business's own account, into which its customers pay, as the provider tells of it when asked. */
export type AccountState = {
  id: string
  livemode: boolean
  /** Our own mark on it; the account of another business is never taken over. */
  businessId: string | null
  /** Cards can be charged into it. */
  chargesEnabled: boolean
  /** Its money reaches the business's bank. */
  payoutsEnabled: boolean
  /** The business has filled in the provider's form. */
  detailsSubmitted: boolean
  /** What the provider still asks for, by its own names. */
  requirements: string[]
  /** Why it takes no cards, by the provider's own name; null while it does. */
  pausedReason: string | null
}

/** The least that a card is charged, in cents: providers refuse less. */
export const leastChargeCents = 50

/** The most that is charged at once, in cents: the provider's sums have eight digits. */
export const mostChargeCents = 99_999_999

/** Whether a provider charges so much at once. */
export const isChargeable = (cents: number): boolean => cents >= leastChargeCents && cents <= mostChargeCents

/** What a provider calls a thing that is not there. */
export const missingCode = 'resource_missing'

/** What a change of plan costs before it is made: `dueNowCents` is charged at once, `creditCents` lowers the next invoice. */
export type ChangePreview = { dueNowCents: number; creditCents: number }

/**
 * Who takes money, for every purpose. `account` is a business's own account at the provider, which its customers pay into; null is ours.
 */
/** What the provider told by webhook, or would have. */
export type ProviderEvent = { id: string; type: string; payload: unknown }

/** ISO instants: from the first, and before the second; null is without an end. */
export type EventSpan = { since: string; until: string | null }

export type PaymentProvider = {
  name: Subscriptions['provider']
  /** As people call it, at the beginning of a sentence. */
  label: string
  livemode: boolean
  /** What happened in a span of time in an account, or on our own side, however much; nothing where the account is shut to us. */
  listEvents: (account: string | null, span: EventSpan) => AsyncIterable<ProviderEvent>
  /** @throws PaymentRefused where a payment into this account, or of this amount, is not taken */
  openCheckout: (request: CheckoutRequest, account?: string | null) => Promise<Checkout>
  findCheckout: (id: string, account?: string | null) => Promise<Checkout | null>
  /** Ends an open page so that nobody can pay what no longer holds; one that was paid or ended meanwhile stays as it is. */
  expireCheckout: (id: string, account?: string | null) => Promise<void>
  /**
   * Charges a saved card; the same key charges it once and answers as before. A no of the bank is an answer, no error.
   * @throws PaymentRefused where the provider itself does not take it; `missingCode` where it has no such card
   */
  chargeMethod: (request: ChargeRequest, account: string) => Promise<Charge>
  /** What became of a charge, or null when nobody knows it. */
  findCharge: (id: string, account: string) => Promise<Charge | null>
  /**
   * The charge that a try of ours made, without charging anything; null says for sure that there is none.
   * @throws PaymentRefused where the provider does not let us look
   */
  findChargeOf: (
    asked: { customerId: string; checkoutSessionId: string; since: string },
    account: string,
  ) => Promise<Charge | null>
  /** A saved card or bank account as it stands now; null when it was taken off its customer, or nobody knows it. */
  findMethod: (methodId: string, account: string) => Promise<SavedMethod | null>
  /** Forgets a saved card; one that is gone already stays so. */
  removeMethod: (methodId: string, account: string) => Promise<void>
  /** Gives a payment back, in part or whole; the same key gives it back once. @throws PaymentRefused with the reason */
  refund: (request: RefundRequest, account?: string | null) => Promise<Refund>
  /** What became of a refund, which a bank may refuse days later; null when it is none of ours. */
  findRefund: (id: string, account?: string | null) => Promise<Refund | null>
  /** All refunds of a payment. @throws PaymentRefused where the provider does not let us look */
  listRefunds: (paymentId: string, account?: string | null) => Promise<Refund[]>
  /** A dispute as it stands, or null when nobody knows it. */
  findDispute: (id: string, account: string) => Promise<Dispute | null>
  /** Hands evidence to the bank; it is taken once. @throws PaymentRefused with the reason */
  submitEvidence: (request: EvidenceRequest, account: string) => Promise<void>
  /** A payout as it stands, or null when nobody knows it. */
  findPayout: (id: string, account: string) => Promise<Payout | null>
  /** A page of what a payout is made of. */
  listPayoutLines: (id: string, account: string, after: string | null) => Promise<PayoutLines>
  /** Ids of the payouts that were made since an instant: none gets lost with an event. */
  listPayouts: (account: string, since: string) => Promise<string[]>
  /** Opens a business's own account; the same key opens the same one. */
  openAccount: (
    who: { businessId: string; name: string; email: string | null },
    requestKey: string,
  ) => Promise<AccountState>
  /** The account as it is now; null when the provider does not let us see it (any more). */
  findAccount: (accountId: string) => Promise<AccountState | null>
  /** The provider's form for the account: an address that is good once and for minutes, never kept, mailed or logged. */
  openOnboarding: (accountId: string, page: { refreshPath: string; returnPath: string }) => Promise<string>
  /** Where the business looks after its account by itself; null where that is the form again. */
  dashboardUrl: string | null
  /** Where somebody plays the banks of the payers of an account; null where banks are real. */
  playedBankPath: ((accountId: string) => string) | null
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

/** The provider's no to a payment, with its words for the person. Nothing was charged. `code` is the provider's own name for why. */
export class PaymentRefused extends Error {
  readonly code: string | null
  constructor(message: string, code: string | null = null) {
    super(message)
    this.code = code
    this.name = 'PaymentRefused'
  }
}
