import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { type Key, keyset } from '../../../platform/db/cursor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { receiptAddress } from '../../../platform/mail/addresses.ts'
import { canOf } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { invalid, notFound } from '../../../shared/errors.ts'
import { formatCents } from '../../../shared/money.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { type Expense, type ExpenseSummary, expensesApi, type OwnReceipt } from '../contract.ts'
import { expenseRefusals, spanOfMonth, spanProblem } from '../rules.ts'

export type ListQuery = z.output<typeof expensesApi.list.query>
export type Filter = Pick<
  ListQuery,
  'categoryId' | 'crewId' | 'vehicle' | 'jobId' | 'vendor' | 'method' | 'paidByUserId' | 'search' | 'review'
>

type Row = Omit<ExpenseSummary, 'category' | 'paidBy' | 'removed'> & {
  categoryId: string
  categoryName: string
  paidById: string | null
  paidByName: string | null
  recurringId: string | null
  payoutId: string | null
  createdByName: string | null
  deletedAt: string | null
}

const columns = sql`e.id, e.day, e.category_id as "categoryId", c.name as "categoryName", e.vendor, e.note, e.total_cents as "totalCents",
  e.tax_cents as "taxCents", e.method, e.paid_by as "paidById", u.name as "paidByName", e.reimbursed_on as "reimbursedOn", e.source, e.review,
  e.version, e.recurring_id as "recurringId", case when e.source = 'payout' then split_part(e.source_key, ':', 2) end as "payoutId", e.deleted_at as "deletedAt", m.name as "createdByName",
  (select count(*)::int from expense_receipts r where r.business_id = e.business_id and r.expense_id = e.id and r.removed_at is null) as "receiptCount",
  (select coalesce(jsonb_agg(jsonb_build_object('amountCents', p.amount_cents, 'vehicle', p.vehicle, 'visitId', p.visit_id,
      'crew', case when w.id is null then null else jsonb_build_object('id', w.id, 'name', w.name) end,
      'job', case when j.id is null then null else jsonb_build_object('id', j.id, 'label', 'J-' || j.number || ' ' || k.name) end) order by p.position), '[]')
    from expense_parts p
    left join crews w on w.business_id = p.business_id and w.id = p.crew_id
    left join jobs j on j.business_id = p.business_id and j.id = p.job_id
    left join customers k on k.business_id = j.business_id and k.id = j.customer_id
    where p.business_id = e.business_id and p.expense_id = e.id) as parts`

const tables = sql`expenses e
  join expense_categories c on c.business_id = e.business_id and c.id = e.category_id
  left join users u on u.business_id = e.business_id and u.id = e.paid_by
  left join users m on m.business_id = e.business_id and m.id = e.created_by`

const toSummary = ({ categoryId, categoryName, paidById, paidByName, deletedAt, ...row }: Row) => ({
  ...row,
  category: { id: categoryId, name: categoryName },
  paidBy: paidById === null ? null : { id: paidById, name: paidByName ?? '' },
  removed: deletedAt !== null,
})

const all = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** What a filter asks of an expense itself. */
const ofExpense = (db: TenantDb, filter: Filter, span: { from: Day; to: Day } | null): RawBuilder<SqlBool> => {
  const like = filter.search ? containing(filter.search) : null
  return all([
    sql`e.business_id = ${db.businessId} and e.deleted_at is null`,
    ...(span ? [sql<SqlBool>`e.day between ${span.from}::date and ${span.to}::date`] : []),
    ...(filter.review ? [sql<SqlBool>`e.review`] : []),
    ...(filter.categoryId ? [sql<SqlBool>`e.category_id = ${filter.categoryId}`] : []),
    ...(filter.vendor ? [sql<SqlBool>`lower(e.vendor) = lower(${filter.vendor})`] : []),
    ...(filter.method ? [sql<SqlBool>`e.method = ${filter.method}`] : []),
    ...(filter.paidByUserId ? [sql<SqlBool>`e.paid_by = ${filter.paidByUserId}`] : []),
    ...(like ? [sql<SqlBool>`(e.vendor ilike ${like} or e.note ilike ${like})`] : []),
  ])
}

/** What a filter asks of a part: who of a split expense looks at one crew sees what was for that crew. */
const ofPart = (filter: Filter): RawBuilder<SqlBool> =>
  all([
    sql`true`,
    ...(filter.crewId ? [sql<SqlBool>`p.crew_id = ${filter.crewId}`] : []),
    ...(filter.vehicle ? [sql<SqlBool>`p.vehicle = ${filter.vehicle}`] : []),
    ...(filter.jobId ? [sql<SqlBool>`p.job_id = ${filter.jobId}`] : []),
  ])

