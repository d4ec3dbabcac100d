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
