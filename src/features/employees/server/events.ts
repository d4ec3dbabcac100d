declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'crew.archived': { crewId: string; on: string }
  }
}

export {}
