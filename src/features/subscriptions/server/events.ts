declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'subscription.changed': { status: string }
  }
}

export {}
