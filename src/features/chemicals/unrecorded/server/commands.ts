import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import type { Unrecorded } from '../contract.ts'
import { getUnrecorded } from './queries.ts'

type Held = {
  id: string
  visitId: string | null
  kind: Unrecorded['kind']
  reason: string
  typed: Record<string, unknown>
  at: string
}

/** Keeps what a phone sent and no record holds, for the office to look at; the same id again is kept as it came last, unless somebody has decided. */
export const holdApplicationTx = async (db: TenantDb, actor: Actor, { typed, ...held }: Held): Promise<void> => {
  const row = { ...held, reason: held.reason.slice(0, 1000), typed: JSON.stringify(typed) }
  await db
    .insertInto('unrecordedApplications')
    .values({ ...row, businessId: db.businessId, userId: actor.userId, createdAt: clock.iso() })
    .onConflict((c) =>
      c
        .columns(['businessId', 'id'])
        .doUpdateSet({ reason: row.reason, typed: row.typed })
        .where('unrecordedApplications.settledAt', 'is', null),
    )
    .execute()
  await publishChange(db, 'visits', held.visitId ? [held.visitId] : undefined)
}

/**
 * A record is there: what waited under its id is done, and where it lacks nothing, so is what was said at the finish of its visit.
 */
export const settleByRecordTx = async (
  db: TenantDb,
  actor: Actor,
  { recordId, visitId, whole }: { recordId: string; visitId: string | null; whole: boolean },
): Promise<void> => {
  await sql`update unrecorded_applications set settled_at = ${clock.iso()}, settled_by = ${actor.userId}
    where business_id = ${db.businessId} and settled_at is null
      and (id = ${recordId} or (kind = 'without' and ${whole} and visit_id = ${visitId}))`.execute(db)
}

/** Somebody of the office says that nothing is to be recorded; the first answer counts. @throws AppError not_found */
export const settleUnrecorded = (actor: Actor, id: string, note: string): Promise<Unrecorded> =>
  withTenant(actor, async (db) => {
    const { visitId, settledAt } = await getUnrecorded(db, id)
    if (settledAt) return getUnrecorded(db, id)
    await db
      .updateTable('unrecordedApplications')
      .set({ settledAt: clock.iso(), settledBy: actor.userId, settledNote: note })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .where('settledAt', 'is', null)
      .execute()
    await answerPhoneTx(db, actor, { id, visitId, note, counts: false })
    await publishChange(db, 'visits', visitId ? [visitId] : undefined)
    return getUnrecorded(db, id)
  })

/** The office's answer to the phone whose record was not taken. */
export const answerPhoneTx = async (
  db: TenantDb,
  actor: Actor,
  { id, visitId, note, counts }: { id: string; visitId: string | null; note: string; counts: boolean },
): Promise<void> => {
  if (visitId) await audit(db, actor, 'visit.applicationDecided', { type: 'visit', id: visitId }, { after: { note } })
  await emit(db, 'application.decided', { id, counts, note, userId: actor.userId })
}
