/** Plans, prices, limits and features: the one place. Prices are integer US cents. */

export const planIds = ['basic', 'pro', 'enterprise'] as const
export type PlanId = (typeof planIds)[number]
export const billingPeriods = ['month', 'year'] as const
export type BillingPeriod = (typeof billingPeriods)[number]

/** Every feature that a plan can switch on, named once. */
export const planFeatures = {
  routing: 'Routing',
  scheduling: 'Scheduling',
  invoicing: 'Invoicing',
  crewApp: 'Crew app',
  quotes: 'Quotes',
  onlinePayments: 'Online payments',
  campaigns: 'Campaigns',
  automations: 'Automations',
  quickbooks: 'QuickBooks',
  jobCosting: 'Job costing',
  phoneSupport: 'Phone support',
  accountManager: 'Dedicated account manager',
  apiKeys: 'API keys',
  webhooks: 'Webhooks',
} as const
export type PlanFeature = keyof typeof planFeatures

export type Plan = {
  id: PlanId
  name: string
  monthlyCents: number
  annualCents: number
  /** Active customers; archived ones do not count. null: unlimited. */
  customerLimit: number | null
  /** Outbound SMS segments in a calendar month of the business's zone. null: unlimited. */
  messageLimit: number | null
  features: readonly PlanFeature[]
  trialDays: number
  recommended: boolean
  /** The local test checkout's price ids; a real provider's ids replace them through the environment. */
  priceIds: Record<BillingPeriod, string>
}

const everyPlan = ['routing', 'scheduling', 'invoicing', 'crewApp', 'quotes', 'onlinePayments'] as const
const fromPro = [...everyPlan, 'campaigns', 'automations', 'quickbooks', 'jobCosting'] as const
const fromEnterprise = [...fromPro, 'phoneSupport', 'accountManager', 'apiKeys', 'webhooks'] as const

export const plans: readonly [basic: Plan, pro: Plan, enterprise: Plan] = [
  {
    id: 'basic',
    name: 'Basic',
    monthlyCents: 49_99,
    annualCents: 499_99,
    customerLimit: 25,
    messageLimit: 150,
    features: everyPlan,
    trialDays: 14,
    recommended: false,
    priceIds: { month: 'price_basic_month', year: 'price_basic_year' },
  },
  {
    id: 'pro',
    name: 'Pro',
    monthlyCents: 79_99,
    annualCents: 799_99,
    customerLimit: 100,
    messageLimit: 250,
    features: fromPro,
    trialDays: 0,
    recommended: true,
    priceIds: { month: 'price_pro_month', year: 'price_pro_year' },
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    monthlyCents: 199_99,
    annualCents: 1_999_99,
    customerLimit: null,
    messageLimit: null,
    features: fromEnterprise,
    trialDays: 0,
    recommended: false,
    priceIds: { month: 'price_enterprise_month', year: 'price_enterprise_year' },
  },
]

/** The label of the annual side of every monthly/annual toggle. */
export const annualLabel = 'Annual (Save 17%)'

/** Due when a step of the free Setup Sprint is missed. */
export const onboardingFeeCents = 299_00

/** The Setup Sprint's numbers, as the public pages claim them and the product owner's desk counts them. */
export const setupSprint = { days: 14, calls: 2, callMinutes: 20, businessesPerMonth: 10, questions: 6 } as const

/** The plan that an id means, or null. `premium` is the older name of pro. */
export const findPlan = (id: string | null | undefined): Plan | null => {
  const wanted = id === 'premium' ? 'pro' : id
  return plans.find((plan) => plan.id === wanted) ?? null
}

/** The limits a business lives under; without a plan it has Basic's. */
export const limitsOf = (planId: string | null | undefined): Pick<Plan, 'customerLimit' | 'messageLimit'> => {
  const { customerLimit, messageLimit } = findPlan(planId) ?? plans[0]
  return { customerLimit, messageLimit }
}

/** Whether a plan has a feature; no plan has none. */
export const planHas = (planId: string | null | undefined, feature: PlanFeature): boolean =>
  findPlan(planId)?.features.includes(feature) ?? false

/** The plan and period that a local price id stands for, or null. `price_premium_month` is the older name of pro's. */
export const findPrice = (priceId: string): { plan: Plan; period: BillingPeriod; cents: number } | null => {
  const wanted = priceId.replace(/^price_premium_/, 'price_pro_')
  for (const plan of plans)
    for (const period of billingPeriods)
      if (plan.priceIds[period] === wanted) return { plan, period, cents: priceCents(plan, period) }
  return null
}

/** What one period of a plan costs, in cents. */
export const priceCents = (plan: Plan, period: BillingPeriod): number =>
  period === 'year' ? plan.annualCents : plan.monthlyCents

/** The cheapest plan whose customer limit holds `customers` active customers. */
export const planForCustomers = (customers: number): Plan =>
  plans.find((plan) => plan.customerLimit === null || customers <= plan.customerLimit) ?? plans[2]

/**
 * What a conversion is worth to the tag that counts them: the specification's own values, which are not the prices. Enterprise
 * has none.
 */
export const conversionOf = (planId: string): { event: 'basic' | 'premium'; value: string } | null => {
  const id = findPlan(planId)?.id
  if (id === 'basic') return { event: 'basic', value: '29.99' }
  return id === 'pro' ? { event: 'premium', value: '49.99' } : null
}
