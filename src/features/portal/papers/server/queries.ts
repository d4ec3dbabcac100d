import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { ApplicationFacts } from '../../../chemicals/records/contract.ts'

/** An application of a customer's lawn as it stands now. */
type Applied = { id: string; street: string; facts: ApplicationFacts }

export type Treatment = {
  visitId: string
  street: string
  endedAt: string
  products: { name: string; labelUrl: string; epaNumber: string }[]
  keepOffUntil: string | null
}

const mostTreatments = 50

/** What was put on a customer's lawns in the last two years, as it stands now, the latest first. */
export const listApplied = async (db: TenantDb, customerId: string): Promise<Applied[]> => {
  const since = new Date(clock.nowMs() - 730 * 86_400_000).toISOString()
  const { rows } = await sql<Applied>`
    select r.id, p.street, coalesce((select a.facts from application_amendments a
      where a.business_id = r.business_id and a.record_id = r.id order by a.number desc limit 1), r.facts) as facts
    from properties p join application_records r on r.business_id = p.business_id and r.property_id = p.id
    where p.business_id = ${db.businessId} and p.customer_id = ${customerId} and r.applied_at > ${since}::timestamptz
    order by r.applied_at desc, r.id desc limit ${mostTreatments}`.execute(db)
  return rows
}

/** The same in few words. */
export const listTreatments = async (db: TenantDb, customerId: string): Promise<Treatment[]> =>
  (await listApplied(db, customerId)).map(({ id, street, facts }) => ({
    visitId: id,
    street,
    endedAt: facts.endedAt,
    keepOffUntil: facts.keepOffUntil,
    products: facts.products.map(({ name, labelUrl, epaNumber }) => ({ name, labelUrl, epaNumber: epaNumber ?? '' })),
  }))
