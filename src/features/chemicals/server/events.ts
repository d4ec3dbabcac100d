declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** Something was put on a lawn and is written down. */
    'application.recorded': { recordId: string; visitId: string }
    /** The office recorded what a phone sent and nothing could take, or says that nothing is recorded of it. */
    'application.decided': { id: string; counts: boolean; note: string; userId: string }
    /** A record was put right: its lawn may be closed longer. */
    'application.amended': { recordId: string; visitId: string }
  }
}

export {}
