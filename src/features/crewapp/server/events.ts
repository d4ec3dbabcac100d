declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** A crew wrote something to the office about a visit. */
    'visit.noted': { commandId: string; visitId: string }
    'command.conflicted': { commandId: string; visitId: string | null }
  }
}

export {}
