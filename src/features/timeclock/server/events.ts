declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'clock.skewed': { userId: string; entryId: string; skewSeconds: number }
  }
}

export {}
