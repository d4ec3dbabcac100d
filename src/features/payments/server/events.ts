declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'invoice.paid': { invoiceId: string; paymentId: string }
    /** `stillOpenCents` is what was open on the invoice right after it. */
    'payment.recorded': { paymentId: string; invoiceId: string; overpaymentCents: number; stillOpenCents: number }
    /** Something of a customer's money lies on no invoice that did not before. */
    'credit.added': { customerId: string; paymentId: string; deposit: boolean }
  }
}

export {}
