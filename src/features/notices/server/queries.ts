import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { toE164 } from '../../../shared/phone.ts'
import { getPortalUrl } from '../../businesses/letters/server/queries.ts'
import type { Language, NoticeKind, NoticeTexts } from '../../businesses/notices/rules.ts'
import type { Recipient } from '../../customers/contacts/rules.ts'
import { listRecipients } from '../../customers/contacts/server/queries.ts'
import type { Channel } from '../../messages/rules.ts'
import { findSuppression, smsUsage } from '../../messages/server/queries.ts'
import type { CustomerNotices } from '../contract.ts'

/** What a business tells customers, and in which words. */
export const getNoticeSettings = async (db: TenantDb) => {
  const row = await db
    .selectFrom('businesses')
    .select([
      'name',
      'phone',
      'email',
      'timeZone',
      'brandColor',
      'reminders',
      'reminderMinute',
      'tellMoves',
      'tellOnWay',
      'noticeTexts',
      'quietStartMinute',
      'quietEndMinute',
      'arrivalErrorMinutes',
      'arrivalMeasuredOn',
      'closedAt',
    ])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return {
    ...row,
    portalUrl: await getPortalUrl(db),
    noticeTexts: row.noticeTexts as NoticeTexts,
    quiet: { startMinute: row.quietStartMinute, endMinute: row.quietEndMinute },
    today: dayOf(clock.now(), row.timeZone),
  }
}
export type NoticeSettings = Awaited<ReturnType<typeof getNoticeSettings>>

const contactOf = (db: TenantDb, customerIds: readonly string[]) =>
  db
    .selectFrom('customers as c')
    .leftJoin('customerNotices as n', (join) =>
      join.onRef('n.businessId', '=', 'c.businessId').onRef('n.customerId', '=', 'c.id'),
    )
    .select(['c.id', 'c.name', 'c.language', 'n.muted'])
    .where('c.businessId', '=', db.businessId)
    .where('c.id', 'in', customerIds)
    .execute()

export type NoticeCustomer = {
  id: string
  name: string
  email: string | null
  phone: string | null
  language: Language
  muted: NoticeKind[]
  /** Contacts who get notices of visits, too. */
  others: { contactId: string; email: string | null; phone: string | null }[]
}

export const listNoticeCustomers = async (db: TenantDb, ids: readonly string[]): Promise<NoticeCustomer[]> =>
  ids.length === 0 ? [] : withRecipients(await contactOf(db, ids), await listRecipients(db, ids, 'visits'))

/** The first who gets notices and can be reached stands for the customer; nobody does where nobody was chosen. */
const withRecipients = (
  rows: Awaited<ReturnType<typeof contactOf>>,
  recipients: (customerId: string) => Recipient[],
): NoticeCustomer[] =>
  rows.map(({ id, name, language, muted }) => {
    const [first, ...others] = recipients(id).filter(({ email, phone }) => email !== null || phone !== null)
    return {
      id,
      name,
      email: first?.email ?? null,
      phone: first?.phone ?? null,
      language: language === 'es' ? 'es' : 'en',
      muted: (muted ?? []) as NoticeKind[],
      others: others.flatMap(({ contactId, email, phone }) =>
        contactId === null ? [] : [{ contactId, email, phone }],
      ),
    }
  })

export type Way = { channel: Channel; address: string }

/**
 * How a notice reaches a customer: by text, else by mail where texts are closed to them or used up; null where neither goes.
 * @param texts false in hours in which no text leaves
 */
export const findWay = async (
  db: TenantDb,
  customer: Pick<NoticeCustomer, 'email' | 'phone'>,
  { texts = true, segmentsLeft }: { texts?: boolean; segmentsLeft: number | null },
): Promise<{ way: Way | null; why: string | null }> => {
  const number = customer.phone ? toE164(customer.phone) : null
  const shut = number ? await findSuppression(db, 'sms', number) : null
  const noText =
    number === null
      ? 'No mobile number on file'
      : shut?.purpose === 'all'
        ? shut.reason
        : segmentsLeft !== null && segmentsLeft <= 0
          ? 'The SMS segments of this month are used up'
          : texts
            ? null
            : 'Quiet hours'
  if (number && noText === null) return { way: { channel: 'sms', address: number }, why: null }
  if (!customer.email) return { way: null, why: `${noText}, and no e-mail` }
  const mail = await findSuppression(db, 'email', customer.email)
  return mail?.purpose === 'all'
    ? { way: null, why: `${noText}. E-mail: ${mail.reason}` }
    : { way: { channel: 'email', address: customer.email }, why: noText }
}

