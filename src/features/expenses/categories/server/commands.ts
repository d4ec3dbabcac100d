import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import type { ExpenseCategory } from '../contract.ts'
import { getCategory } from './queries.ts'

/** The most categories, so that lists and sums stay readable. */
const mostCategories = 60

const entity = (id: string) => ({ type: 'expense_category', id })

/** One name at a time: two windows that add the same one get one category and one sentence. */
const lockAll = async (db: TenantDb) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`expense-categories:${db.businessId}`}, 0))`.execute(db)
  return db
    .selectFrom('expenseCategories')
    .select(['id', 'name', 'position', 'archivedAt'])
    .where('businessId', '=', db.businessId)
    .execute()
}

const assertFree = (rows: Awaited<ReturnType<typeof lockAll>>, name: string, ownId: string | null): void => {
  const same = rows.find((row) => row.id !== ownId && row.name.toLowerCase() === name.toLowerCase())
  if (same)
    throw invalid([
      {
        path: 'name',
        message: same.archivedAt
          ? `“${same.name}” is among the archived ones: restore it instead.`
          : `There is a category “${same.name}” already.`,
      },
    ])
}

export const addCategory = (actor: Actor, name: string): Promise<ExpenseCategory> =>
  withTenant(actor, async (db) => {
    const rows = await lockAll(db)
    assertFree(rows, name, null)
    if (rows.length >= mostCategories)
      throw conflict(`There are ${mostCategories} categories already. Rename one that you no longer use.`)
    const id = newId()
    const now = clock.iso()
    const position = Math.max(0, ...rows.map((row) => row.position)) + 1
    await db
      .insertInto('expenseCategories')
      .values({ businessId: db.businessId, id, name, position, createdAt: now, updatedAt: now })
      .execute()
    await audit(db, actor, 'expense_category.add', entity(id), { after: { name } })
    await publishChange(db, 'expenses')
    return getCategory(db, id)
  })

const change = (
  actor: Actor,
  id: string,
  version: number,
  make: (
    rows: Awaited<ReturnType<typeof lockAll>>,
    row: { name: string },
  ) => { name?: string; archivedAt?: string | null },
): Promise<ExpenseCategory> =>
  withTenant(actor, async (db) => {
    const rows = await lockAll(db)
    const row = rows.find((one) => one.id === id)
    if (!row) throw notFound('category')
    requireVersion(await getCategory(db, id), version, 'this category')
    const changes = make(rows, row)
    await db
      .updateTable('expenseCategories')
      .set((eb) => ({ ...changes, version: eb('version', '+', 1), updatedAt: clock.iso() }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'expense_category.change', entity(id), { before: row, after: changes })
    await publishChange(db, 'expenses')
    return getCategory(db, id)
  })

export const renameCategory = (actor: Actor, id: string, { name, version }: { name: string; version: number }) =>
  change(actor, id, version, (rows) => {
    assertFree(rows, name, id)
    return { name }
  })

/** Offers it no longer. @throws AppError state_conflict for the last one, and for one that a recurring cost is booked in */
export const archiveCategory = async (actor: Actor, id: string, version: number): Promise<ExpenseCategory> => {
  const uses = await withTenant(actor, (db) =>
    db
      .selectFrom('recurringExpenses')
      .select('vendor')
      .where('businessId', '=', db.businessId)
      .where('categoryId', '=', id)
      .where(sql<SqlBool>`deleted_at is null and next_on is not null`)
      .executeTakeFirst(),
  )
  if (uses)
    throw conflict(
      `The recurring cost ${uses.vendor ? `“${uses.vendor}” ` : ''}is booked in this category. Give it another one first.`,
    )
  return change(actor, id, version, (rows) => {
    if (rows.filter((row) => row.archivedAt === null && row.id !== id).length === 0)
      throw conflict('Keep at least one category.')
    return { archivedAt: clock.iso() }
  })
}

export const restoreCategory = (actor: Actor, id: string, version: number) =>
  change(actor, id, version, (rows, row) => {
    assertFree(
      rows.filter((one) => one.archivedAt === null),
      row.name,
      id,
    )
    return { archivedAt: null }
  })
