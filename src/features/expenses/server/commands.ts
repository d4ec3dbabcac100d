import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { formatCents } from '../../../shared/money.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { Expense, ExpenseChange, ExpenseDraft, OwnReceipt, PaidOnTheWay, Part } from '../contract.ts'
import { expenseRefusals } from '../rules.ts'
import { assertCategory, assertNamed } from './named.ts'
import { findSame, getExpense, listOwnReceipts } from './queries.ts'

type Fields = Omit<ExpenseDraft, 'isAnother' | 'exceptionReason'>

/** What whoever closes months says of days. */
type Books = {
  /** @throws AppError state_conflict for a day of a closed month, unless an owner says why */
  check: (
    db: TenantDb,
    entries: readonly { onDay: Day; what: string }[],
    by?: { who: Who; reason?: string | undefined },
  ) => Promise<unknown>
  /** The day on which something is booked that nobody here dates, and what to say where it is another one than was asked for. */
  openDay: (db: TenantDb, wanted: Day) => Promise<{ day: Day; note: string }>
}

/** A process that only makes a demo closes no months before it spends. */
let books: Books = { check: async () => undefined, openDay: async (_, day) => ({ day, note: '' }) }

/** Says which days are in a closed month; set once at start by whoever closes months. */
export const setExpenseBooks = (by: Books): void => {
  books = by
}

/** @throws AppError state_conflict when one of the days is in a closed month and no owner says why it is booked there all the same */
export const assertOpenDays = async (
  db: TenantDb,
  what: string,
  days: readonly Day[],
  by?: { who: Who; exceptionReason?: string | undefined },
): Promise<void> => {
  await books.check(
    db,
    [...new Set(days)].map((onDay) => ({ onDay, what })),
    by && { who: by.who, reason: by.exceptionReason },
  )
}

/** What the history of the months calls it. */
export const expenseOf = (cents: number): string => `Expense of ${formatCents(cents)}`

/** A cost that begins in a closed month would be booked as of today, time and again. @throws AppError validation_failed */
export const assertBeginsOpen = async (db: TenantDb, firstOn: Day): Promise<void> => {
  const { day } = await books.openDay(db, firstOn)
  if (day === firstOn) return
  throw invalid([
    {
      path: 'firstOn',
      message:
        'This month is closed. Begin in an open one; what was paid before is added as an expense of its day, for which an owner says why.',
    },
  ])
}

/** What came by itself lands in an open month and says so; two days of a recurring cost may land on the same one. */
const inOpenMonth = async (db: TenantDb, draft: NewExpense): Promise<NewExpense> => {
  if (draft.source === 'office') return draft
  const { day, note } = await books.openDay(db, draft.day)
  if (day === draft.day) return draft
  const { recurringId, ...rest } = draft
  return {
    ...rest,
    day,
    note: [draft.note, note].filter(Boolean).join('\n').slice(0, 1000),
    ...(recurringId ? { sourceKey: `recurring:${recurringId}:${draft.day}` } : {}),
  }
}

const entity = (id: string) => ({ type: 'expense', id })

const noPart = { crewId: null, vehicle: '', jobId: null, visitId: null }
const plainPart = ({ amountCents, crewId, vehicle, jobId, visitId }: Part) => [
  amountCents,
  crewId,
  vehicle,
  jobId,
  visitId,
]

const listPlainParts = (db: TenantDb, id: string): Promise<Part[]> =>
  db
    .selectFrom('expenseParts')
    .select(['amountCents', 'crewId', 'vehicle', 'jobId', 'visitId'])
    .where('businessId', '=', db.businessId)
    .where('expenseId', '=', id)
    .orderBy('position')
    .execute()

const writeParts = async (db: TenantDb, id: string, totalCents: number, parts: readonly Part[]): Promise<void> => {
  const rows = parts.length > 0 ? parts : [{ amountCents: totalCents, ...noPart }]
  await db.deleteFrom('expenseParts').where('businessId', '=', db.businessId).where('expenseId', '=', id).execute()
  await db
    .insertInto('expenseParts')
    .values(
      rows.map((part, position) => ({ ...part, businessId: db.businessId, id: newId(), expenseId: id, position })),
    )
    .execute()
}

export type NewExpense = Fields & {
  source: 'office' | 'crew' | 'mail' | 'recurring' | 'payout'
  review?: boolean
  recurringId?: string
  sourceKey?: string
  /** Where a phone has named it already. */
  id?: string
}

/**
 * Books an expense. What makes it happen once (the day of a recurring cost, a mail) finds the one that is there.
 * @returns its id, or null when it was booked before
 */