/** Every way that is open to the people of a customer who get notices, each once; `key` tells their messages apart. */
export const findWays = async (
  db: TenantDb,
  customer: Pick<NoticeCustomer, 'email' | 'phone' | 'others'>,
  options: { texts?: boolean; segmentsLeft: number | null },
): Promise<{ way: Way; key: string }[]> => {
  const found: { way: Way; key: string }[] = []
  for (const one of [{ ...customer, key: '' }, ...customer.others.map((o) => ({ ...o, key: `:${o.contactId}` }))]) {
    const { way } = await findWay(db, one, options)
    if (way) found.push({ way, key: one.key })
  }
  return found
}

/** SMS segments still free this month; null is without limit. */
export const segmentsLeft = async (db: TenantDb): Promise<number | null> => {
  const usage = await smsUsage(db)
  return usage.segmentLimit === null ? null : usage.segmentLimit - usage.segmentsUsed
}

/** So long whom nothing reached is not tried again, unless their record changed: a word like START or a larger plan opens a way, too. */
const noWayMs = 3_600_000

export type DueReminder = {
  visitId: string
  customerId: string
  startMinute: number | null
  services: string
}

/** Of a visit `v`: what a reminder says of it. */
const reminderColumns = sql`v.id as "visitId", v.customer_id as "customerId",
      case when v.published_day = v.day and v.published_crew_id = v.crew_id
        then coalesce(v.published_start_minute, v.planned_start_minute) else v.planned_start_minute end as "startMinute",
      coalesce((select string_agg(s.name, ', ' order by l.position, l.id) from visit_lines l
        join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id), '') as services`

/** Of a visit `v`: its crew does not work that day. */
const isCrewOff = sql<boolean>`exists (select 1 from crew_days_off o
        where o.business_id = v.business_id and o.crew_id = v.crew_id and o.day = v.day)`

/** Of a visit `v`: its customer wants no reminders. */
const isMuted = sql<boolean>`exists (select 1 from customer_notices n
        where n.business_id = v.business_id and n.customer_id = v.customer_id and 'reminder' = any(n.muted))`

/** Of a visit `v`: it is of a kind that is reminded of; `some` leaves out visits that only mow by a rule. */
const isWanted = (reminders: 'some' | 'all') =>
  reminders === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`exists (select 1 from visit_lines l
          join services s on s.business_id = l.business_id and s.id = l.service_id
          left join job_lines j on j.business_id = l.business_id and j.id = l.job_line_id
          where l.business_id = v.business_id and l.visit_id = v.id and (s.category <> 'mow' or j.recurrence is null))`

/** Visits of a day whose customers were not reminded of it: with a crew that works, and wanted. */
export const listDueReminders = async (
  db: TenantDb,
  day: Day,
  reminders: 'some' | 'all',
  customerIds?: readonly string[],
): Promise<DueReminder[]> => {
  const only = customerIds ? sql`and v.customer_id = any(${[...customerIds]}::uuid[])` : sql``
  const { rows } = await sql<DueReminder>`
    select ${reminderColumns}
    from visits v
    where v.business_id = ${db.businessId} and v.day = ${day} and v.status = 'scheduled' and v.crew_id is not null ${only}
      and not ${isCrewOff}
      and not exists (select 1 from visit_tellings t
        where t.business_id = v.business_id and t.visit_id = v.id and t.reminded_day = v.day)
      and not ${isMuted}
      and not exists (select 1 from customer_notices n
        join customers c on c.business_id = n.business_id and c.id = n.customer_id
        where n.business_id = v.business_id and n.customer_id = v.customer_id
          and n.no_way_at > ${new Date(clock.nowMs() - noWayMs).toISOString()} and c.updated_at <= n.no_way_at)
      and ${isWanted(reminders)}
    order by v.customer_id, "startMinute" nulls last, v.id`.execute(db)
  return rows
}

/** When the reminders of a day's visits leave, and until when one that is put there later is still reminded of. */
export type ReminderTime = { day: Day; dueAt: string; lastAt: string }

/** Why a visit that was on the plan of a day is not reminded of, the first that holds. */
export const notReminded = {
  off: 'Skipped or canceled before the reminder',
  late: 'Put on the plan after the reminders of that day had left',
  noCrew: 'No crew had it',
  crewOff: 'Its crew had the day off',
  mow: 'It only mows by a rule, and you do not remind of that',
  muted: 'Wants no reminders',
} as const
type NotReminded = keyof typeof notReminded

export type PastReminder = DueReminder & { day: Day; createdAt: string; why: NotReminded | null }

