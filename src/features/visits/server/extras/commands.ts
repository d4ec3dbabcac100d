import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { lineCents } from '../../../../shared/money.ts'
import { type LockedVisit, writeVisit } from '../row/commands.ts'

/** Lines of a visit that come of no job: what its crew said at the stop. They stand after the others, and only these commands change them. */

export type ExtraLine = {
  extraId: string
  serviceId: string
  title: string
  titleEs: string
  description: string
  quantity: number
  unitPriceCents: number
  /** Labor that it adds to the visit. */
  budgetMinutes: number
}

const find = (db: TenantDb, visitId: string, extraId: string) =>
  db
    .selectFrom('visitLines')
    .select(['id', 'quantity', 'unitPriceCents', 'budgetMinutes'])
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visitId)
    .where('extraId', '=', extraId)
    .executeTakeFirst()

/** What of a visit's price and of its labor comes of no job. */
export const extraPartOf = (db: TenantDb, visitId: string): Promise<{ cents: number; minutes: number }> =>
  db
    .selectFrom('visitLines')
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visitId)
    .where('extraId', 'is not', null)
    .select([
      sql<number>`coalesce(sum(round(quantity * unit_price_cents)), 0)::int`.as('cents'),
      sql<number>`coalesce(sum(budget_minutes), 0)::int`.as('minutes'),
    ])
    .executeTakeFirstOrThrow()

/** The visit costs and takes so much more; while it is skipped with a charge, it costs its charge. */
const changed = async (
  db: TenantDb,
  visit: LockedVisit,
  { cents: moreCents, minutes }: { cents: number; minutes: number },
): Promise<void> => {
  if (minutes !== 0)
    await sql`update visits set budget_minutes = greatest(0, budget_minutes + ${minutes}::int)
      where business_id = ${db.businessId} and id = ${visit.id}`.execute(db)
  await writeVisit(
    db,
    visit,
    // held as it is: a new schedule of its job would write its lines anew
    {
      locked: true,
      ...(visit.skipChargeCents === null ? { priceCents: Math.max(0, visit.priceCents + moreCents) } : {}),
    },
  )
}

/** Puts an extra on a visit that the caller has locked, once; a second time it takes the price that is given then. */
export const putExtraLineTx = async (db: TenantDb, visit: LockedVisit, line: ExtraLine): Promise<void> => {
  const known = await find(db, visit.id, line.extraId)
  const cents = lineCents(line.quantity, line.unitPriceCents)
  if (known) {
    await db
      .updateTable('visitLines')
      .set({ quantity: line.quantity, unitPriceCents: line.unitPriceCents })
      .where('businessId', '=', db.businessId)
      .where('id', '=', known.id)
      .execute()
    await changed(db, visit, { cents: cents - lineCents(Number(known.quantity), known.unitPriceCents), minutes: 0 })
    return
  }
  const { last } = await db
    .selectFrom('visitLines')
    .select(sql<number>`coalesce(max(position), 0)::int`.as('last'))
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visit.id)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('visitLines')
    .values({
      ...line,
      businessId: db.businessId,
      id: newId(),
      visitId: visit.id,
      position: last + 1,
    })
    .execute()
  await changed(db, visit, { cents, minutes: line.budgetMinutes })
}

/** Takes an extra off its visit, with what it costs by now; where it is gone already nothing happens. */
export const takeExtraLineTx = async (db: TenantDb, visit: LockedVisit, extraId: string): Promise<void> => {
  const known = await find(db, visit.id, extraId)
  if (!known) return
  await db.deleteFrom('visitLines').where('businessId', '=', db.businessId).where('id', '=', known.id).execute()
  await changed(db, visit, {
    cents: -lineCents(Number(known.quantity), known.unitPriceCents),
    minutes: -known.budgetMinutes,
  })
}
