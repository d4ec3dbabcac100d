declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'invoice.issued': { invoiceId: string }
    /** An issued invoice was taken out of the books: what it billed is billed by nothing. */
    'invoice.voided': { invoiceId: string }
  }
}

export {}