/** Visits of past days, each with whether its customer would have been reminded by the rules of `listDueReminders`; the newest days first. */
export const listPastReminders = async (
  db: TenantDb,
  times: readonly ReminderTime[],
  reminders: 'some' | 'all',
  limit: number,
): Promise<PastReminder[]> => {
  if (times.length === 0) return []
  const { rows } = await sql<PastReminder>`
    select ${reminderColumns}, v.day, v.created_at as "createdAt",
      case when v.status = 'canceled' or (v.status = 'skipped' and v.finished_at <= d.due_at) then 'off'
        when v.created_at > d.last_at then 'late'
        when v.crew_id is null then 'noCrew'
        when ${isCrewOff} then 'crewOff'
        when not ${isWanted(reminders)} then 'mow'
        when ${isMuted} then 'muted' end as why
    from unnest(${times.map(({ day }) => day)}::date[], ${times.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${times.map(({ lastAt }) => lastAt)}::timestamptz[]) as d(day, due_at, last_at)
    join visits v on v.business_id = ${db.businessId} and v.day = d.day
    where v.status <> 'unscheduled'
    order by v.day desc, v.customer_id, v.id
    limit ${limit}`.execute(db)
  return rows
}

export type StrayVisit = {
  visitId: string
  told: Day | null
  now: Day | null
  canceled: boolean
  movedAt: string | null
}

/** What a customer was told otherwise than it is, from today on. */
export const listStrays = async (db: TenantDb, customerId: string, today: Day): Promise<StrayVisit[]> => {
  const { rows } = await sql<StrayVisit>`
    select t.visit_id as "visitId", t.told_day as told, case when v.status = 'canceled' then null else v.day end as now,
      v.id is null or v.status = 'canceled' as canceled, t.moved_at as "movedAt"
    from visit_tellings t
    left join visits v on v.business_id = t.business_id and v.id = t.visit_id
    where t.business_id = ${db.businessId} and t.customer_id = ${customerId}
      and t.told_day is distinct from case when v.status = 'canceled' then null else v.day end
      and (v.id is null or v.status in ('scheduled', 'unscheduled', 'canceled'))
      and coalesce(t.told_day, v.day) >= ${today} and coalesce(v.day, t.told_day) >= ${today}
    order by t.told_day nulls last, t.visit_id`.execute(db)
  return rows
}

/** Those of some customers who do not want a kind of notice. */
export const mutedCustomers = async (
  db: TenantDb,
  kind: NoticeKind,
  customerIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (customerIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('customerNotices')
    .select(['customerId', 'muted'])
    .where('businessId', '=', db.businessId)
    .where('customerId', 'in', [...customerIds])
    .execute()
  return new Set(rows.filter((row) => row.muted.includes(kind)).map((row) => row.customerId))
}

/** When a customer was last told of a move. */
export const lastMoveTold = async (db: TenantDb, customerId: string): Promise<string | null> =>
  (
    await db
      .selectFrom('visitTellings')
      .select((eb) => eb.fn.max('movedAt').as('at'))
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', customerId)
      .executeTakeFirst()
  )?.at ?? null

/**
 * How far from what their crew was sent visits of the last 60 days began, in minutes, for nine of ten of them. A visit that the office only put
 * down as done has no start of its own.
 */
export const measureArrivals = async (
  db: TenantDb,
  today: Day,
  timeZone: string,
): Promise<{ errorMinutes: number | null; starts: number }> => {
  const { rows } = await sql<{ errorMinutes: number | null; starts: number }>`
    select ceil(percentile_disc(0.9) within group (order by abs(d.minutes)))::int as "errorMinutes", count(*)::int as starts
    from (
      select extract(epoch from v.started_at - ((v.day + v.published_start_minute * interval '1 minute') at time zone ${timeZone})) / 60 as minutes
      from visits v
      where v.business_id = ${db.businessId} and v.status = 'completed' and v.day between ${addDays(today, -60)} and ${today}
        and v.published_day = v.day and v.published_start_minute is not null
        and v.started_at is not null and v.finished_at is distinct from v.started_at) d
    where abs(d.minutes) < 720`.execute(db)
  return rows[0] ?? { errorMinutes: null, starts: 0 }
}

const nextVisit = async (db: TenantDb, customerId: string, today: Day): Promise<CustomerNotices['nextVisit']> => {
  const row = await db
    .selectFrom('visits')
    .select(['id', 'day'])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('day', '>=', today)
    .where('status', 'in', ['scheduled', 'en_route', 'in_progress', 'paused'])
    .orderBy('day')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.day ? { id: row.id, day: row.day } : null
}

/** Which notices a customer gets and how, and the next visit. */
export const getCustomerNotices = async (db: TenantDb, customerId: string): Promise<CustomerNotices> => {
  const [customer] = await listNoticeCustomers(db, [customerId])
  if (!customer) throw notFound('customer')
  const { today } = await getNoticeSettings(db)
  const { way, why } = await findWay(db, customer, { segmentsLeft: await segmentsLeft(db) })
  return {
    customerId,
    muted: customer.muted,
    channel: way?.channel ?? null,
    why,
    nextVisit: await nextVisit(db, customerId, today),
  }
}
