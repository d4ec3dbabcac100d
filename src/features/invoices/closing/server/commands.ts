import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { jsonOf } from '../../../../platform/db/rows.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { AppError, conflict } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { Closings, closingApi } from '../contract.ts'
import {
  closedMonthMessage,
  closingRefusals,
  daysOfMonth,
  isClosedDay,
  lateNote,
  monthLabel,
  onlyOwnerMessage,
} from '../rules.ts'
import { closedThrough, isAnyOpen, listClosings, listOpenItems } from './queries.ts'

/** Why somebody may date money in a closed month. */
export type ClosedMonthException = { who: Who; reason: string }

const lockName = (db: TenantDb) => sql`hashtextextended(${`books:${db.businessId}`}, 0)`

/** The last closed day, held so until the commit: who closes a month waits for money that is being booked, and the other way round. */
const holdClosedThroughTx = async (db: TenantDb): Promise<Day | null> => {
  await sql`select pg_advisory_xact_lock_shared(${lockName(db)})`.execute(db)
  return closedThrough(db)
}

type Row = {
  action: 'closed' | 'reopened' | 'exception'
  closedThrough: Day | null
  onDay: Day
  reason?: string
  detail?: string
  leftOpen?: unknown
}

const addRowTx = async (db: TenantDb, who: Who, row: Row): Promise<string> => {
  const id = newId()
  const { last } = await db
    .selectFrom('monthClosings')
    .select((eb) => eb.fn.max('seq').as('last'))
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('monthClosings')
    .values({
      businessId: db.businessId,
      id,
      seq: (last ?? 0) + 1,
      action: row.action,
      closedThrough: row.closedThrough,
      onDay: row.onDay,
      reason: row.reason ?? '',
      detail: row.detail ?? '',
      leftOpen: jsonOf(row.leftOpen),
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .execute()
  return id
}

/**
 * The one check of everything that writes money: no movement is dated in a closed month, unless an owner says why. Holds until the commit.
 * @param by who it is, and why they date it there all the same, where they said so
 * @returns the last closed day
 * @throws state_conflict with `details.closedThrough`; forbidden for an exception by somebody else
 */
export const checkOpenDaysTx = async (
  db: TenantDb,
  entries: readonly { onDay: Day; what: string }[],
  by?: { who: Who; reason?: string | undefined },
): Promise<Day | null> => {
  const through = await holdClosedThroughTx(db)
  const closed = entries.filter(({ onDay }) => isClosedDay(through, onDay))
  const [first] = closed
  if (!first) return through
  const isOwner = by?.who.kind === 'user' && by.who.role === 'Owner'
  const reason = by?.reason
  if (!by || !reason) throw conflict(closedMonthMessage(first.onDay, isOwner), { closedThrough: through })
  const { who } = by
  if (!isOwner) throw new AppError('forbidden', onlyOwnerMessage)
  // two exceptions at once would take the same place in the order
  await sql`select pg_advisory_xact_lock(hashtextextended(${`books-order:${db.businessId}`}, 0))`.execute(db)
  for (const { onDay, what } of closed) {
    const id = await addRowTx(db, who, { action: 'exception', closedThrough: through, onDay, reason, detail: what })
    await audit(db, who, 'books.exception', { type: 'month', id }, { after: { what, onDay, reason } })
  }
  return through
}

/**
 * The day on which money is booked that nobody here dates: the one asked for, or today where its month is closed by now.
 * @returns the day, and what to say about it where it is another one
 */
export const openDayTx = async (db: TenantDb, wanted: Day): Promise<{ day: Day; note: string }> => {
  const through = await holdClosedThroughTx(db)
  if (through === null || !isClosedDay(through, wanted)) return { day: wanted, note: '' }
  const today = await todayOf(db)
  // a business that moved to another zone may have closed the month that it is in again
  return { day: isClosedDay(through, today) ? addDays(through, 1) : today, note: lateNote(wanted) }
}

/** Closing waits for all money that is being booked, and books nothing beside it. */
const lockBooksTx = async (db: TenantDb): Promise<Day | null> => {
  await sql`select pg_advisory_xact_lock(${lockName(db)})`.execute(db)
  return closedThrough(db)
}

type Body<Name extends 'close' | 'reopen'> = z.output<(typeof closingApi)[Name]['body']>

/** Closes a month and all before it. What is still open is said first. */
export const closeMonth = (actor: Actor, { month, leaveOpen }: Body<'close'>): Promise<Closings> =>
  withTenant(actor, async (db) => {
    const { to } = daysOfMonth(month)
    // looked at before the books are held: it reads much, and money that is being booked would wait for it
    const open = await listOpenItems(db, to)
    const through = await lockBooksTx(db)
    refuse(closingRefusals.close({ month, today: await todayOf(db), closedThrough: through }))
    if (!leaveOpen && isAnyOpen(open))
      throw conflict(`Something of ${monthLabel(month)} is still open. Nothing was closed: look at the list first.`, {
        open: true,
      })
    const id = await addRowTx(db, actor, { action: 'closed', closedThrough: to, onDay: to, leftOpen: open })
    await audit(db, actor, 'books.close', { type: 'month', id }, { after: { month, closedThrough: to } })
    await publishChange(db, 'business', [])
    return listClosings(db, actor)
  })

/** Opens a closed month again, and all after it. */
export const reopenMonth = (actor: Actor, { month, reason }: Body<'reopen'>): Promise<Closings> =>
  withTenant(actor, async (db) => {
    const through = await lockBooksTx(db)
    refuse(closingRefusals.reopen({ month, today: await todayOf(db), closedThrough: through }))
    const { from } = daysOfMonth(month)
    const before = addDays(from, -1)
    const id = await addRowTx(db, actor, { action: 'reopened', closedThrough: before, onDay: from, reason })
    await audit(
      db,
      actor,
      'books.reopen',
      { type: 'month', id },
      { before: { closedThrough: through }, after: { month, closedThrough: before, reason } },
    )
    await publishChange(db, 'business', [])
    return listClosings(db, actor)
  })
