declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** Work was booked for customers, or a draft of it was made real. */
    'job.booked': {
      booked: readonly {
        customerId: string
        propertyId: string /** The quote that it was made of. */
        quoteId: string | null
      }[]
      at: string
    }
    /** A change of many jobs was taken back, on all of them or on some. */
    'jobs.editUndone': { editId: string }
  }
}

export {}
