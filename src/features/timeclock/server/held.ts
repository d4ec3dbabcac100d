import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import type { Day } from '../../../shared/dates.ts'
import type { ClockAction } from '../rules.ts'
import { weekAt } from '../sheets/server/keep.ts'
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

export const holdTimeTx = async (
  db: TenantDb,
  event: LateEvent,
  { action, kind, endedAt }: ClockTap,
): Promise<void> => {
  if (!event.commandId) return
  await db
    .insertInto('heldTimes')
    .values({
      businessId: db.businessId,
      id: newId(),
      userId: event.userId,
      week: weekAt(endedAt ?? event.at, event.timeZone),
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
    .onConflict((c) => c.columns(['businessId', 'userId', 'commandId']).doNothing())
    .execute()
  await publishChange(db, 'timeclock', [event.userId])
}

/** What waits of a person's week, in the order in which it was said. */
export const listHeld = (db: TenantDb, userId: string, week: Day) =>
  held(db)
    .select(['id', 'commandId', 'action', 'kind', 'at', 'endedAt', 'crewId', 'saidBy', 'skewSeconds'])
    .where('userId', '=', userId)
    .where('week', '=', week)
    .where('decision', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .limit(200)
    .execute()

/** How much waits of each person's week. */
export const countHeld = async (db: TenantDb, week: Day): Promise<Map<string, number>> => {
  const rows = await held(db)
    .select((eb) => ['userId', eb.fn.countAll<number>().as('count')])
    .where('week', '=', week)
    .where('decision', 'is', null)
    .groupBy('userId')
    .execute()
  return new Map(rows.map(({ userId, count }) => [userId, Number(count)]))
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
