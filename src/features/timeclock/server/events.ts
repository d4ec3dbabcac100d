declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'clock.skewed': { userId: string; entryId: string; skewSeconds: number }
    /** The office has put these people's time right, or approved it as it stands, from one instant to another. */
    'timesheet.settled': {
      userIds: string[]
      from: string
      until: string
      decision: 'counts' | 'stands'
      note: string
      by: string
    }
  }
}

export {}
