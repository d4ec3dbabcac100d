import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** Visits that were booked in each other's place: of all of them at most one is open or done. */

type Named = 'v' | 'visits'
const column = (visit: Named, name: string) => sql.ref(`${visit}.${name}`)

/** The other day that a visit was given, for as long as it is not canceled there: `visit` is how the statement names this one. */
export const rebookedAs = (visit: Named) =>
  sql<string | null>`(select r.id from visits r where r.business_id = ${column(visit, 'businessId')}
    and r.rebooked_from = ${column(visit, 'id')} and r.status <> 'canceled' order by r.id desc limit 1)`

/** Whether of all that were booked in each other's place, however often, another one is open or done. */
export const elsewhere = (visit: Named) =>
  sql<boolean>`exists (with recursive family as (
      select ${column(visit, 'id')} as id, ${column(visit, 'rebookedFrom')} as source
      union select o.id, o.rebooked_from from family f
        join visits o on o.business_id = ${column(visit, 'businessId')} and (o.id = f.source or o.rebooked_from = f.id))
    select 1 from family f join visits o on o.business_id = ${column(visit, 'businessId')} and o.id = f.id
    where f.id <> ${column(visit, 'id')} and o.status not in ('skipped', 'missed', 'canceled'))`

/** Whether a visit has another day or its work stands elsewhere: nothing brings it back, and it gets no further day. */
export const hasOtherDay = (visit: Named) => sql<boolean>`(${rebookedAs(visit)} is not null or ${elsewhere(visit)})`

/**
 * Holds a visit and all in whose place it was booked, up to the first: of one family only one transaction at a time changes a visit. What the
 * others are is read after this, in a statement of its own: one that waited for a lock still sees them as they were before.
 */
export const lockFamily = async (db: TenantDb, visitId: string): Promise<void> => {
  await sql`select id from visits where business_id = ${db.businessId} and id = any(array(
      with recursive line as (
        select v.id, v.rebooked_from from visits v where v.business_id = ${db.businessId} and v.id = ${visitId}
        union select o.id, o.rebooked_from from line l
          join visits o on o.business_id = ${db.businessId} and o.id = l.rebooked_from)
      select id from line))
    order by id for update`.execute(db)
}
