declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** Something was put on a lawn and is written down. */
    'application.recorded': { recordId: string; visitId: string }
  }
}

export {}
