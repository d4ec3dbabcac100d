declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    'route.published': { routeId: string; crewId: string; day: string }
  }
}

export {}
