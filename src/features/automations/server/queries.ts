import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import {
  type Automation,
  type AutomationRun,
  type AutomationSettings,
  automationRunsApi,
  type CustomerAutomations,
} from '../contract.ts'
import { type Way, whenLabel } from '../kinds/rules.ts'
import { dryRunDays, type RunStatus, runRefusals } from '../rules.ts'
import { type AutomationRow, getAutomationRow, listRows, listSwitchedOn } from './rows.ts'
import { draftOf, sealOf } from './words.ts'

export const countAutomations = async (db: TenantDb): Promise<number> => {
  const { count } = await db
    .selectFrom('automations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const since = (days: number): string => new Date(clock.nowMs() - days * 86_400_000).toISOString()

const shown = (
  { archivedAt, ...row }: AutomationRow,
  counts: ReadonlyMap<string, { sent: number; waiting: number }>,
): Automation => ({
  ...row,
  archived: archivedAt !== null,
  sentCount: counts.get(row.id)?.sent ?? 0,
  waitingCount: counts.get(row.id)?.waiting ?? 0,
})

/** What left of each automation in the last 30 days, and what waits. */
const countRuns = async (db: TenantDb): Promise<Map<string, { sent: number; waiting: number }>> => {
  const { rows } = await sql<{ id: string; sent: number; waiting: number }>`
    select a.id, s.sent, w.waiting from automations a
    cross join lateral (select count(*)::int as sent from automation_runs r
      join messages m on m.business_id = r.business_id and m.entity_type = 'automation_run' and m.entity_id = r.id
      where r.business_id = a.business_id and r.automation_id = a.id and r.queued_at > ${since(dryRunDays)}
        and m.status in ('sent', 'delivered', 'unknown')) s
    cross join lateral (select count(*)::int as waiting from automation_runs r
      where r.business_id = a.business_id and r.automation_id = a.id and r.status = 'waiting') w
    where a.business_id = ${db.businessId} and a.archived_at is null`.execute(db)
  return new Map(rows.map(({ id, sent, waiting }) => [id, { sent, waiting }]))
}

export const listAutomations = async (db: TenantDb): Promise<Automation[]> => {
  const rows = await listRows(db)
  const counts = await countRuns(db)
  return rows.map((row) => shown(row, counts))
}

/** @throws not_found */
export const getAutomation = async (db: TenantDb, id: string): Promise<Automation> =>
  shown(await getAutomationRow(db, id), await countRuns(db))

export const getAutomationSettings = async (db: TenantDb): Promise<AutomationSettings> =>
  (await db
    .selectFrom('automationSettings')
    .select(['mostWeekly', 'version'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()) ?? { mostWeekly: 3, version: 0 }

export const countWaiting = async (db: TenantDb): Promise<number> => {
  const { count } = await db
    .selectFrom('automationRuns')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('status', '=', sql.lit('waiting'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type RunRow = {
  id: string
  automationId: string
  automationName: string
  customerId: string
  customerName: string
  subjectId: string
  status: RunStatus
  reason: string | null
  dueAt: string
  channel: Way | null
  ownSubject: string | null
  ownText: string | null
  messageId: string | null
  messageStatus: NonNullable<AutomationRun['message']>['status'] | null
  messageReason: string | null
  messageRunAfter: string | null
  decidedByName: string | null
  createdAt: string
  version: number
}

const runColumns = sql`r.id, r.automation_id, a.name as automation_name, r.customer_id, c.name as customer_name, r.subject_id, r.status, r.reason,
  r.due_at, r.channel, r.own_subject, r.own_text, r.created_at, r.version, m.id as message_id, m.status as message_status,
  m.reason as message_reason, m.run_after as message_run_after,
  (select u.name from users u where u.business_id = r.business_id and u.id = r.decided_by) as decided_by_name`

const runJoins = sql`
  join automations a on a.business_id = r.business_id and a.id = r.automation_id
  join customers c on c.business_id = r.business_id and c.id = r.customer_id
  left join lateral (select m.id, m.status, m.reason, m.run_after from messages m
    where m.business_id = r.business_id and m.entity_type = 'automation_run' and m.entity_id = r.id
    order by m.id desc limit 1) m on true`

const runOf = async (db: TenantDb, actor: Actor, row: RunRow): Promise<AutomationRun> => {
  const automation = row.status === 'waiting' ? await getAutomationRow(db, row.automationId) : null
  const whole = automation && (await draftOf(db, automation, row))
  const draft =
    whole && !hasPermission(actor, 'money') ? await draftOf(db, automation, row, { hidesMoney: true }) : whole
  return {
    id: row.id,
    automation: { id: row.automationId, name: row.automationName },
    customer: { id: row.customerId, name: row.customerName },
    status: row.status,
    reason: row.reason,
    dueAt: row.dueAt,
    channel: row.channel,
    message:
      row.messageId && row.messageStatus
        ? {
            id: row.messageId,
            status: row.messageStatus,
            reason: row.messageReason,
            runAfter: row.messageRunAfter,
          }
        : null,
    draft: draft && { subject: draft.subject, text: draft.text, language: draft.language, words: draft.words },
    seal: whole && sealOf(row.id, row.channel, whole),
    problem: draft?.problem ?? null,
    decidedByName: row.decidedByName,
    createdAt: row.createdAt,
    version: row.version,
    can: canOf(
      actor,
      { approve: automationRunsApi.approve, edit: automationRunsApi.edit, drop: automationRunsApi.drop },
      runRefusals,
      row,
    ),
  }
}

/** Runs of the business, of an automation or of a customer, the newest first; ids are UUIDv7. */
export const listRuns = async (
  db: TenantDb,
  actor: Actor,
  { automationId, customerId, show, ...query }: z.output<typeof automationRunsApi.list.query>,
): Promise<{ items: AutomationRun[]; nextCursor: string | null }> => {
  const { beyond, order, values, limit, page } = keyset([{ of: sql`r.id`, type: 'uuid' }], { ...query, order: 'desc' })
  const { rows } = await sql<RunRow & { cursorKeys: string[] }>`
    select ${runColumns}, ${values} as cursor_keys
    from automation_runs r ${runJoins}
    where r.business_id = ${db.businessId} and ${beyond}
      ${automationId ? sql`and r.automation_id = ${automationId}` : sql``}
      ${customerId ? sql`and r.customer_id = ${customerId}` : sql``}
      ${show === 'waiting' ? sql`and r.status = 'waiting'` : sql``}
    order by ${order} limit ${limit}`.execute(db)
  const { items, nextCursor } = page(rows)
  const runs: AutomationRun[] = []
  for (const row of items) runs.push(await runOf(db, actor, row))
  return { items: runs, nextCursor }
}

/** @throws not_found */
export const getRun = async (db: TenantDb, actor: Actor, id: string): Promise<AutomationRun> => {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from automation_runs r ${runJoins} where r.business_id = ${db.businessId} and r.id = ${id}`.execute(
    db,
  )
  if (!rows[0]) throw notFound('message')
  return runOf(db, actor, rows[0])
}

/** Which automations that are on a customer gets. @throws not_found */
export const getCustomerAutomations = async (db: TenantDb, customerId: string): Promise<CustomerAutomations> => {
  const customer = await db
    .selectFrom('customers')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!customer) throw notFound('customer')
  const rows = await listSwitchedOn(db)
  const off = await db
    .selectFrom('automationOptOuts')
    .select('automationId')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .execute()
  const unwanted = new Set(off.map(({ automationId }) => automationId))
  return {
    customerId,
    items: rows.map((row) => ({ id: row.id, name: row.name, when: whenLabel(row), wanted: !unwanted.has(row.id) })),
  }
}

const mostChoices = 500
/** Tags and cities of customers in use, the most frequent first. */
export const listChoices = async (db: TenantDb): Promise<{ tags: string[]; cities: string[] }> => {
  const { rows } = await sql<{ of: 'tag' | 'city'; value: string }>`
    (select 'tag' as of, t.tag as value, count(*) as many from customers c, unnest(c.tags) as t(tag)
      where c.business_id = ${db.businessId} and c.archived_at is null group by t.tag order by many desc, value limit ${mostChoices})
    union all
    (select 'city', p.city, count(*) as many from properties p
      where p.business_id = ${db.businessId} and p.archived_at is null and p.city <> '' group by p.city order by many desc, p.city limit ${mostChoices})`.execute(
    db,
  )
  const of = (kind: string) => rows.filter((row) => row.of === kind).map(({ value }) => value)
  return { tags: of('tag'), cities: of('city') }
}
