import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import { type ProspectsDb, withProspects } from '../../../../platform/db/prospects.ts'
import { type TenantDb, type TenantScope, withTenant } from '../../../../platform/db/tenant.ts'
import type { Sprint } from '../contract.ts'
import type { SprintStep } from '../rules.ts'
import { tickSteps } from './call-steps.ts'
import { advance } from './commands.ts'
import { type SprintRow, toSprint } from './queries.ts'

/** All that leaves a business: whose account it is, which steps are true, whether it pays. No name, no number of a customer, no amount. */
type Milestones = { businessId: string; emails: string[]; steps: SprintStep[]; isCustomer: boolean; isPaying: boolean }

const readMilestones = async (db: TenantDb): Promise<Milestones> => {
  const { rows } = await sql<{
    emails: string[]
    isCustomer: boolean
    isPaying: boolean
    services: boolean
    customers: boolean
    crew: boolean
    route: boolean
    invoice: boolean
    profile: boolean
    team: boolean
  }>`
    select
      array(select u.email from users u where u.business_id = b.business_id and u.role = 'Owner' and u.email is not null and u.archived_at is null) as emails,
      (b.plan_tier is not null and b.subscription_status in ('trialing', 'active', 'past_due')) as is_customer,
      (b.plan_tier is not null and b.subscription_status = 'active') as is_paying,
      exists (select 1 from services s where s.business_id = b.business_id and s.archived_at is null) as services,
      exists (select 1 from customers c where c.business_id = b.business_id) as customers,
      (coalesce(b.company_size, '') = 'solo' or exists (select 1 from users u where u.business_id = b.business_id and u.role <> 'Owner')) as crew,
      exists (select 1 from routes r where r.business_id = b.business_id and r.published_at is not null) as route,
      exists (select 1 from invoices i where i.business_id = b.business_id and i.sent_at is not null) as invoice,
      (length(coalesce(b.phone, '')) > 0 and length(coalesce(b.street, '')) > 0 and length(coalesce(b.city, '')) > 0) as profile,
      exists (select 1 from crews c join crew_members m on m.business_id = c.business_id and m.crew_id = c.id where c.business_id = b.business_id) as team
    from businesses b where b.business_id = ${db.businessId} and not b.demo`.execute(db)
  const row = rows[0]
  if (!row) return { businessId: db.businessId, emails: [], steps: [], isCustomer: false, isPaying: false }
  const facts: Partial<Record<SprintStep, boolean>> = {
    services_and_prices: row.services,
    customers_imported: row.customers,
    crews_invited: row.crew,
    route_planned: row.route,
    invoice_sent: row.invoice,
    profile_activated: row.profile,
    team_set_up: row.team,
  }
  return {
    businessId: db.businessId,
    emails: row.emails,
    isCustomer: row.isCustomer,
    isPaying: row.isPaying,
    steps: Object.entries(facts).flatMap(([step, isTrue]) => (isTrue ? [step as SprintStep] : [])),
  }
}

/** The lead that this business came from, by the e-mail of its owner's account; the business is noted on the way. */
const tieLead = async (db: ProspectsDb, update: Milestones): Promise<string | null> => {
  if (update.emails.length === 0) return null
  const lead = await db
    .selectFrom('leads')
    .select(['id', 'accountBusinessId', 'accountAt', 'customerAt', 'paidAt'])
    .where('email', 'in', update.emails)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  if (!lead) return null
  const now = clock.iso()
  const customerAt = update.isCustomer ? (lead.customerAt ?? now) : null
  if (lead.accountBusinessId !== update.businessId || lead.customerAt !== customerAt)
    await db
      .updateTable('leads')
      .set({ accountBusinessId: update.businessId, accountAt: lead.accountAt ?? now, customerAt })
      .where('id', '=', lead.id)
      .execute()
  // Once: what the product owner makes of the status afterwards stays.
  if (update.isPaying && lead.paidAt === null)
    await db
      .updateTable('leads')
      .set({ paidAt: now, status: 'converted', statusChangedAt: now, updatedAt: now })
      .where('id', '=', lead.id)
      .execute()
  return lead.id
}

const lockRunning = (db: ProspectsDb, leadId: string): Promise<SprintRow | undefined> =>
  db
    .selectFrom('sprints')
    .selectAll()
    .where('leadId', '=', leadId)
    .where('status', 'in', ['admitted', 'running'])
    .forUpdate()
    .executeTakeFirst()

/** Something happened in a business: ties its lead, and ticks what is now true of its Sprint. Harmless for a business without one. */
export const noteMilestones = async (scope: TenantScope): Promise<void> => {
  const update = await withTenant(scope, readMilestones)
  await withProspects(async (db) => {
    const leadId = await tieLead(db, update)
    const sprint = leadId ? await lockRunning(db, leadId) : undefined
    if (!sprint) return
    await tickSteps(db, sprint.id, update.steps, 'event')
    await advance(db, sprint)
  })
}

/** The Sprint of a business for its own office; what is true at this moment shows as done. Changes nothing. */
export const findSprintOfBusiness = async (scope: TenantScope): Promise<Sprint | null> => {
  const update = await withTenant(scope, readMilestones)
  if (update.emails.length === 0) return null
  return withProspects(async (db) => {
    const sprint = await db
      .selectFrom('sprints')
      .innerJoin('leads', 'leads.id', 'sprints.leadId')
      .where('leads.email', 'in', update.emails)
      .where('sprints.admittedMonth', 'is not', null)
      .selectAll('sprints')
      .limit(1)
      .executeTakeFirst()
    return sprint ? toSprint(db, sprint, update.steps) : null
  })
}
