import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { Scope } from '../../../../shared/topics.ts'

/** The crews that a person is on at a day, the first one first. */
export const crewIdsOf = async (db: TenantDb, userId: string, day: Day): Promise<string[]> => {
  const rows = await db
    .selectFrom('crewMembers')
    .select('crewId')
    .distinctOn('crewId')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('validFrom', '<=', day)
    .where((eb) => eb.or([eb('validTo', 'is', null), eb('validTo', '>=', day)]))
    .orderBy('crewId')
    .execute()
  return rows.map((r) => r.crewId)
}

export type Place = 'mine' | 'notMine' | 'unknown'

/** Whether a visit is work of a person's crew: as it was sent to them or as it is planned, on the day for which that holds. For SQL, the visit is `v`. */
const mineOf = (actor: Actor) => sql<boolean>`exists (
  select 1 from crew_members m
  where m.business_id = v.business_id and m.user_id = ${actor.userId}
    and ((m.crew_id = v.crew_id and v.day >= m.valid_from and (m.valid_to is null or v.day <= m.valid_to))
      or (m.crew_id = v.published_crew_id and v.published_day >= m.valid_from and (m.valid_to is null or v.published_day <= m.valid_to)))
)`

/** Whether a visit is work of this person's crew. */
export const placeOf = async (db: TenantDb, actor: Actor, visitId: string): Promise<Place> => {
  const { rows } = await sql<{ mine: boolean }>`
    select ${mineOf(actor)} as mine from visits v where v.business_id = ${db.businessId} and v.id = ${visitId}`.execute(
    db,
  )
  const row = rows[0]
  return row ? (row.mine ? 'mine' : 'notMine') : 'unknown'
}

/** Those of the visits that are work of this person's crew. */
export const listMine = async (db: TenantDb, actor: Actor, visitIds: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select v.id from visits v where v.business_id = ${db.businessId} and v.id = any(${visitIds}::uuid[]) and ${mineOf(actor)}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The days and crews whose plan shows a visit. */
export const scopeOfVisit = async (db: TenantDb, visitId: string): Promise<Scope> => {
  const visit = await db
    .selectFrom('visits')
    .select(['day', 'crewId', 'publishedDay', 'publishedCrewId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  // One that is gone is in nobody's plan.
  if (!visit) return { days: [], crewIds: [] }
  return { days: [visit.day, visit.publishedDay], crewIds: [visit.crewId, visit.publishedCrewId] }
}

/** Whether a person may finish a crew's stop although a required item is open: its leader, or anybody where there is none. */
export const mayFinishWithout = async (db: TenantDb, actor: Actor, crewId: string | null): Promise<boolean> => {
  const crew = crewId
    ? await db
        .selectFrom('crews')
        .select('leaderUserId')
        .where('businessId', '=', db.businessId)
        .where('id', '=', crewId)
        .executeTakeFirst()
    : undefined
  return !crew?.leaderUserId || crew.leaderUserId === actor.userId
}

/** Whether a person may clock a whole crew in and out: its leader. */
export const mayClockCrew = async (db: TenantDb, actor: Actor, crewId: string | null): Promise<boolean> => {
  if (!crewId) return false
  const crew = await db
    .selectFrom('crews')
    .select('leaderUserId')
    .where('businessId', '=', db.businessId)
    .where('id', '=', crewId)
    .executeTakeFirst()
  return crew?.leaderUserId === actor.userId
}
