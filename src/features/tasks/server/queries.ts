import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { requireCustomer } from '../../customers/server/queries.ts'
import { type CustomerCall, type OfficeTask, tasksApi } from '../contract.ts'
import { type TaskAction, taskRefusals } from '../rules.ts'

const needs: Record<TaskAction, Need> = tasksApi

type Row = Omit<OfficeTask, 'can'>

const shown = (actor: Actor, row: Row): OfficeTask => ({ ...row, can: canOf(actor, needs, taskRefusals, row) })

const columns = sql`t.id, t.title, t.note, t.due_on, t.owner_id, o.name as owner_name, t.customer_id, c.name as customer_name,
  c.phone as customer_phone, t.call_id, t.done_at, d.name as done_by_name, t.version`
const from = sql`from office_tasks t
  left join users o on o.business_id = t.business_id and o.id = t.owner_id
  left join users d on d.business_id = t.business_id and d.id = t.done_by
  left join customers c on c.business_id = t.business_id and c.id = t.customer_id`

/** A task as somebody sees it. @throws not_found */
export const getTask = async (db: TenantDb, actor: Actor, id: string): Promise<OfficeTask> => {
  const { rows } = await sql<Row>`
    select ${columns} ${from} where t.business_id = ${db.businessId} and t.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('task')
  return shown(actor, rows[0])
}

type ListQuery = {
  show: 'open' | 'done'
  mine: boolean
  customerId?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** One page of tasks: open ones by day, done ones with the latest first. */
export const listTasks = async (db: TenantDb, actor: Actor, query: ListQuery) => {
  const open = query.show === 'open'
  const { beyond, order, values, limit, page } = keyset(
    [
      open ? { of: sql`t.due_on`, type: 'day' } : { of: sql`t.done_at`, type: 'instant' },
      { of: sql`t.id`, type: 'uuid' },
    ],
    { ...query, order: open ? 'asc' : 'desc' },
  )
  const only: RawBuilder<SqlBool>[] = [
    open ? sql`t.done_at is null` : sql`t.done_at is not null`,
    ...(query.mine ? [sql<SqlBool>`(t.owner_id = ${actor.userId} or t.owner_id is null)`] : []),
    ...(query.customerId ? [sql<SqlBool>`t.customer_id = ${query.customerId}`] : []),
  ]
  const { rows } = await sql<Row & { cursorKeys: string[] }>`
    select ${columns}, ${values} as cursor_keys ${from}
    where t.business_id = ${db.businessId} and ${sql.join(only, sql` and `)} and ${beyond}
    order by ${order} limit ${limit}`.execute(db)
  const { items, nextCursor } = page(rows)
  return { items: items.map((row) => shown(actor, row)), nextCursor }
}

/** What somebody is to do by a day, the oldest first: their own and what is anybody's. */
export const listTasksDue = async (db: TenantDb, userId: string, day: Day): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select ${columns} ${from}
    where t.business_id = ${db.businessId} and t.done_at is null and t.due_on <= ${day}
      and (t.owner_id = ${userId} or t.owner_id is null)
    order by t.due_on, t.id limit 20`.execute(db)
  return rows
}

/** Who can own a task. */
export const listTaskPeople = async (db: TenantDb): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('businessId', '=', db.businessId)
    .where('role', 'in', ['Owner', 'Admin'])
    .where('status', '=', 'active')
    .where('archivedAt', 'is', null)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(200)
    .execute()

const callColumns = sql`k.id, k.customer_id, k.direction, k.outcome, k.note, k.at, u.name as by_name, k.version`
const callsFrom = sql`from customer_calls k left join users u on u.business_id = k.business_id and u.id = k.user_id`

/** @throws not_found */
export const getCall = async (db: TenantDb, id: string): Promise<CustomerCall> => {
  const { rows } = await sql<CustomerCall>`
    select ${callColumns} ${callsFrom} where k.business_id = ${db.businessId} and k.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('call')
  return rows[0]
}

/** One page of the calls with a customer, the latest first. @throws not_found */
export const listCalls = async (
  db: TenantDb,
  customerId: string,
  query: { cursor?: string | undefined; limit: number },
) => {
  await requireCustomer(db, customerId)
  const { beyond, order, values, limit, page } = keyset(
    [
      { of: sql`k.at`, type: 'instant' },
      { of: sql`k.id`, type: 'uuid' },
    ],
    { ...query, order: 'desc' },
  )
  const { rows } = await sql<CustomerCall & { cursorKeys: string[] }>`
    select ${callColumns}, ${values} as cursor_keys ${callsFrom}
    where k.business_id = ${db.businessId} and k.customer_id = ${customerId} and ${beyond}
    order by ${order} limit ${limit}`.execute(db)
  return page(rows)
}
