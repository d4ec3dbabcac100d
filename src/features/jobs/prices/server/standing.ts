import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/**
 * Work of changes of prices that still gets its price on its day: its job goes on until then, nobody took the change back or priced the work otherwise
 * since. Only of that customers are told.
 */
export const standingLines = (db: TenantDb, changeIds: readonly string[]) =>
  db
    .selectFrom('priceChangeLines as n')
    .innerJoin('priceChanges as g', (x) =>
      x.onRef('g.businessId', '=', 'n.businessId').onRef('g.id', '=', 'n.changeId'),
    )
    .innerJoin('jobLines as l', (x) => x.onRef('l.businessId', '=', 'n.businessId').onRef('l.id', '=', 'n.jobLineId'))
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'l.businessId').onRef('j.id', '=', 'l.jobId'))
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'))
    .where('n.businessId', '=', db.businessId)
    .where('n.changeId', '=', sql<string>`any(${[...changeIds]}::uuid[])`)
    .where('g.undoneAt', 'is', null)
    .where('l.archivedAt', 'is', null)
    .where('j.archivedAt', 'is', null)
    .where('j.status', 'in', ['draft', 'active', 'paused'])
    .where((eb) => eb.or([eb('j.endOn', 'is', null), eb('j.endOn', '>=', eb.ref('g.fromOn'))]))
    .where(
      sql<boolean>`line_price_by_terms(${sql.ref('l.id')}, ${sql.ref('j.earlierTerms')}, ${sql.ref('l.unitPriceCents')}, ${sql.ref('l.nextUnitPriceCents')},
        ${sql.ref('l.nextPriceOn')}, ${sql.ref('l.laterPrices')}, ${sql.ref('g.fromOn')}) = ${sql.ref('n.afterCents')}`,
    )

/** The same of some customers, as they are told of it. */
export const standingWork = (db: TenantDb, changeId: string, customerIds: readonly string[]) =>
  standingLines(db, [changeId])
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .innerJoin('services as s', (x) => x.onRef('s.businessId', '=', 'l.businessId').onRef('s.id', '=', 'l.serviceId'))
    .where('j.customerId', '=', sql<string>`any(${[...customerIds]}::uuid[])`)
    .select([
      'j.customerId',
      's.name as serviceName',
      's.nameEs as serviceNameEs',
      'l.quantity',
      'n.beforeCents',
      'n.afterCents',
    ])
    .select(['c.name', 'c.language', 'p.street', 'p.city', 'p.state', 'p.zip'])
    .select(['c.billingStreet', 'c.billingCity', 'c.billingState', 'c.billingZip'])
    .orderBy('c.name')
    .orderBy('l.id')
