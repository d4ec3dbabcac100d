import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { PaperWay } from '../../../../shared/paper-ways.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { sumOwed } from '../../../customers/owed/server/queries.ts'
import { findMarketingConsent, findSuppression } from '../../server/queries.ts'
import type { CustomerFacts, FactVisit } from '../contract.ts'

/** So many properties and jobs stand there by name. */
const mostNamed = 5
/** So far jobs are counted. */
const mostJobs = 100

const findVisit = async (
  db: TenantDb,
  customerId: string,
  which: 'next' | 'last',
  today: Day,
): Promise<FactVisit | null> => {
  const { rows } = await sql<FactVisit>`
    select v.id, v.job_id as "jobId", j.title, p.street, v.day, v.status, w.name as "crewName"
    from visits v
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    left join crews w on w.business_id = v.business_id and w.id = v.crew_id
    where v.business_id = ${db.businessId} and v.customer_id = ${customerId}
      and ${
        which === 'next'
          ? sql`v.status in ('scheduled', 'en_route', 'in_progress', 'paused') and v.day >= ${today}`
          : sql`v.status in ('completed', 'skipped', 'missed') and v.day <= ${today}`
      }
    order by v.day ${which === 'next' ? sql`asc` : sql`desc`}, v.id limit 1`.execute(db)
  return rows[0] ?? null
}

const findMoney = async (db: TenantDb, customerId: string, today: Day): Promise<CustomerFacts['money']> => {
  const { rows } = await sql<{ balanceCents: number; plan: { id: string; name: string } | null }>`
    select coalesce((select b.balance_cents from customer_balances b
        where b.business_id = ${db.businessId} and b.customer_id = ${customerId}), 0)::int8 as "balanceCents",
      (select jsonb_build_object('id', k.id, 'name', k.name) from billing_plans k
        where k.business_id = ${db.businessId} and k.customer_id = ${customerId} and k.status = 'active'
        order by k.starts_on desc, k.id limit 1) as plan`.execute(db)
  const [row] = rows
  const { openCents, overdueCents, pendingCents, pendingOverdueCents } = await sumOwed(db, customerId, today)
  return {
    openCents,
    overdueCents: overdueCents - pendingOverdueCents,
    pendingCents,
    creditCents: Math.max(0, openCents - Number(row?.balanceCents ?? 0)),
    plan: row?.plan ?? null,
  }
}

/** What somebody looks up while they write with a customer: a few rows of each kind, however long they have been one. @throws not_found */
export const getCustomerFacts = async (db: TenantDb, actor: Actor, customerId: string): Promise<CustomerFacts> => {
  const customer = await db
    .selectFrom('customers as c')
    .innerJoin('businesses as b', 'b.businessId', 'c.businessId')
    .select(['c.email', 'c.phone', 'c.language', 'c.tags'])
    .select((eb) => eb.fn.coalesce('c.paperWay', 'b.paperWay').as('paperWay'))
    .where('c.businessId', '=', db.businessId)
    .where('c.id', '=', customerId)
    .executeTakeFirst()
  if (!customer) throw notFound('customer')
  const today = await todayOf(db)
  const { rows: properties } = await sql<CustomerFacts['properties'][number] & { all: number }>`
    select id, street, city, zip, count(*) over ()::int as all from properties
    where business_id = ${db.businessId} and customer_id = ${customerId} and archived_at is null
    order by created_at, id limit ${mostNamed}`.execute(db)
  const { rows: jobs } = await sql<CustomerFacts['jobs'][number]>`
    select j.id, j.title, p.street, j.status, j.start_on as "startOn" from jobs j
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    where j.business_id = ${db.businessId} and j.customer_id = ${customerId} and j.archived_at is null
      and j.status in ('draft', 'active', 'paused')
    order by (j.status = 'active') desc, j.number desc limit ${mostJobs}`.execute(db)
  const number = customer.phone ? toE164(customer.phone) : null
  const { email } = customer
  const mail = email ? await findSuppression(db, 'email', email) : null
  const sms = number ? await findSuppression(db, 'sms', number) : null
  const refused = [
    email ? await findMarketingConsent(db, 'email', email) : null,
    number ? await findMarketingConsent(db, 'sms', number) : null,
  ]
  return {
    customerId,
    nextVisit: await findVisit(db, customerId, 'next', today),
    lastVisit: await findVisit(db, customerId, 'last', today),
    money: hasPermission(actor, 'money') ? await findMoney(db, customerId, today) : null,
    properties: properties.map(({ all: _, ...property }) => property),
    propertyCount: properties[0]?.all ?? 0,
    jobs: jobs.slice(0, mostNamed),
    jobCount: jobs.length,
    tags: customer.tags,
    language: customer.language === 'es' ? 'es' : 'en',
    paperWay: customer.paperWay as PaperWay,
    email,
    phone: customer.phone,
    noMail: mail?.purpose === 'all' ? mail.reason : null,
    noTexts: sms?.purpose === 'all' ? sms.reason : null,
    noOffers: mail !== null || sms !== null || refused.includes('revoke'),
  }
}
