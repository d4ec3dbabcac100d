import type { Refusal } from '../../shared/can.ts'
import { findPlan, limitsOf, planForCustomers, plans } from '../billing/rules.ts'

/** How many of `adding` customers still fit under the plan; the rest comes in archived. `limit` null is no limit. */
export const roomFor = (adding: number, active: number, limit: number | null): number =>
  limit === null ? adding : Math.max(0, Math.min(adding, limit - active))

/** What a person reads when the plan holds no more customers; null while there is room for `adding` more. */
export const limitRefusal = (
  planTier: string | null,
  active: number,
  adding = 1,
): { message: string; limit: number; plan: string } | null => {
  const limit = limitsOf(planTier).customerLimit
  if (limit === null || active + adding <= limit) return null
  const now = findPlan(planTier) ?? plans[0]
  const next = planForCustomers(active + adding)
  const room =
    next.customerLimit === null ? 'has no limit' : `holds ${next.customerLimit.toLocaleString('en-US')} customers`
  return {
    message: `Your ${now.name} plan holds ${limit} customers and you have ${active}. ${next.name} ${room}. Nothing was lost: change the plan, or archive customers you no longer serve.`,
    limit,
    plan: next.id,
  }
}

export const customerActions = ['update', 'archive', 'unarchive', 'addProperty', 'book'] as const
export const propertyActions = ['update', 'locate', 'archive', 'unarchive'] as const
export type CustomerAction = (typeof customerActions)[number]
export type PropertyAction = (typeof propertyActions)[number]

/** What of a customer or property decides what can be done with it; `currentJobs` are drafts, active and paused ones, `runningPlan` is a billing plan's name. */
export type CustomerFacts = { name: string; archivedAt: string | null; currentJobs: number; runningPlan: string | null }
export type PropertyFacts = { street: string; archivedAt: string | null; currentJobs: number }

/** "2 current jobs". */
export const currentJobsLabel = (count: number): string => `${count} current ${count === 1 ? 'job' : 'jobs'}`

const archiveRefusal = (name: string, archivedAt: string | null, currentJobs: number): string | null =>
  archivedAt
    ? `${name} is archived already. Nothing was changed.`
    : currentJobs > 0
      ? `${name} has ${currentJobsLabel(currentJobs)}. Nothing was changed: end or cancel the work first, then archive.`
      : null

const unarchiveRefusal = (name: string, archivedAt: string | null): string | null =>
  archivedAt ? null : `${name} is not archived. Nothing was changed.`

/** What booking a job asks for, as its endpoint says it: jobs know customers, not the other way round. */
export const bookNeed = {
  method: 'POST',
  path: '/api/jobs',
  access: 'office',
  permission: 'schedule',
  needsSubscription: true,
} as const

/** What pricing work for a customer needs; quotes know of customers, not the other way. */
export const quoteNeed = {
  method: 'POST',
  path: '/api/quotes',
  access: 'office',
  permission: 'money',
  needsSubscription: true,
} as const

/** Why no work can be booked for a customer or at a property. */
export const bookRefusal: Refusal<{ archivedAt: string | null }> = ({ archivedAt }) =>
  archivedAt ? 'This customer or property is archived. Bring it back to book work there.' : null

/** Why a customer's state refuses an action. */
export const customerRefusals: Record<CustomerAction, Refusal<CustomerFacts>> = {
  update: () => null,
  archive: ({ name, archivedAt, currentJobs, runningPlan }) =>
    archiveRefusal(name, archivedAt, currentJobs) ??
    (runningPlan === null
      ? null
      : `${name} pays by ${runningPlan}, which goes on billing each month. Nothing was changed: settle that billing plan first, then archive.`),
  unarchive: ({ name, archivedAt }) => unarchiveRefusal(name, archivedAt),
  addProperty: () => null,
  book: bookRefusal,
}

/** Why a property's state refuses an action. */
export const propertyRefusals: Record<PropertyAction, Refusal<PropertyFacts>> = {
  update: ({ street, archivedAt }) => (archivedAt ? `${street} is archived. Bring it back to change it.` : null),
  locate: ({ street, archivedAt }) => (archivedAt ? `${street} is archived. Bring it back to move its pin.` : null),
  archive: ({ street, archivedAt, currentJobs }) => archiveRefusal(street, archivedAt, currentJobs),
  unarchive: ({ street, archivedAt }) => unarchiveRefusal(street, archivedAt),
}
