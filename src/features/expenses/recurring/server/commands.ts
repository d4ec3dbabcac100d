import type { Selectable } from 'kysely'
import type { Actor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { RecurringExpenses } from '../../../../platform/db/types.generated.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { assertCrewTx } from '../../../employees/server/queries.ts'
import { addExpenseTx, assertBeginsOpen } from '../../server/commands.ts'
import { assertCategory } from '../../server/named.ts'
import type { Recurring, RecurringDraft } from '../contract.ts'
import { nextOn } from '../rules.ts'
import { getRecurring } from './queries.ts'

/** How far back a new cost may begin: what is due since then is booked at once. */
const longestBackDays = 366

const entity = (id: string) => ({ type: 'recurring_expense', id })
type Row = Selectable<RecurringExpenses>

/** Books whatever of a locked cost is due by today. */
const bookDueTx = async (db: TenantDb, who: Who, cost: Row, today: Day): Promise<void> => {
  let day = cost.nextOn
  const crew =
    cost.crewId === null
      ? undefined
      : await db
          .selectFrom('crews')
          .select(['id', 'vehicleName'])
          .where('businessId', '=', db.businessId)
          .where('id', '=', cost.crewId)
          .executeTakeFirst()
  while (day !== null && day <= today) {
    await addExpenseTx(db, who, {
      day,
      categoryId: cost.categoryId,
      vendor: cost.vendor,
      note: cost.note,
      totalCents: cost.totalCents,
      taxCents: cost.taxCents,
      method: cost.method,
      paidByUserId: null,
      reimbursedOn: null,
      parts: crew
        ? [{ amountCents: cost.totalCents, crewId: crew.id, vehicle: crew.vehicleName, jobId: null, visitId: null }]
        : [],
      source: 'recurring',
      recurringId: cost.id,
    })
    day = nextOn(cost, addDays(day, 1))
  }
  if (day !== cost.nextOn)
    await db
      .updateTable('recurringExpenses')
      .set({ nextOn: day })
      .where('businessId', '=', db.businessId)
      .where('id', '=', cost.id)
      .execute()
}

const lock = async (db: TenantDb, id: string): Promise<Row> => {
  const row = await db
    .selectFrom('recurringExpenses')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('recurring cost')
  return row
}

/** Books what is due of every cost that comes again; what was booked, or removed after that, is not booked twice. */
export const bookRecurring = (who: Who): Promise<void> =>
  withTenant(who, async (db) => {
    const today = await todayOf(db)
    const due = await db
      .selectFrom('recurringExpenses')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('deletedAt', 'is', null)
      .where('nextOn', '<=', today)
      .orderBy('nextOn')
      .forUpdate()
      .execute()
    for (const cost of due) await bookDueTx(db, who, cost, today)
  })

export const addRecurring = (actor: Actor, draft: RecurringDraft): Promise<Recurring> =>
  withTenant(actor, async (db) => {
    const today = await todayOf(db)
    if (draft.firstOn < addDays(today, -longestBackDays))
      throw invalid([
        { path: 'firstOn', message: 'Begin within the last year; what is due since then is booked at once.' },
      ])
    await assertBeginsOpen(db, draft.firstOn)
    await assertCategory(db, draft.categoryId)
    await assertCrewTx(db, draft.crewId)
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('recurringExpenses')
      .values({
        ...draft,
        businessId: db.businessId,
        id,
        nextOn: nextOn(draft, draft.firstOn),
        createdBy: actor.userId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await audit(db, actor, 'recurring_expense.add', entity(id), { after: draft })
    await bookDueTx(db, actor, await lock(db, id), today)
    await publishChange(db, 'expenses')
    return getRecurring(db, id)
  })

export const changeRecurring = (
  actor: Actor,
  id: string,
  { version, ...draft }: RecurringDraft & { version: number },
): Promise<Recurring> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, id)
    requireVersion(row, version, 'this cost')
    if (row.deletedAt !== null) throw conflict('This cost was removed. Nothing was changed.')
    if (draft.categoryId !== row.categoryId) await assertCategory(db, draft.categoryId)
    if (draft.crewId !== row.crewId) await assertCrewTx(db, draft.crewId)
    const today = await todayOf(db)
    // What is due until today is booked as it was: the change is of what comes.
    await bookDueTx(db, actor, row, today)
    const [, from = today] = [addDays(today, 1), draft.firstOn].sort()
    await db
      .updateTable('recurringExpenses')
      .set((eb) => ({
        ...draft,
        nextOn: nextOn(draft, from),
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'recurring_expense.change', entity(id), { after: draft })
    await publishChange(db, 'expenses')
    return getRecurring(db, id)
  })

/** Books it no more, or again from today on; what would have come meanwhile stays away. */
export const keepRecurring = (actor: Actor, id: string, version: number, keep: boolean): Promise<Recurring> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, id)
    if ((row.deletedAt === null) === keep) return getRecurring(db, id)
    requireVersion(row, version, 'this cost')
    const today = await todayOf(db)
    if (keep) await assertCategory(db, row.categoryId)
    await db
      .updateTable('recurringExpenses')
      .set((eb) => ({
        deletedAt: keep ? null : clock.iso(),
        ...(keep && row.nextOn !== null && row.nextOn < today ? { nextOn: nextOn(row, today) } : {}),
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, keep ? 'recurring_expense.restore' : 'recurring_expense.remove', entity(id))
    await publishChange(db, 'expenses')
    return getRecurring(db, id)
  })
