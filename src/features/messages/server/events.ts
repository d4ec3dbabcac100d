declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** What a person of the business wrote to a customer or a lead has left. */
    'message.left': { messageId: string; leadId: string | null; customerId: string | null; at: string }
    /** A text came from a number that is no customer's. */
    'message.unknown': { messageId: string; address: string; text: string }
  }
}

export {}
