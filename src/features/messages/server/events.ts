declare module '../../../platform/events/events.ts' {
  interface DomainEvents {
    /** What a person of the business wrote to a customer or a lead has left. */
    'message.left': { messageId: string; leadId: string | null; customerId: string | null; at: string }
    /** Offers to an address have ended, by whatever word; a complaint says of which message. */
    'offers.ended': {
      channel: 'email' | 'sms'
      address: string
      why: 'unsubscribed' | 'complained'
      messageId: string | null
      at: string
    }
    /** A text or a mail came from somebody who is no customer. */
    'message.unknown': {
      messageId: string
      channel: 'sms' | 'email'
      address: string
      /** As a mail says it; empty where nothing does. */
      name: string
      /** The domain of who wrote it for them: a form, a portal. */
      through?: string | null
      text: string
    }
  }
}

export {}