const hasPart = (filter: Filter): RawBuilder<SqlBool> =>
  filter.crewId || filter.vehicle || filter.jobId
    ? sql<SqlBool>`exists (select 1 from expense_parts p where p.business_id = e.business_id and p.expense_id = e.id and ${ofPart(filter)})`
    : sql<SqlBool>`true`

const sorts: Record<ListQuery['sort'], Key> = {
  day: { of: sql`e.day`, type: 'day' },
  total: { of: sql`e.total_cents`, type: 'int' },
  vendor: { of: sql`lower(e.vendor)`, type: 'text' },
}

/** The span that was asked for, this month without one. @throws AppError validation_failed */
export const spanOf = async (db: TenantDb, query: { from?: Day | undefined; to?: Day | undefined }) => {
  const month = spanOfMonth(query.from ?? query.to ?? (await todayOf(db)))
  const span = { from: query.from ?? month.from, to: query.to ?? month.to }
  const problem = spanProblem(span.from, span.to)
  if (problem) throw invalid([{ path: 'from', message: problem }])
  return span
}

const countReview = async (db: TenantDb): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (select 1 from expenses
    where business_id = ${db.businessId} and review and deleted_at is null limit 1000) waiting`.execute(db)
  return rows[0]?.count ?? 0
}

/** Receipts up to a day, or of a span of days, that nobody of the office has looked at. */
export const sumReview = async (
  db: TenantDb,
  to: Day,
  from: Day = '0001-01-01',
): Promise<{ count: number; totalCents: number }> => {
  const { rows } = await sql<{ count: number; cents: number }>`
    select count(*)::int as count, coalesce(sum(total_cents), 0)::int8 as cents from expenses
    where business_id = ${db.businessId} and review and deleted_at is null
      and day between ${from}::date and ${to}::date`.execute(db)
  return { count: rows[0]?.count ?? 0, totalCents: Number(rows[0]?.cents ?? 0) }
}

/** What was spent in a span of days, in cents; a receipt that nobody of the office has looked at is not in the books yet. */
export const sumSpent = async (db: TenantDb, { from, to }: { from: Day; to: Day }): Promise<number> => {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(total_cents), 0)::int8 as cents from expenses
    where business_id = ${db.businessId} and deleted_at is null and not review
      and day between ${from}::date and ${to}::date`.execute(db)
  return Number(rows[0]?.cents ?? 0)
}

/** Sums by category of the parts that fit. */
const sumByCategory = async (db: TenantDb, filter: Filter, span: { from: Day; to: Day } | null) => {
  const { rows } = await sql<{ id: string; name: string; count: number; cents: number; waitingCents: number }>`
    select c.id, c.name, count(distinct e.id)::int as count, sum(p.amount_cents)::float8 as cents,
      coalesce(sum(p.amount_cents) filter (where e.review), 0)::float8 as "waitingCents"
    from expenses e
    join expense_parts p on p.business_id = e.business_id and p.expense_id = e.id
    join expense_categories c on c.business_id = e.business_id and c.id = e.category_id
    where ${ofExpense(db, filter, span)} and ${ofPart(filter)}
    group by c.id, c.name order by cents desc, c.name`.execute(db)
  return rows
}

/** A page of expenses and what they come to. */
export const listExpenses = async (db: TenantDb, query: ListQuery) => {
  const span = await spanOf(db, query)
  // What waits is looked for whatever its day: a receipt of last month must not be overlooked.
  const within = query.review ? null : span
  const keys = keyset([sorts[query.sort], { of: sql`e.id`, type: 'uuid' }], query)
  const { rows } = await sql<Row & { cursorKeys: string[] }>`
    select ${columns}, ${keys.values} as "cursorKeys" from ${tables}
    where ${ofExpense(db, query, within)} and ${hasPart(query)} and ${keys.beyond}
    order by ${keys.order} limit ${keys.limit}`.execute(db)
  const { items, nextCursor } = keys.page(rows)
  const categories = await sumByCategory(db, query, within)
  return {
    items: items.map(toSummary),
    nextCursor,
    ...span,
    count: categories.reduce((sum, row) => sum + row.count, 0),
    totalCents: categories.reduce((sum, row) => sum + row.cents, 0),
    waitingCents: categories.reduce((sum, row) => sum + row.waitingCents, 0),
    categories: categories.map(({ waitingCents: _, ...row }) => row),
    reviewCount: await countReview(db),
  }
}

