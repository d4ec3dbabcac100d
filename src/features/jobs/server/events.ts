declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** Work was booked for customers, or a draft of it was made real. */
    'job.booked': { customerIds: readonly string[]; at: string }
  }
}

export {}
