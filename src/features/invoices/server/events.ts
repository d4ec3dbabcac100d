declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'invoice.issued': { invoiceId: string }
  }
}

export {}
