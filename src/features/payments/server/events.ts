declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /**
     * Nothing of an invoice is open any more: by money that came now, a credit note, or credit that was there. `cents` is what closed it; `isTold` where its customer hears it otherwise, or is not to.
     */
    'invoice.paid': {
      invoiceId: string
      paymentId: string
      by?: 'money' | 'note' | 'credit'
      cents?: number
      isTold?: boolean
    }
    /** `stillOpenCents` is what was open on the invoice right after it. */
    'payment.recorded': { paymentId: string; invoiceId: string; overpaymentCents: number; stillOpenCents: number }
    /** Something of a customer's money lies on no invoice that did not before. */
    'credit.added': { customerId: string; paymentId: string; deposit: boolean }
    /** Somebody of the office wrote a credit note that its customer is to read. */
    'credit.noted': { paymentId: string }
  }
}

export {}
