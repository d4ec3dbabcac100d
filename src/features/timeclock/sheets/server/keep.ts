import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Day, dayOf, startOfWeek } from '../../../../shared/dates.ts'
import type { EntryKind } from '../../rules.ts'
import type { SheetChange } from '../contract.ts'

/** The Monday of the week that an instant belongs to. */
export const weekAt = (instant: string, timeZone: string): Day => startOfWeek(dayOf(instant, timeZone))

/** Nothing is added to a week while it is locked, and it is not locked while something is added. */
export const holdWeekTx = async (db: TenantDb, week: Day, how: 'add' | 'lock'): Promise<void> => {
  const key = sql`hashtextextended(${`payroll:${db.businessId}:${week}`}, 0)`
  await (how === 'lock'
    ? sql`select pg_advisory_xact_lock(${key})`
    : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(db)
}

export const isLocked = async (db: TenantDb, week: Day): Promise<boolean> => {
  const row = await db
    .selectFrom('payrollWeeks')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('week', '=', week)
    .executeTakeFirst()
  return row !== undefined
}

/** Payroll has been run for a week that something would change: nothing of it is put down, the office decides. */
export class LockedWeek extends Error {
  readonly week: Day
  constructor(week: Day) {
    super(`The week of ${week} is locked.`)
    this.week = week
  }
}

/** The row of a person's week, locked; made when there is none. */
export const lockSheetTx = async (db: TenantDb, userId: string, week: Day) => {
  const now = clock.iso()
  await db
    .insertInto('timesheets')
    .values({ businessId: db.businessId, id: newId(), userId, week, version: 0, createdAt: now, updatedAt: now })
    .onConflict((c) => c.columns(['businessId', 'userId', 'week']).doNothing())
    .execute()
  return db
    .selectFrom('timesheets')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('week', '=', week)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export type SheetRow = Awaited<ReturnType<typeof lockSheetTx>>

type SheetSet = Partial<Pick<SheetRow, 'status' | 'submittedAt' | 'decidedAt' | 'decidedBy' | 'reason' | 'request'>>

/** Writes a week and counts its version up, so that nobody decides on what they have not seen. */
export const writeSheetTx = async (db: TenantDb, row: SheetRow, set: SheetSet): Promise<void> => {
  await db
    .updateTable('timesheets')
    .set({ ...set, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
}

type Span = { kind: EntryKind; startedAt: string; endedAt: string | null }

/** Adds to the trail of a week. */
export const noteChangeTx = async (
  db: TenantDb,
  change: {
    userId: string
    week: Day
    action: SheetChange['action']
    by: string | null
    reason?: string
    before?: Span | null
    after?: Span | null
  },
): Promise<void> => {
  const { userId, week, action, by, reason = '', before = null, after = null } = change
  await db
    .insertInto('timesheetChanges')
    .values({
      businessId: db.businessId,
      id: newId(),
      userId,
      week,
      action,
      byUserId: by,
      reason,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
      at: clock.iso(),
    })
    .execute()
}

/**
 * The clock adds something to a week. One that was handed in or approved is open again, because nobody has seen this.
 * @returns false when the week is locked and nothing may be added
 */
export const openWeekTx = async (db: TenantDb, userId: string, at: string, timeZone: string): Promise<boolean> => {
  const week = weekAt(at, timeZone)
  await holdWeekTx(db, week, 'add')
  if (await isLocked(db, week)) return false
  const row = await lockSheetTx(db, userId, week)
  const isDecided = row.status === 'submitted' || row.status === 'approved'
  const reason = 'Time came in from the phone after the week was handed in.'
  await writeSheetTx(db, row, isDecided ? { status: 'open', reason } : {})
  if (isDecided) await noteChangeTx(db, { userId, week, action: 'reopened', by: null, reason })
  return true
}

/** The same where nothing goes on without it. @throws LockedWeek */
export const requireOpenWeekTx = async (db: TenantDb, userId: string, at: string, timeZone: string): Promise<void> => {
  if (!(await openWeekTx(db, userId, at, timeZone))) throw new LockedWeek(weekAt(at, timeZone))
}