/** What was spent in a year, by category and month, as far as the office has looked at it. */
export const sumYear = async (db: TenantDb, asked: number | undefined) => {
  const year = asked ?? Number((await todayOf(db)).slice(0, 4))
  const { rows } = await sql<{ id: string; name: string; month: number; cents: number }>`
    select c.id, c.name, extract(month from e.day)::int as month, sum(e.total_cents)::float8 as cents
    from expenses e join expense_categories c on c.business_id = e.business_id and c.id = e.category_id
    where e.business_id = ${db.businessId} and e.deleted_at is null and not e.review and e.day between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date
    group by c.id, c.name, c.position, month order by c.position, c.name, month`.execute(db)
  const months = () => Array.from({ length: 12 }, () => 0)
  const categories = new Map<string, { id: string; name: string; cents: number[] }>()
  const totalCents = months()
  for (const { id, name, month, cents } of rows) {
    const category = categories.get(id) ?? { id, name, cents: months() }
    category.cents[month - 1] = cents
    totalCents[month - 1] = (totalCents[month - 1] ?? 0) + cents
    categories.set(id, category)
  }
  return { year, categories: [...categories.values()], totalCents }
}

/** Vendors of the last two years, the newest first, with how they were booked last. */
export const listVendors = async (db: TenantDb, search: string | undefined) => {
  const since = addDays(await todayOf(db), -730)
  const { rows } = await sql<{ vendor: string; categoryId: string; method: ExpenseSummary['method'] }>`
    select vendor, category_id as "categoryId", method from (
      select distinct on (lower(e.vendor)) e.vendor, e.category_id, e.method, e.day from expenses e
      where e.business_id = ${db.businessId} and e.deleted_at is null and e.vendor <> '' and e.source <> 'payout' and e.day >= ${since}::date
        and e.vendor ilike ${containing(search ?? '')}
      order by lower(e.vendor), e.day desc) last
    order by day desc, vendor limit 12`.execute(db)
  return rows
}

type QuickRow = {
  crewId: string
  code: 'fuel' | 'disposal'
  categoryId: string
  vendor: string
  totalCents: number
  method: ExpenseSummary['method']
}

/** What an expense can be booked on, and what fuel and the dump cost each crew last. */
export const listChoices = async (db: TenantDb, actor: Actor) => {
  const today = await todayOf(db)
  const crews = await db
    .selectFrom('crews')
    .select(['id', 'name', 'vehicleName as vehicle'])
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .orderBy('name')
    .execute()
  const people = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .where('status', '!=', 'disabled')
    .orderBy('name')
    .execute()
  const { rows: quick } = await sql<QuickRow>`
    select distinct on (p.crew_id, c.code) p.crew_id as "crewId", c.code, c.id as "categoryId", e.vendor, e.total_cents as "totalCents", e.method
    from expenses e
    join expense_categories c on c.business_id = e.business_id and c.id = e.category_id and c.code in ('fuel', 'disposal') and c.archived_at is null
    join expense_parts p on p.business_id = e.business_id and p.expense_id = e.id and p.crew_id is not null
    where e.business_id = ${db.businessId} and e.deleted_at is null and not e.review and e.method <> 'personal' and e.recurring_id is null
      and e.day >= ${addDays(today, -120)}::date
    order by p.crew_id, c.code, e.day desc, e.id desc`.execute(db)
  return {
    today,
    crews,
    people,
    vehicles: [...new Set(crews.map(({ vehicle }) => vehicle).filter(Boolean))],
    // Whoever only looks gets no address that takes something in.
    mailTo: actor.support || actor.tour ? null : receiptAddress(db.businessId),
    quick,
  }
}

