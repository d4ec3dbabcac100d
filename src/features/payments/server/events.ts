declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'invoice.paid': { invoiceId: string; paymentId: string }
    'payment.recorded': { paymentId: string; overpaymentCents: number }
  }
}

export {}
