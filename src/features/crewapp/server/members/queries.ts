import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { Scope } from '../../../../shared/topics.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'

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

type Lead = { leads: boolean; hasLeader: boolean }

/**
 * Whether a person leads a crew on a day: its leader does, and on a day on which the leader is off, or where there is none, everybody who is with the
 * crew and may lead one.
 */
const leadOf = async (db: TenantDb, actor: Actor, crewId: string, day: Day): Promise<Lead> => {
  const { rows } = await sql<{ leaderUserId: string | null; leaderThere: boolean; meThere: boolean }>`
    select c.leader_user_id as "leaderUserId",
      exists (select 1 from ${crewPresent(db, sql.ref('c.id'), day)} m where m.user_id = c.leader_user_id) as "leaderThere",
      exists (select 1 from ${crewPresent(db, sql.ref('c.id'), day)} m where m.user_id = ${actor.userId}) as "meThere"
    from crews c where c.business_id = ${db.businessId} and c.id = ${crewId}`.execute(db)
  const [row] = rows
  if (!row) return { leads: false, hasLeader: false }
  const standsIn = !row.leaderThere && row.meThere && hasPermission(actor, 'crewLead')
  return { leads: row.leaderUserId === actor.userId || standsIn, hasLeader: row.leaderUserId !== null }
}

/** Whether a person may finish a crew's stop of a day although a required item is open: who leads it then, or anybody where there is no leader. */
export const mayFinishWithout = async (
  db: TenantDb,
  actor: Actor,
  crewId: string | null,
  day: Day,
): Promise<boolean> => {
  if (!crewId) return true
  const { leads, hasLeader } = await leadOf(db, actor, crewId, day)
  return leads || !hasLeader
}

/** Whether a person may clock a whole crew in and out on a day: who leads it then. */
export const mayClockCrew = async (db: TenantDb, actor: Actor, crewId: string | null, day: Day): Promise<boolean> =>
  crewId !== null && (await leadOf(db, actor, crewId, day)).leads
