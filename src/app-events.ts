import { tellOfConflict, tellOfSkew } from './features/crewapp/server/tasks.ts'
import { onInvoicePaid, onSurplus } from './features/invoices/server/tasks.ts'
import type { Subscriber } from './platform/events/events.ts'

/** What one feature causes in others, all in one place. */
export const subscribers: Subscriber<never>[] = [onInvoicePaid, onSurplus, tellOfConflict, tellOfSkew]
