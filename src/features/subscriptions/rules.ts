import { findPlan, type Plan, type PlanId } from '../billing/rules.ts'

export const liveStates = ['trialing', 'active', 'past_due', 'unpaid', 'paused'] as const

/** A subscription as the provider tells of it, as far as these rules look at it. */
export type Facts = {
  id: string
  plan: PlanId | null
  status: (typeof liveStates)[number] | 'incomplete' | 'canceled'
  startedAt: string
  trialEndsAt: string | null
  periodEndsAt: string | null
  cancelAt: string | null
}

export const isLive = (status: string): boolean => (liveStates as readonly string[]).includes(status)

/**
 * Which of a customer's subscriptions counts: the oldest live one, else the last that was begun. Further live ones are too many:
 * nobody pays twice, so they are to be ended.
 */
export const pickSubscription = <T extends Facts>(all: readonly T[]): { current: T | null; tooMany: T[] } => {
  const byStart = [...all].sort((a, b) => a.startedAt.localeCompare(b.startedAt) || a.id.localeCompare(b.id))
  const live = byStart.filter((s) => isLive(s.status))
  if (live[0]) return { current: live[0], tooMany: live.slice(1) }
  return { current: byStart.at(-1) ?? null, tooMany: [] }
}

type InvoiceFacts = {
  status: string
  attempts: number
  issuedAt: string
  totalCents: number
  subscriptionId: string | null
}

/** Since when a payment has been failing: the day of the oldest invoice that is open and was tried. */
export const pastDueSince = (
  subscription: Pick<Facts, 'id' | 'status'>,
  invoices: readonly InvoiceFacts[],
  now: string,
): string | null => {
  if (subscription.status !== 'past_due') return null
  const open = invoices
    .filter((one) => one.status === 'open' && one.attempts > 0 && one.subscriptionId === subscription.id)
    .map((one) => one.issuedAt)
    .sort()
  return open[0] ?? now
}

export type BusinessState = {
  planTier: PlanId | null
  subscriptionStatus: Facts['status'] | 'none'
  pastDueSince: string | null
  trialEndsAt: string | null
  subscriptionEndsAt: string | null
}

/** What a business's row says of its subscription. One that ended leaves no tier: the limits are Basic's, and the office reads. */
export const businessStateOf = (current: Facts | null, since: string | null): BusinessState => {
  if (!current)
    return {
      planTier: null,
      subscriptionStatus: 'none',
      pastDueSince: null,
      trialEndsAt: null,
      subscriptionEndsAt: null,
    }
  const over = current.status === 'canceled' || current.status === 'incomplete'
  return {
    planTier: over ? null : current.plan,
    subscriptionStatus: current.status,
    pastDueSince: since,
    trialEndsAt: current.trialEndsAt,
    subscriptionEndsAt: current.cancelAt,
  }
}

/** Days after a failed payment on which the card is asked again; then it stops. */
export const retryDays = [3, 5, 7] as const

const dayMs = 86_400_000

/** Which of those days have come. */
export const retriesDue = (since: string, nowMs: number): (typeof retryDays)[number][] =>
  retryDays.filter((day) => nowMs - Date.parse(since) >= day * dayMs)

/** Whether a trial ends within three days. */
export const trialEndsSoon = (trialEndsAt: string | null, nowMs: number): boolean => {
  const left = trialEndsAt ? Date.parse(trialEndsAt) - nowMs : Number.NaN
  return left > 0 && left <= 3 * dayMs
}

/** What a person should know before they take a plan that holds less than they have. */
export const downgradeWarnings = (plan: Plan, use: { customers: number; segments: number }): string[] => {
  const { customerLimit, messageLimit, name } = plan
  const warnings: string[] = []
  if (customerLimit !== null && use.customers > customerLimit)
    warnings.push(
      `${name} holds ${customerLimit} customers and you have ${use.customers}. All of them stay and can be worked with; new ones wait until you have fewer than ${customerLimit} or a larger plan.`,
    )
  if (messageLimit !== null && use.segments >= messageLimit)
    warnings.push(
      `${name} holds ${messageLimit} SMS segments a month and this month has used ${use.segments}. Texts wait until next month; e-mail goes on.`,
    )
  return warnings
}

/** How near a count is to its limit. */
export const meterState = (used: number, limit: number | null): 'fine' | 'near' | 'full' => {
  if (limit === null) return 'fine'
  if (used >= limit) return 'full'
  return used >= 0.8 * limit ? 'near' : 'fine'
}

/** What an address of the conversion tag looks like filled in. */
export const fillTag = (template: string, values: Record<string, string>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

/** How a plan is called where a price stands: "Pro, annual". */
export const planLabel = (planId: string | null, period: 'month' | 'year' | null): string => {
  const name = findPlan(planId)?.name ?? 'No plan'
  return period === 'year' ? `${name}, annual` : name
}
