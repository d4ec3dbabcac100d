import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import type { Day } from '../../../shared/dates.ts'
import { type ClockAction, forgottenAfterHours } from '../rules.ts'
import type { LateEvent } from './late.ts'

/** Time that came into a locked week: kept as it was said, until the office decides. */

export type ClockTap = {
  action: ClockAction
  kind?: 'work' | 'shop' | 'rain' | undefined
  endedAt?: string | undefined
}

const held = (db: TenantDb) => db.selectFrom('heldTimes').where('businessId', '=', db.businessId)

/** What became of a command that had come into a locked week; null when it never had. */
export const findHeld = async (db: TenantDb, { userId, commandId }: Pick<LateEvent, 'userId' | 'commandId'>) =>
  commandId
    ? ((await held(db)
        .select(['id', 'decision'])
        .where('userId', '=', userId)
        .where('commandId', '=', commandId)
        .executeTakeFirst()) ?? null)
    : null

/**
 * Keeps a tap beside the week that is locked: the one that it would change, which is not always that of its own instant (a night over the end of a
 * week belongs to the week in which it began).
 */
export const holdTimeTx = async (
  db: TenantDb,
  event: LateEvent,
  { action, kind, endedAt, week }: ClockTap & { week: Day },
): Promise<void> => {
  if (!event.commandId) return
  await db
    .insertInto('heldTimes')
    .values({
      businessId: db.businessId,
      id: newId(),
      userId: event.userId,
      week,
      commandId: event.commandId,
      action,
      kind: kind ?? null,
      at: event.at,
      endedAt: endedAt ?? null,
      crewId: event.crewId,
      saidBy: event.by ?? '',
      skewSeconds: event.skewSeconds,
      receivedAt: clock.iso(),
    })
    .onConflict((c) => c.columns(['businessId', 'userId', 'commandId']).doUpdateSet({ week }))
    .execute()
  await publishChange(db, 'timeclock', [event.userId])
}

/** The locked week in which something began that waits for the office and that a tap of this instant can belong to; null when nothing does. */
export const findHeldWeek = async (db: TenantDb, userId: string, at: string): Promise<Day | null> => {
  const row = await held(db)
    .select('week')
    .where('userId', '=', userId)
    .where('decision', 'is', null)
    .where('at', '<=', at)
    .where('at', '>=', new Date(Date.parse(at) - forgottenAfterHours * 3600_000).toISOString())
    .where('action', '!=', 'clock_out')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.week ?? null
}

const mostHeld = 200

/** What waits of a person's weeks, in the order in which it was. */
export const listHeldOf = (db: TenantDb, userId: string, weeks: readonly Day[]) =>
  held(db)
    .select(['id', 'week', 'commandId', 'action', 'kind', 'at', 'endedAt', 'crewId', 'saidBy', 'skewSeconds'])
    .where('userId', '=', userId)
    .where('week', 'in', [...weeks])
    .where('decision', 'is', null)
    .orderBy(sql`least(ended_at, at)`)
    .orderBy('id')
    .limit(mostHeld * weeks.length)
    .execute()

export const listHeld = (db: TenantDb, userId: string, week: Day) => listHeldOf(db, userId, [week])

/** How much waits of each person's weeks, by person and week. */
export const countHeld = async (db: TenantDb, weeks: readonly Day[]): Promise<Map<string, number>> => {
  const rows = await held(db)
    .select((eb) => ['userId', 'week', eb.fn.countAll<number>().as('count')])
    .where('week', 'in', [...weeks])
    .where('decision', 'is', null)
    .groupBy(['userId', 'week'])
    .execute()
  return new Map(rows.map(({ userId, week, count }) => [`${userId} ${week}`, Number(count)]))
}

export const decideHeldTx = async (
  db: TenantDb,
  ids: readonly string[],
  { decision, by }: { decision: 'counted' | 'left_out'; by: string | null },
): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('heldTimes')
    .set({ decision, decidedBy: by, decidedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .where('decision', 'is', null)
    .execute()
}

const toldForMs = 60 * 86_400_000

/** Commands of a person that the office has decided about: the phone need not worry any more. */
export const listSettled = async (db: TenantDb, userId: string): Promise<string[]> => {
  const rows = await held(db)
    .select('commandId')
    .where('userId', '=', userId)
    .where('decidedAt', '>', new Date(clock.nowMs() - toldForMs).toISOString())
    .orderBy('decidedAt', 'desc')
    .limit(200)
    .execute()
  return rows.map(({ commandId }) => commandId)
}
