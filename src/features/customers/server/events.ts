declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** An address without a pin is new or was changed. */
    'property.addressed': { propertyId: string }
  }
}

export {}
