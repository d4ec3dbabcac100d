declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'import.finished': { importId: string }
  }
}

export {}
