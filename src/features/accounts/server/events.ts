declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'account.opened': { userId: string }
    /** The Owner closed the business: nothing new begins in it. */
    'business.closed': { closedAt: string }
  }
}

export {}
