import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { CommandPayload, CommandType } from '../../rules.ts'
import type { ConflictAnswer } from '../contract.ts'

const answerDays = 30
const mostAnswers = 100

/** What the office decided about a person's work that was not applied: said by itself, or by what it did with the visit. */
export const listAnswers = async (db: TenantDb, userId: string): Promise<ConflictAnswer[]> => {
  const since = new Date(clock.nowMs() - answerDays * 86_400_000).toISOString()
  const { rows } = await sql<ConflictAnswer>`
    select k.id as "commandId", coalesce(k.decision, 'seen') as decision, k.decision_note as note,
      coalesce(split_part(u.name, ' ', 1), split_part(a.name, ' ', 1), '') as by
    from crew_commands k
    left join users u on u.business_id = k.business_id and u.id = k.decided_by
    left join lateral (
      select p.name from audit_log l join users p on p.business_id = l.business_id and p.id = l.actor_id
      where l.business_id = k.business_id and l.entity_type = 'visit' and l.entity_id = k.visit_id and l.actor_kind = 'user'
        and l.at > k.received_at and l.actor_id <> k.user_id
      order by l.at desc limit 1) a on k.decided_at is null
    where k.business_id = ${db.businessId} and k.user_id = ${userId} and k.received_at > ${since}::timestamptz
      and (k.decided_at is not null or (k.result = 'conflict' and a.name is not null))
    order by k.received_at desc limit ${mostAnswers}`.execute(db)
  return rows
}

export type OpenConflict = {
  id: string
  userId: string
  name: string
  permissions: string[]
  type: CommandType
  visitId: string | null
  payload: CommandPayload
  at: string
  attempt: number
}

/** What waits for a decision together with a command: all of its visit, in the order of the thumb. Empty when nothing does. */
export const listOpenWith = async (db: TenantDb, commandId: string): Promise<OpenConflict[]> => {
  const { rows } = await sql<OpenConflict>`
    select k.id, k.user_id as "userId", u.name, u.permissions, k.type, k.visit_id as "visitId", k.payload, k.device_at as at, k.attempt
    from crew_commands k
    join users u on u.business_id = k.business_id and u.id = k.user_id
    where k.business_id = ${db.businessId} and k.result = 'conflict' and k.decided_at is null
      and (k.id = ${commandId} or k.visit_id = (select x.visit_id from crew_commands x where x.business_id = ${db.businessId} and x.id = ${commandId}))
    order by k.happened_at, k.received_at
    limit 200`.execute(db)
  return rows
}
