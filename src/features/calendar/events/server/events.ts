declare module '../../../../platform/events/events.ts' {
  interface DomainEvents {
    /** Time of people was taken or given back, on these days. */
    'calendar.timeChanged': { from: string; to: string }
  }
}

export {}
