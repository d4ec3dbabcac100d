import type { Who } from '../../../platform/actor.ts'
import { userIdOf } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { readPayer } from './papers.ts'
import { type PlanNews, planMail } from './templates.ts'

/** Mails the customer of a plan what was agreed, changed or settled; once by the key. @returns whether there was an address */
export const tellCustomerTx = async (
  db: TenantDb,
  who: Who,
  plan: { id: string; name: string; customerId: string },
  news: PlanNews,
  key: string,
): Promise<boolean> => {
  const { customer, business } = await readPayer(db, plan.customerId)
  if (!customer.email) return false
  await queueMessage(db, {
    channel: 'email',
    purpose: 'transactional',
    address: customer.email,
    dedupeKey: `billing-plan:${plan.id}:${key}`,
    ...planMail(
      news,
      { plan: plan.name, customer: customer.name, language: customer.language === 'es' ? 'es' : 'en' },
      business,
    ),
    customerId: customer.id,
    ...(userIdOf(who) ? { userId: userIdOf(who) ?? '' } : {}),
    entity: { type: 'billing_plan', id: plan.id },
  })
  return true
}
