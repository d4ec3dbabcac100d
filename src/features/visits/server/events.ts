declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** A visit whose job has work that follows it came to its end, or back from it. */
    'visit.settled': { visitId: string; jobId: string }
  }
}

export {}
