declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'account.opened': { userId: string }
  }
}

export {}
