declare module '../../../../platform/events/events.ts' {
  interface DomainEvents {
    /** Somebody wants the receipt of money that was taken at the door: at once, or once more. */
    'door.receiptWanted': { receiptId: string; by: 'email' | 'sms'; key: string }
  }
}

export {}
