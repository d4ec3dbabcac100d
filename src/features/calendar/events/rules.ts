import type { Refusal } from '../../../shared/can.ts'

/** The office's own entries beside visits: what kinds there are, and whose time they take. */

export const eventKinds = ['time_off', 'shop', 'supplier', 'other'] as const
export type EventKind = (typeof eventKinds)[number]

const labels: Record<EventKind, string> = {
  time_off: 'Time off',
  shop: 'Shop day',
  supplier: 'Supplier',
  other: 'Other',
}
export const eventKindLabel = (kind: EventKind): string => labels[kind]

/** Longest span of an event in days, as the table has it. */
export const longestEventDays = 92

/** Time off and a shop day take hours from lawns; who meets a supplier is said by hand, as time off. */
export const takesTime = (kind: EventKind): boolean => kind === 'time_off' || kind === 'shop'

export const eventActions = ['update', 'remove'] as const
export type EventAction = (typeof eventActions)[number]

const removed: Refusal<{ deletedAt: string | null }> = ({ deletedAt }) =>
  deletedAt ? 'This event was removed. Nothing was changed.' : null

/** Why an event refuses what the office would do with it. */
export const eventRefusals: Record<EventAction, Refusal<{ deletedAt: string | null }>> = {
  update: removed,
  remove: removed,
}
