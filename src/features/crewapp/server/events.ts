declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'command.conflicted': { commandId: string; visitId: string | null }
  }
}

export {}
