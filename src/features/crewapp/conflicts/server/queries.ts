import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { CommandPayload, HeldType } from '../../rules.ts'
import type { ConflictAnswer } from '../contract.ts'

const answerDays = 30
const mostAnswers = 100

/** The newest of what the office decided about a person's work that was not applied: what a phone holds beyond them it asks about (`listAnswersTo`). Only a decision is an answer: what the office does with the visit is none. */
export const listAnswers = async (db: TenantDb, userId: string): Promise<ConflictAnswer[]> => {
  const since = new Date(clock.nowMs() - answerDays * 86_400_000).toISOString()
  const { rows } = await sql<ConflictAnswer>`
    select k.id as "commandId", k.decision, k.decision_note as note, coalesce(split_part(u.name, ' ', 1), '') as by
    from crew_commands k
    left join users u on u.business_id = k.business_id and u.id = k.decided_by
    where k.business_id = ${db.businessId} and k.user_id = ${userId} and k.decided_at > ${since}::timestamptz
    order by k.decided_at desc limit ${mostAnswers}`.execute(db)
  return rows
}

/** What the office decided about these commands of a person, however long ago and however much it decided since. */
export const listAnswersTo = async (
  db: TenantDb,
  userId: string,
  commandIds: readonly string[],
): Promise<ConflictAnswer[]> => {
  const { rows } = await sql<ConflictAnswer>`
    select k.id as "commandId", k.decision, k.decision_note as note, coalesce(split_part(u.name, ' ', 1), '') as by
    from crew_commands k
    left join users u on u.business_id = k.business_id and u.id = k.decided_by
    where k.business_id = ${db.businessId} and k.id = any(${sql.val([...commandIds])}::uuid[])
      and k.user_id = ${userId} and k.decided_at is not null`.execute(db)
  return rows
}

/** What of a visit's conflicts is decided together: its work, its skip; every sum, every treatment and every extra alone. Conflicts of the clock are decided on the sheet. */
export const conflictGroup = (k: string) =>
  sql.raw(
    `(case when ${k}.type in ('collect', 'treat', 'overgrown', 'sell', 'drop_extra') then ${k}.id::text when ${k}.type in ('skip', 'undo_skip') then 'skip' else 'work' end)`,
  )

export type OpenConflict = {
  id: string
  userId: string
  name: string
  permissions: string[]
  type: HeldType
  visitId: string
  reason: string | null
  payload: CommandPayload
  at: string
  attempt: number
}

/** What waits for a decision together with a command, in the order of the thumb. Empty when nothing does. */
export const listOpenWith = async (db: TenantDb, commandId: string): Promise<OpenConflict[]> => {
  const { rows } = await sql<OpenConflict>`
    select k.id, k.user_id as "userId", u.name, u.permissions, k.type, k.reason, k.visit_id as "visitId", k.payload, k.device_at as at, k.attempt
    from crew_commands x
    join crew_commands k on k.business_id = x.business_id and k.visit_id = x.visit_id and ${conflictGroup('k')} = ${conflictGroup('x')}
    join users u on u.business_id = k.business_id and u.id = k.user_id
    where x.business_id = ${db.businessId} and x.id = ${commandId} and k.result = 'conflict' and k.decided_at is null
    order by k.happened_at, k.received_at
    limit 200`.execute(db)
  return rows
}

/** How it ended with a command that waits no more: by somebody's decision, or because it was taken since; null where there never was anything. */
export const findEnded = async (db: TenantDb, commandId: string) => {
  const row = await db
    .selectFrom('crewCommands as k')
    .leftJoin('users as u', (j) => j.onRef('u.businessId', '=', 'k.businessId').onRef('u.id', '=', 'k.decidedBy'))
    .select(['k.decision', 'k.attempt', 'u.name as by'])
    .where('k.businessId', '=', db.businessId)
    .where('k.id', '=', commandId)
    .where('k.visitId', 'is not', null)
    .where((eb) => eb.or([eb('k.decision', 'is not', null), eb('k.attempt', '>', 1)]))
    .executeTakeFirst()
  return row ?? null
}
