/** How long a business keeps everything after a payment failed, in days. */
export const graceDays = 7
const graceMs = graceDays * 86_400_000

export type SubscriptionFacts = {
  planTier: string | null
  subscriptionStatus: string
  pastDueSince: string | null
}

/** When the grace after a failed payment ends, or null while nothing is overdue. */
export const graceEndsAt = ({ subscriptionStatus, pastDueSince }: SubscriptionFacts): string | null =>
  subscriptionStatus === 'past_due' && pastDueSince ? new Date(Date.parse(pastDueSince) + graceMs).toISOString() : null

/** Whether a business may use what needs a subscription: trial and paid do, past due does for 7 days. */
export const isSubscriptionActive = (facts: SubscriptionFacts, nowMs: number): boolean => {
  if (!facts.planTier) return false
  if (facts.subscriptionStatus === 'trialing' || facts.subscriptionStatus === 'active') return true
  if (facts.subscriptionStatus !== 'past_due') return false
  const ends = graceEndsAt(facts)
  return ends === null || nowMs < Date.parse(ends)
}
