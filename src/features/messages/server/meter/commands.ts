import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { dayOf } from '../../../../shared/dates.ts'
import type { MessageStatus } from '../../rules.ts'

const monthOf = async (db: TenantDb): Promise<string> => {
  const { timeZone } = await db
    .selectFrom('businesses')
    .select('timeZone')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return dayOf(clock.now(), timeZone).slice(0, 7)
}

/** One text after the other is measured against the plan: whoever holds this reads a count that stays true until they commit. */
export const lockMeterTx = async (db: TenantDb): Promise<void> => {
  await db
    .insertInto('textMonths')
    .values({ businessId: db.businessId, month: await monthOf(db), segments: 0 })
    // an update, not nothing: it is what takes the lock where the row is there already
    .onConflict((c) => c.columns(['businessId', 'month']).doUpdateSet({ segments: sql<number>`text_months.segments` }))
    .execute()
}

const addTx = (db: TenantDb, month: string, segments: number) =>
  db
    .insertInto('textMonths')
    .values({ businessId: db.businessId, month, segments: Math.max(0, segments) })
    .onConflict((c) =>
      c
        .columns(['businessId', 'month'])
        .doUpdateSet({ segments: sql<number>`greatest(0, text_months.segments + ${segments})` }),
    )
    .execute()

/** Counts a text as it leaves, and no longer once it is known that it did not and waits again. */
export const meterTx = async (db: TenantDb, id: string, status: MessageStatus): Promise<void> => {
  const counted = (month: string | null) =>
    db
      .updateTable('messages')
      .set({ countedMonth: month })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .where('channel', '=', 'sms')
      .where('direction', '=', 'outbound')
      .where('purpose', '!=', 'account')
  if (status === 'sending') {
    const month = await monthOf(db)
    const left = await counted(month).where('countedMonth', 'is', null).returning('segments').executeTakeFirst()
    if (left) await addTx(db, month, left.segments)
  }
  if (status === 'pending' || status === 'held' || status === 'suppressed') {
    const before = await db
      .selectFrom('messages')
      .select(['countedMonth', 'segments'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!before?.countedMonth) return
    await counted(null).execute()
    await addTx(db, before.countedMonth, -before.segments)
  }
}
