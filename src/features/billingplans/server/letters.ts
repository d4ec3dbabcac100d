import type { Who } from '../../../platform/actor.ts'
import { userIdOf } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { getPortalUrl } from '../../businesses/letters/server/queries.ts'
import { isReached } from '../../messages/paperways/rules.ts'
import { queuePaperTx } from '../../messages/paperways/server/commands.ts'
import { readPayer } from './papers.ts'
import { type PlanNews, planMail, planText } from './templates.ts'

/** Tells the customer of a plan what was agreed, changed or settled, as their papers reach them; once by the key. @returns whether it reaches them */
export const tellCustomerTx = async (
  db: TenantDb,
  who: Who,
  plan: { id: string; name: string; customerId: string },
  news: PlanNews,
  key: string,
): Promise<boolean> => {
  const { customer, business } = await readPayer(db, plan.customerId)
  const userId = userIdOf(who)
  const portalUrl = await getPortalUrl(db)
  const reach = await queuePaperTx(db, {
    dedupeKey: `billing-plan:${plan.id}:${key}`,
    customerId: customer.id,
    ...(userId ? { userId } : {}),
    entity: { type: 'billing_plan', id: plan.id },
    mail: async (language) => planMail(news, { plan: plan.name, customer: customer.name, language }, business),
    text: (language) => planText(news, { plan: plan.name, business: business.name, language, url: portalUrl }),
  })
  return isReached(reach)
}
