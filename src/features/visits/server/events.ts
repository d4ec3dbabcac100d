declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** A visit whose job has work that follows it came to its end, or back from it. */
    'visit.settled': { visitId: string; jobId: string }
    /** What a visit counts for changed: its customer pays by month or has paid ahead. */
    'visit.counted': { visitId: string }
    /** A crew left for a visit. */
    'visit.left': { visitId: string }
    /** A visit of a past day was done, or what was done there changed. */
    'visit.workChanged': { visitId: string }
    /** Customers were told another day for a visit than it has now, or it is no more. */
    'visits.strayed': { customerIds: readonly string[] }
  }
}

export {}
