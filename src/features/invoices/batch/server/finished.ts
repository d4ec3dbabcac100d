import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { chargeLine } from '../../../businesses/skips/rules.ts'
import { isReached } from '../../../messages/paperways/rules.ts'
import { listPaperReach } from '../../../messages/paperways/server/queries.ts'
import { findExempt } from '../../exemptions/server/queries.ts'
import { taxPlaceOf } from '../../rules.ts'

/** What finished visits bring to an invoice. */

/** Those of these visits that are finished and that nobody has been billed for, with what a batch needs to know of them. */
export const listFinishedVisits = async (
  db: TenantDb,
  visitIds: readonly string[],
  /** `lock`: they are billed in this transaction, and nobody opens, prices or bills them meanwhile. */
  options: { lock?: true } = {},
) => {
  let query = db
    .selectFrom('visits')
    .innerJoin('jobs', (join) =>
      join.onRef('jobs.businessId', '=', 'visits.businessId').onRef('jobs.id', '=', 'visits.jobId'),
    )
    .innerJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'visits.businessId').onRef('customers.id', '=', 'visits.customerId'),
    )
    .innerJoin('properties', (join) =>
      join.onRef('properties.businessId', '=', 'visits.businessId').onRef('properties.id', '=', 'visits.propertyId'),
    )
    .where('visits.businessId', '=', db.businessId)
    .where('visits.toBill', '=', true)
    .where('visits.invoiceId', 'is', null)
    .where(sql<boolean>`visits.id = any(${[...visitIds]}::uuid[])`)
  if (options.lock) query = query.forUpdate('visits')
  const rows = await query
    .select([
      'visits.id',
      'visits.day',
      'visits.customerId',
      'visits.propertyId',
      'visits.priceCents',
      'visits.jobId',
      'jobs.billing',
      'properties.street as place',
      'customers.name as customerName',
      'customers.email as customerEmail',
      'customers.holdInvoices',
      'customers.taxExempt',
      'customers.termsDays',
      'customers.invoiceGrouping',
      'customers.company',
      'customers.billingStreet',
      'customers.billingCity',
      'customers.billingState',
      'customers.billingZip',
      'properties.city as placeCity',
      'properties.state as placeState',
      'properties.zip as placeZip',
    ])
    .orderBy(sql`lower(customers.name)`)
    .orderBy('visits.customerId')
    .orderBy('visits.day')
    .orderBy('visits.id')
    .execute()
  const flags = new Map(rows.map(({ customerId, taxExempt }) => [customerId, taxExempt]))
  const exempt = await findExempt(
    db,
    [...flags].map(([id, taxExempt]) => ({ id, taxExempt })),
  )
  const reachOf = await listPaperReach(db, [...flags.keys()])
  return rows.map((row) => ({
    ...row,
    isReached: isReached(reachOf(row.customerId)),
    taxExempt: exempt(row.customerId, row.day),
    taxPlace: taxPlaceOf({ state: row.placeState, city: row.placeCity, zip: row.placeZip }, row),
  }))
}
export type FinishedVisit = Awaited<ReturnType<typeof listFinishedVisits>>[number]

/** What is billed of visits: their lines, or of a skip that is charged one line over the charge, taxed as the first of its services. */
export const listVisitLines = async (db: TenantDb, visitIds: readonly string[]) => {
  const lines = await linesOfVisits(db, visitIds)
  if (lines.length === 0) return lines
  const skipped = await db
    .selectFrom('visits')
    .select(['id', 'skipReason', 'skipChargeCents'])
    .where('businessId', '=', db.businessId)
    .where('skipChargeCents', 'is not', null)
    .where(sql<boolean>`id = any(${[...visitIds]}::uuid[])`)
    .execute()
  const charges = new Map(skipped.map((visit) => [visit.id, visit]))
  const said = new Set<string>()
  return lines.flatMap((line) => {
    const charge = charges.get(line.visitId)
    if (!charge) return [line]
    if (said.has(line.visitId)) return []
    said.add(line.visitId)
    const unitPriceCents = charge.skipChargeCents ?? 0
    return [
      {
        ...line,
        covered: false,
        name: chargeLine(charge.skipReason ?? 'other'),
        description: '',
        quantity: 1,
        unitPriceCents,
      },
    ]
  })
}

/** Whether a line counts against a billing plan, or will in a moment: a running one covers its work on the day of its visit. */
const onPlan = sql<boolean>`(exists (select 1 from billing_plan_deliveries d where d.business_id = line.business_id and d.visit_line_id = line.id)
  or exists (select 1 from billing_plan_lines c
    join billing_plans p on p.business_id = c.business_id and p.id = c.plan_id and p.status = 'active'
    join visits v on v.business_id = c.business_id and v.id = line.visit_id
    where c.business_id = line.business_id and c.job_line_id = line.job_line_id
      and coalesce(v.day, v.occurrence_on) between p.starts_on and p.ends_on))`

/** The lines of visits, each once however often its visit is named, with the tax category of their service. */
const linesOfVisits = async (db: TenantDb, visitIds: readonly string[]) =>
  visitIds.length === 0
    ? []
    : db
        .selectFrom(sql<{ id: string }>`unnest(${[...new Set(visitIds)]}::uuid[])`.as<'wanted'>(sql`wanted(id)`))
        .innerJoinLateral(
          (eb) =>
            eb
              .selectFrom('visitLines')
              .selectAll()
              .where('businessId', '=', db.businessId)
              .whereRef('visitId', '=', 'wanted.id')
              // visit by visit: for thousands of them the database would read all lines of the business instead
              .offset(0)
              .as('line'),
          (join) => join.onTrue(),
        )
        .innerJoin('services', (join) =>
          join.onRef('services.businessId', '=', 'line.businessId').onRef('services.id', '=', 'line.serviceId'),
        )
        .select([
          'line.id',
          'line.visitId',
          'line.serviceId',
          'line.description',
          'line.quantity',
          'line.unitPriceCents',
          'services.taxCategory',
        ])
        .select((eb) => eb.fn.coalesce('line.title', 'services.name').as('name'))
        .select(onPlan.as('covered'))
        .orderBy('line.position')
        .orderBy('line.id')
        .execute()