const readExpense = async (db: TenantDb, id: string): Promise<Row> => {
  const { rows } = await sql<Row>`select ${columns} from ${tables}
    where e.business_id = ${db.businessId} and e.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('expense')
  return row
}

const needs = {
  update: expensesApi.update,
  remove: expensesApi.remove,
  restore: expensesApi.restore,
  addPhoto: expensesApi.addPhoto,
}

/** One expense with its receipts, also one that was removed. @throws AppError not_found */
export const getExpense = async (db: TenantDb, actor: Actor, id: string): Promise<Expense> => {
  const row = await readExpense(db, id)
  const receipts = await db
    .selectFrom('expenseReceipts as r')
    .innerJoin('files as f', (x) => x.onRef('f.businessId', '=', 'r.businessId').onRef('f.id', '=', 'r.fileId'))
    .select(['r.id', 'r.fileId', 'f.mime'])
    .where('r.businessId', '=', db.businessId)
    .where('r.expenseId', '=', id)
    .where('r.removedAt', 'is', null)
    .orderBy('r.createdAt')
    .orderBy('r.id')
    .execute()
  const { createdByName, ...expense } = toSummary(row)
  return {
    ...expense,
    createdBy: createdByName,
    receipts: receipts.map(({ id: receiptId, fileId, mime }) => ({
      id: receiptId,
      url: signedFilePath(db.businessId, fileId),
      isPdf: mime === 'application/pdf',
    })),
    can: canOf(actor, needs, expenseRefusals, {
      removed: expense.removed,
      receiptCount: receipts.length,
      source: expense.source,
    }),
  }
}

/** The id of an expense like this one on the same day, or null. */
export const findSame = async (
  db: TenantDb,
  { vendor, totalCents, day }: { vendor: string; totalCents: number; day: Day },
): Promise<{ id: string; createdBy: string | null } | null> => {
  const row = await db
    .selectFrom('expenses')
    .leftJoin('users', (x) =>
      x.onRef('users.businessId', '=', 'expenses.businessId').onRef('users.id', '=', 'expenses.createdBy'),
    )
    .select(['expenses.id', 'users.name as createdBy'])
    .where('expenses.businessId', '=', db.businessId)
    .where('expenses.deletedAt', 'is', null)
    .where('expenses.day', '=', day)
    .where('expenses.totalCents', '=', totalCents)
    .where(sql<SqlBool>`lower(expenses.vendor) = lower(${vendor})`)
    .orderBy('expenses.id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

type OwnRow = Pick<OwnReceipt, 'id' | 'day' | 'vendor' | 'note' | 'pictures'> & {
  code: string | null
  totalCents: number
  method: string
  review: boolean
  reimbursedOn: string | null
  deletedAt: string | null
}
const ownKinds = ['fuel', 'disposal', 'materials', 'repairs'] as const

/** Receipts that a person handed in, in the last 60 days; one of them by its id, whenever it was. */
export const listOwnReceipts = async (db: TenantDb, userId: string, id?: string): Promise<OwnReceipt[]> => {
  const since = addDays(await todayOf(db), -60)
  const { rows } = await sql<OwnRow>`
    select e.id, e.day, c.code, e.vendor, e.note, e.total_cents as "totalCents", e.method, e.review, e.reimbursed_on as "reimbursedOn",
      e.deleted_at as "deletedAt",
      (select count(*)::int from expense_receipts r where r.business_id = e.business_id and r.expense_id = e.id and r.removed_at is null) as pictures
    from expenses e join expense_categories c on c.business_id = e.business_id and c.id = e.category_id
    where e.business_id = ${db.businessId} and e.created_by = ${userId} and e.source = 'crew'
      and ${id ? sql`e.id = ${id}` : sql`e.day >= ${since}::date`}
    order by e.day desc, e.id desc limit 100`.execute(db)
  return rows.map(({ code, totalCents, method, review, reimbursedOn, deletedAt, ...row }) => ({
    ...row,
    kind: ownKinds.find((kind) => kind === code) ?? 'other',
    sum: formatCents(totalCents),
    ownMoney: method === 'personal',
    state: deletedAt ? 'removed' : reimbursedOn ? 'paid_back' : review ? 'waiting' : 'taken',
  }))
}

export type ExpensePartRow = {
  id: string
  expenseId: string
  day: Day
  vendor: string
  category: string
  amountCents: number
  taxCents: number
  method: ExpenseSummary['method']
  person: string | null
  reimbursedOn: Day | null
  crew: string | null
  vehicle: string
  jobNumber: number | null
  note: string
}

/**
 * The parts of all expenses of a span of days that the office has looked at, as a query; the tax of a split one stands with its first part.
 */
export const listExpenseParts = (db: TenantDb, { from, to }: { from: Day; to: Day }, limit: number) =>
  sql<ExpensePartRow>`
    select p.id, e.id as "expenseId", e.day, e.vendor, c.name as category, p.amount_cents as "amountCents",
      case when p.position = 0 then e.tax_cents else 0 end as "taxCents", e.method, u.name as person, e.reimbursed_on as "reimbursedOn",
      w.name as crew, p.vehicle, j.number as "jobNumber", e.note
    from expenses e
    join expense_parts p on p.business_id = e.business_id and p.expense_id = e.id
    join expense_categories c on c.business_id = e.business_id and c.id = e.category_id
    left join users u on u.business_id = e.business_id and u.id = e.paid_by
    left join crews w on w.business_id = p.business_id and w.id = p.crew_id
    left join jobs j on j.business_id = p.business_id and j.id = p.job_id
    where e.business_id = ${db.businessId} and e.deleted_at is null and not e.review and e.day between ${from}::date and ${to}::date
    order by e.day, e.created_at, e.id, p.position limit ${limit}`
