declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** A version of a quote left for its customer. */
    'quote.sent': { quoteId: string; customerId: string; at: string }
    'quote.approved': { quoteId: string; customerId: string; at: string }
    'quote.declined': { quoteId: string; customerId: string; at: string }
  }
}

export {}
