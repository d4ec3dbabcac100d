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

/** The rows of people's weeks, locked in the order of the people; made where there are none. */
export const lockSheetsTx = async (db: TenantDb, userIds: readonly string[], week: Day) => {
  if (userIds.length === 0) return []
  const now = clock.iso()
  const ordered = [...new Set(userIds)].sort()
  const none = { businessId: db.businessId, week, version: 0, createdAt: now, updatedAt: now }
  await db
    .insertInto('timesheets')
    .values(ordered.map((userId) => ({ ...none, id: newId(), userId })))
    .onConflict((c) => c.columns(['businessId', 'userId', 'week']).doNothing())
    .execute()
  return db
    .selectFrom('timesheets')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('userId', 'in', ordered)
    .where('week', '=', week)
    .orderBy('userId')
    .forUpdate()
    .execute()
}

/** The row of a person's week, locked; made when there is none. */
export const lockSheetTx = async (db: TenantDb, userId: string, week: Day) => {
  const [row] = await lockSheetsTx(db, [userId], week)
  if (!row) throw new Error('A week that was made a moment ago is gone.')
  return row
}

export type SheetRow = Awaited<ReturnType<typeof lockSheetTx>>

type SheetSet = Partial<Pick<SheetRow, 'status' | 'submittedAt' | 'decidedAt' | 'decidedBy' | 'reason' | 'request'>>

/** Writes weeks and counts their versions up, so that nobody decides on what they have not seen. */
export const writeSheetsTx = async (db: TenantDb, rows: readonly SheetRow[], set: SheetSet): Promise<void> => {
  if (rows.length === 0) return
  await db
    .updateTable('timesheets')
    .set((eb) => ({ ...set, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
}

/** The same with one week. */
export const writeSheetTx = (db: TenantDb, row: SheetRow, set: SheetSet): Promise<void> => writeSheetsTx(db, [row], set)

type Span = { kind: EntryKind; startedAt: string; endedAt: string | null }

type NewChange = {
  userId: string
  week: Day
  action: SheetChange['action']
  by: string | null
  reason?: string
  before?: Span | null
  after?: Span | null
}

/** Adds to the trails of weeks. */
export const noteChangesTx = async (db: TenantDb, changes: readonly NewChange[]): Promise<void> => {
  if (changes.length === 0) return
  await db
    .insertInto('timesheetChanges')
    .values(
      changes.map(({ userId, week, action, by, reason = '', before = null, after = null }) => ({
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
      })),
    )
    .execute()
}

/** Adds to the trail of a week. */
export const noteChangeTx = (db: TenantDb, change: NewChange): Promise<void> => noteChangesTx(db, [change])

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
