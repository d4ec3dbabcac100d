import type { Subscriber } from './platform/events/events.ts'

/** What one feature causes in others, all in one place. */
export const subscribers: Subscriber<never>[] = []
