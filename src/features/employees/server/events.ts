declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** Who is on these crews, or when they work, was changed on these days; null is from then on. */
    'crew.staffed': { from: string; to: string | null; crewIds: string[] }
    /** Nobody signs in as them from here on. */
    'employee.deactivated': { userId: string; at: string }
    'crew.archived': { crewId: string; on: string }
  }
}

export {}
