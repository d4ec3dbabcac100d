/** Our reasons for skipping and what reasons are called: what every screen with a visit needs, apart from what only their rules do. */

export const skipReasons = [
  'locked_gate',
  'dog',
  'customer_asked',
  'too_wet',
  'not_needed',
  'no_access',
  'other',
] as const
export type SkipReason = (typeof skipReasons)[number]

const skipLabel: Record<SkipReason, string> = {
  locked_gate: 'Locked gate',
  dog: 'Dog in the yard',
  customer_asked: 'Customer asked',
  too_wet: 'Too wet',
  not_needed: 'Not needed',
  no_access: 'No access',
  other: 'Other',
}

export const isSkipReason = (text: string): text is SkipReason => (skipReasons as readonly string[]).includes(text)

/** A reason as people read it. A reason of the business's own is its own code, so that old visits keep the words they were skipped with. */
export const skipReasonLabel = (code: string): string => (isSkipReason(code) ? skipLabel[code] : code)