export const addExpenseTx = async (db: TenantDb, who: Who, asked: NewExpense): Promise<string | null> => {
  const draft = await inOpenMonth(db, asked)
  const { parts, paidByUserId, id = newId(), ...fields } = draft
  const now = clock.iso()
  const made = await db
    .insertInto('expenses')
    .values({
      ...fields,
      paidBy: paidByUserId,
      businessId: db.businessId,
      id,
      createdBy: userIdOf(who),
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((c) => c.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return null
  await writeParts(db, id, draft.totalCents, parts)
  await audit(db, who, 'expense.add', entity(id), { after: { ...draft } })
  await publishChange(db, 'expenses', [id])
  return id
}

const assertCome = async (db: TenantDb, day: Day): Promise<void> => {
  if (day > (await todayOf(db)))
    throw invalid([
      { path: 'day', message: 'This day has not come yet. What comes again is booked by itself on its day.' },
    ])
}

/** A person is paid back once their money is spent, and not on a day that is still to come. */
const assertPaidBack = async (
  db: TenantDb,
  { day, reimbursedOn }: Pick<Fields, 'day' | 'reimbursedOn'>,
): Promise<void> => {
  if (reimbursedOn === null) return
  if (reimbursedOn > (await todayOf(db)))
    throw invalid([{ path: 'reimbursedOn', message: 'This day has not come yet. Write it down once it is paid back.' }])
  if (reimbursedOn < day)
    throw invalid([{ path: 'reimbursedOn', message: 'This is before the day on which it was spent.' }])
}

/** Asks before the same vendor, amount and day are booked twice. */
const askOfSame = async (db: TenantDb, draft: Pick<Fields, 'vendor' | 'totalCents' | 'day'>): Promise<void> => {
  const same = await findSame(db, draft)
  if (same)
    throw conflict(
      `${formatCents(draft.totalCents)} ${draft.vendor ? `at ${draft.vendor} ` : ''}on this day is in the books already${same.createdBy ? `, added by ${same.createdBy}` : ''}. Nothing was saved.`,
      { sameId: same.id },
    )
}

export const addExpense = (actor: Actor, { isAnother, exceptionReason, ...draft }: ExpenseDraft): Promise<Expense> =>
  withTenant(actor, async (db) => {
    await assertCome(db, draft.day)
    await assertPaidBack(db, draft)
    await assertOpenDays(
      db,
      expenseOf(draft.totalCents),
      [draft.day, ...(draft.reimbursedOn ? [draft.reimbursedOn] : [])],
      {
        who: actor,
        exceptionReason,
      },
    )
    await assertNamed(db, draft)
    await assertCategory(db, draft.categoryId)
    if (!isAnother) await askOfSame(db, draft)
    const id = await addExpenseTx(db, actor, { ...draft, source: 'office' })
    return getExpense(db, actor, id ?? '')
  })

export const lockExpense = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('expenses')
    .select(['id', 'day', 'version', 'deletedAt', 'categoryId', 'totalCents', 'taxCents', 'vendor', 'method'])
    .select(['paidBy', 'reimbursedOn', 'review', 'source', 'createdBy'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('expense')
  return row
}

/**
 * The days whose books a change moves: those of the expense where its sum or place changes, those of paying a person back where that does.
 * What waits to be looked at stood in no month's books, and comes into those of the day that it is given.
 */
const movedDays = async (
  db: TenantDb,
  row: Awaited<ReturnType<typeof lockExpense>>,
  draft: Omit<ExpenseDraft, 'isAnother' | 'exceptionReason'>,
): Promise<Day[]> => {
  if (row.review) return [draft.day, ...(draft.reimbursedOn ? [draft.reimbursedOn] : [])]
  const days: Day[] = []
  const sameSum = row.totalCents === draft.totalCents && row.paidBy === draft.paidByUserId
  const before = await listPlainParts(db, row.id)
  const after = draft.parts.length > 0 ? draft.parts : [{ ...noPart, amountCents: draft.totalCents }]
  if (
    !sameSum ||
    row.day !== draft.day ||
    row.categoryId !== draft.categoryId ||
    row.taxCents !== draft.taxCents ||
    row.vendor !== draft.vendor ||
    row.method !== draft.method ||
    JSON.stringify(before.map(plainPart)) !== JSON.stringify(after.map(plainPart))
  )
    days.push(row.day, draft.day)
  if (!sameSum || row.reimbursedOn !== draft.reimbursedOn)
    days.push(...[row.reimbursedOn, draft.reimbursedOn].filter((day) => day !== null))
  return days
}

const facts = (row: { deletedAt: string | null; source: string }) => ({
  removed: row.deletedAt !== null,
  receiptCount: 0,
  source: row.source,
})

export const changeExpense = (
  actor: Actor,
  id: string,
  { version, exceptionReason, ...draft }: ExpenseChange,
): Promise<Expense> =>
  withTenant(actor, async (db) => {
    const row = await lockExpense(db, id)
    requireVersion(row, version, 'this expense')
    refuse(expenseRefusals.update(facts(row)))
    await assertCome(db, draft.day)
    await assertPaidBack(db, draft)
    await assertOpenDays(db, expenseOf(draft.totalCents), await movedDays(db, row, draft), {
      who: actor,
      exceptionReason,
    })
    await assertNamed(db, draft)
    if (draft.categoryId !== row.categoryId) await assertCategory(db, draft.categoryId)
    const { parts, paidByUserId, ...fields } = draft
    await db
      .updateTable('expenses')
      .set((eb) => ({
        ...fields,
        paidBy: paidByUserId,
        review: false,
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await writeParts(db, id, draft.totalCents, parts)
    await audit(db, actor, 'expense.change', entity(id), { after: draft })
    await publishChange(db, 'expenses', [id])
    return getExpense(db, actor, id)
  })

type Seen = { version: number; exceptionReason?: string | undefined }

const setRemoved = (
  actor: Actor,
  id: string,
  { version, exceptionReason }: Seen,
  action: 'remove' | 'restore',
): Promise<Expense> =>
  withTenant(actor, async (db) => {
    const row = await lockExpense(db, id)
    // Doing again what is done answers it; nothing was written over.
    if ((row.deletedAt === null) === (action === 'restore')) return getExpense(db, actor, id)
    requireVersion(row, version, 'this expense')
    refuse(expenseRefusals[action](facts(row)))
    const what = expenseOf(row.totalCents)
    await assertOpenDays(
      db,
      action === 'remove' ? `${what}, removed` : `${what}, put back`,
      [row.day, ...(row.reimbursedOn ? [row.reimbursedOn] : [])],
      { who: actor, exceptionReason },
    )
    await db
      .updateTable('expenses')
      .set((eb) => ({
        deletedAt: action === 'remove' ? clock.iso() : null,
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, `expense.${action}`, entity(id))
    await publishChange(db, 'expenses', [id])
    return getExpense(db, actor, id)
  })

export const removeExpense = (actor: Actor, id: string, seen: Seen) => setRemoved(actor, id, seen, 'remove')
export const restoreExpense = (actor: Actor, id: string, seen: Seen) => setRemoved(actor, id, seen, 'restore')

/** The crew that a person is on, with its truck: whom a receipt from their phone is for. */
const crewOf = async (db: TenantDb, userId: string, day: Day) =>
  db
    .selectFrom('crewMembers')
    .innerJoin('crews', (x) =>
      x.onRef('crews.businessId', '=', 'crewMembers.businessId').onRef('crews.id', '=', 'crewMembers.crewId'),
    )
    .select(['crews.id', 'crews.vehicleName'])
    .where('crewMembers.businessId', '=', db.businessId)
    .where('crewMembers.userId', '=', userId)
    .where('crewMembers.validFrom', '<=', day)
    .where((eb) => eb.or([eb('crewMembers.validTo', 'is', null), eb('crewMembers.validTo', '>=', day)]))
    .executeTakeFirst()

/** The category of a code, or the first that is offered where it was archived. @throws AppError validation_failed */
export const categoryOf = async (db: TenantDb, code: string): Promise<string> => {
  const rows = await db
    .selectFrom('expenseCategories')
    .select(['id', 'code'])
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .execute()
  const found = rows.find((row) => row.code === code) ?? rows.find((row) => row.code === 'other') ?? rows[0]
  if (!found) throw invalid([{ path: 'kind', message: 'The office offers no category. Ask them to add one.' }])
  return found.id
}

/**
 * A receipt from a crew's phone: it waits for the office.
 * @param at the day on which it was handed in, and the id that the phone gave it
 * @returns its id, or null when it was booked before
 */
export const handInReceiptTx = async (
  db: TenantDb,
  actor: Actor,
  { kind, ownMoney, ...fields }: PaidOnTheWay,
  { day, id }: { day: Day; id?: string },
): Promise<string | null> => {
  const crew = await crewOf(db, actor.userId, day)
  return addExpenseTx(db, actor, {
    ...fields,
    ...(id ? { id } : {}),
    day,
    categoryId: await categoryOf(db, kind),
    taxCents: 0,
    method: ownMoney ? 'personal' : 'card',
    paidByUserId: ownMoney ? actor.userId : null,
    reimbursedOn: null,
    parts: crew
      ? [{ amountCents: fields.totalCents, crewId: crew.id, vehicle: crew.vehicleName, jobId: null, visitId: null }]
      : [],
    source: 'crew',
    review: true,
  })
}

export const handInReceipt = (actor: Actor, paid: PaidOnTheWay): Promise<OwnReceipt> =>
  withTenant(actor, async (db) => {
    const id = await handInReceiptTx(db, actor, paid, { day: await todayOf(db) })
    return getOwnReceipt(db, actor.userId, id ?? '')
  })

/** @throws AppError not_found for what somebody else handed in */
export const getOwnReceipt = async (db: TenantDb, userId: string, id: string): Promise<OwnReceipt> => {
  const [own] = await listOwnReceipts(db, userId, id)
  if (!own) throw notFound('receipt')
  return own
}
