import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor, SystemActor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { addDays, type Day, dayOf, daysBetween, instantAt, minuteOfDay } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { paths } from '../../../shared/paths.ts'
import { type NoticeKind, reminderMinuteOf } from '../../businesses/notices/rules.ts'
import { setArrivalErrorTx } from '../../businesses/server/commands.ts'
import { quietUntil } from '../../messages/rules.ts'
import { quietOf } from '../../messages/zones/server/queries.ts'
import { noteMovedTx } from '../../visits/server/told/commands.ts'
import type { CustomerNotices } from '../contract.ts'
import { changesWords, fewestStarts, mayTellMoveNow } from '../rules.ts'
import { putOut } from './outgoing.ts'
import {
  findWays,
  getCustomerNotices,
  getNoticeSettings,
  lastMoveTold,
  listDueReminders,
  listNoticeCustomers,
  listStrays,
  measureArrivals,
  type NoticeCustomer,
  type NoticeSettings,
  segmentsLeft,
} from './queries.ts'
import { noticeWords, reminderValues } from './templates.ts'

/** So long a notice of a move waits, so that taking the move back recalls it. */
export const holdMinutes = 5
/** Customers that one transaction tells. */
const chunkSize = 40
/** A phone without a signal says late that it left; by then nobody needs to know. */
const onWayMinutes = 15

export const tellMovesTask = taskName({ name: 'notices.moved', payload: z.object({ customerId: z.uuid() }) })

/** One at a time tells the customers of a business, so that none is told twice. */
const lockNotices = (db: TenantDb) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`notices:${db.businessId}`}, 0))`.execute(db)

type Notice = {
  kind: NoticeKind
  customer: NoticeCustomer
  /** The visit whose page it leads to. */
  visitId: string
  dedupeKey: string
  values: Readonly<Record<string, string>>
  texts?: boolean
  /** Segments of texts that the plan still has this month; null without a limit. */
  segmentsLeft: number | null
}

/** Puts a notice into the outbox by the way that is open to its customer. @returns whether there was one */
const queueNotice = async (db: TenantDb, settings: NoticeSettings, notice: Notice): Promise<boolean> => {
  const { kind, customer, visitId, dedupeKey, values, segmentsLeft, texts = true } = notice
  const ways = await findWays(db, customer, { texts, segmentsLeft })
  if (ways.length === 0) return false
  const link = absoluteUrl(paths.visit(await linkToken(db, 'visit', visitId)))
  const words = noticeWords(settings, kind, customer.language, {
    first_name: firstNameOf(customer.name),
    ...values,
    link,
  })
  for (const { way, key } of ways) await putOut(db, { customer, way, visitId, dedupeKey: `${dedupeKey}${key}`, words })
  return true
}

type Told = {
  visitId: string
  customerId: string
  toldDay: Day | null
  remindedDay: Day | null
  movedAt: string | null
}

const keepTold = async (db: TenantDb, told: readonly Told[]): Promise<void> => {
  const toldAt = clock.iso()
  if (told.length === 0) return
  await db
    .insertInto('visitTellings')
    .values(told.map((one) => ({ businessId: db.businessId, ...one, toldAt })))
    .onConflict((c) =>
      c.columns(['businessId', 'visitId']).doUpdateSet((eb) => ({
        toldDay: eb.ref('excluded.toldDay'),
        wasTold: true,
        dayBefore: eb.ref('visitTellings.toldDay'),
        remindedDay: sql<Day | null>`coalesce(excluded.reminded_day, visit_tellings.reminded_day)`,
        movedAt: sql<string | null>`coalesce(excluded.moved_at, visit_tellings.moved_at)`,
        toldAt,
      })),
    )
    .execute()
}

/** That customers were told another day by a message of its own, so that no notice of the move follows it. */
export const noteToldTx = (
  db: TenantDb,
  told: readonly { visitId: string; customerId: string; day: Day }[],
): Promise<void> =>
  keepTold(
    db,
    told.map(({ visitId, customerId, day }) => ({
      visitId,
      customerId,
      toldDay: day,
      remindedDay: null,
      movedAt: clock.iso(),
    })),
  )

/**
 * That a message left which named the day of a visit, so that whoever moves it tells its customer. Who moved it while it was leaving does, too.
 */
export const noteDaySaidTx = async (
  db: TenantDb,
  { visitId, customerId, day }: { visitId: string; customerId: string; day: Day },
): Promise<void> => {
  await keepTold(db, [{ visitId, customerId, toldDay: day, remindedDay: null, movedAt: null }])
  await noteMovedTx(db, [visitId])
}

/**
 * That a message with another day never left. A visit that is back on its day is told as it was before, which may be not at all;
 * one that has moved on since counts as told the day it came from, so that a notice of the move says where it went.
 */
export const noteUntoldTx = async (db: TenantDb, untold: readonly { visitId: string; day: Day }[]): Promise<void> => {
  if (untold.length === 0) return
  const days = sql`unnest(${untold.map((one) => one.visitId)}::uuid[], ${untold.map((one) => one.day)}::date[]) as was (visit_id, day)`
  const { rows: moved } = await sql<{ visitId: string }>`
    update visit_tellings t set told_day = was.day, moved_at = null
    from ${days}
    join visits v on v.id = was.visit_id and v.business_id = ${db.businessId} and v.day is distinct from was.day
    where t.business_id = ${db.businessId} and t.visit_id = was.visit_id
    returning t.visit_id as "visitId"`.execute(db)
  const stayed = moved.map((row) => row.visitId)
  const back = untold.map((one) => one.visitId).filter((id) => !stayed.includes(id))
  await sql`delete from visit_tellings where business_id = ${db.businessId} and visit_id = any(${back}::uuid[]) and not was_told`.execute(
    db,
  )
  await sql`update visit_tellings set told_day = day_before, moved_at = null
    where business_id = ${db.businessId} and visit_id = any(${back}::uuid[])`.execute(db)
  await noteMovedTx(db, stayed)
}

const byCustomer = <T extends { customerId: string }>(rows: readonly T[]): Map<string, T[]> => {
  const found = new Map<string, T[]>()
  for (const row of rows) found.set(row.customerId, [...(found.get(row.customerId) ?? []), row])
  return found
}

const keepUnreached = async (db: TenantDb, customerIds: readonly string[]): Promise<void> => {
  const noWayAt = clock.iso()
  if (customerIds.length > 0)
    await db
      .insertInto('customerNotices')
      .values(customerIds.map((customerId) => ({ businessId: db.businessId, customerId, noWayAt })))
      .onConflict((c) => c.columns(['businessId', 'customerId']).doUpdateSet({ noWayAt }))
      .execute()
}

const remindChunk = async (
  db: TenantDb,
  settings: NoticeSettings,
  day: Day,
  reminders: 'some' | 'all',
  customerIds: readonly string[],
): Promise<number> => {
  await lockNotices(db)
  const due = byCustomer(await listDueReminders(db, day, reminders, customerIds))
  const unreached: string[] = []
  const left = await segmentsLeft(db)
  let count = 0
  for (const customer of await listNoticeCustomers(db, [...due.keys()])) {
    const visits = due.get(customer.id) ?? []
    const [first] = visits
    if (!first) continue
    const queued = await queueNotice(db, settings, {
      kind: 'reminder',
      customer,
      segmentsLeft: left,
      visitId: first.visitId,
      dedupeKey: `reminder:${day}:${first.visitId}`,
      values: reminderValues(settings, customer, day, visits),
    })
    if (!queued) {
      unreached.push(customer.id)
      continue
    }
    count++
    await keepTold(
      db,
      visits.map(({ visitId }) => ({
        visitId,
        customerId: customer.id,
        toldDay: day,
        remindedDay: day,
        movedAt: null,
      })),
    )
  }
  await keepUnreached(db, unreached)
  return count
}

/** Reminds the customers of a day's visits that were not reminded of it, whatever the hour. @returns how many */
export const remindOfDay = async (actor: SystemActor, day: Day): Promise<number> => {
  const settings = await withTenant(actor, getNoticeSettings)
  const { reminders } = settings
  if (reminders === 'off') return 0
  const due = await withTenant(actor, (db) => listDueReminders(db, day, reminders))
  const ids = [...byCustomer(due).keys()]
  let count = 0
  for (let at = 0; at < ids.length; at += chunkSize)
    count += await withTenant(actor, (db) => remindChunk(db, settings, day, reminders, ids.slice(at, at + chunkSize)))
  return count
}

/**
 * Reminds the customers of tomorrow's visits once the hour that the business set has come, and those of visits that were put there later; not in
 * quiet hours. Asked every few minutes; a second time changes nothing.
 */
export const remindCustomers = async (actor: SystemActor): Promise<number> => {
  const { quiet, timeZone, today, closedAt, reminderMinute } = await withTenant(actor, getNoticeSettings)
  if (closedAt) return 0
  const minute = minuteOfDay(clock.now(), timeZone)
  if (minute < reminderMinuteOf(reminderMinute, quiet)) return 0
  if (quietUntil('transactional', clock.now(), timeZone, quiet) !== null) return 0
  return remindOfDay(actor, addDays(today, 1))
}

/** Asks for a look at what customers were told otherwise, after the time in which a move is often taken back. */
export const holdMovesTx = async (db: TenantDb, customerIds: readonly string[]): Promise<void> => {
  const runAt = new Date(clock.nowMs() + holdMinutes * 60_000).toISOString()
  for (const customerId of customerIds) await enqueue(db, tellMovesTask, { customerId }, { key: customerId, runAt })
}

/** Tells one customer of all visits that have another day than they were told, in one message; of those that are back where they were, nothing. */
export const tellMoves = (actor: SystemActor, customerId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    await lockNotices(db)
    const settings = await getNoticeSettings(db)
    const { today, timeZone, quiet } = settings
    const strays = await listStrays(db, customerId, today)
    const [customer] = await listNoticeCustomers(db, [customerId])
    const [first] = strays
    if (!customer || !first || !settings.tellMoves || settings.closedAt || customer.muted.includes('moved')) return
    const later = (runAt: string) => enqueue(db, tellMovesTask, { customerId }, { key: `${customerId}:later`, runAt })
    const hush = await quietOf(db, 'transactional', customerId, settings)
    if (hush) return later(hush)
    const before = await lastMoveTold(db, customerId)
    const toldToday = before !== null && dayOf(before, timeZone) === today
    if (!mayTellMoveNow(strays, { today, toldToday }))
      return later(instantAt(addDays(today, 1), quiet.endMinute, timeZone))
    const queued = await queueNotice(db, settings, {
      kind: 'moved',
      customer,
      segmentsLeft: await segmentsLeft(db),
      visitId: (strays.find((stray) => !stray.canceled) ?? first).visitId,
      dedupeKey: `moved:${customerId}:${clock.iso()}`,
      values: { changes: changesWords(strays, customer.language) },
    })
    if (!queued) return
    const movedAt = clock.iso()
    await keepTold(
      db,
      strays.map(({ visitId, now }) => ({
        visitId,
        customerId,
        toldDay: now,
        // Who hears today of tomorrow needs no second word this evening.
        remindedDay: now !== null && daysBetween(today, now) <= 1 ? now : null,
        movedAt,
      })),
    )
  })

/** Tells the customer that the crew is on its way: the first time only, and while it is true. */
export const tellOnWay = (actor: SystemActor, visitId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const settings = await getNoticeSettings(db)
    if (!settings.tellOnWay || settings.closedAt) return
    const visit = await db
      .selectFrom('visits as v')
      .leftJoin('crews as c', (join) =>
        join
          .onRef('c.businessId', '=', 'v.businessId')
          .on((eb) => eb('c.id', '=', eb.fn.coalesce('v.publishedCrewId', 'v.crewId'))),
      )
      .select(['v.customerId', 'v.status', 'v.enRouteAt', 'c.name as crew'])
      .where('v.businessId', '=', db.businessId)
      .where('v.id', '=', visitId)
      .executeTakeFirst()
    if (visit?.status !== 'en_route' || !visit.enRouteAt) return
    if (clock.nowMs() - Date.parse(visit.enRouteAt) > onWayMinutes * 60_000) return
    const [customer] = await listNoticeCustomers(db, [visit.customerId])
    if (!customer || customer.muted.includes('on_way')) return
    await queueNotice(db, settings, {
      kind: 'on_way',
      customer,
      segmentsLeft: await segmentsLeft(db),
      visitId,
      dedupeKey: `on_way:${visitId}`,
      values: { crew: visit.crew ?? settings.name },
      // A text that waits for the morning would come after the crew; mail wakes nobody.
      texts: (await quietOf(db, 'transactional', customer.id, settings)) === null,
    })
  })

/** Measures once a day how far from plan visits begin: windows are as wide as that. */
export const measureOnce = async (actor: SystemActor): Promise<void> =>
  withTenant(actor, async (db) => {
    const { today, timeZone, arrivalMeasuredOn } = await getNoticeSettings(db)
    if (arrivalMeasuredOn === today) return
    const { errorMinutes, starts } = await measureArrivals(db, today, timeZone)
    await setArrivalErrorTx(db, {
      arrivalErrorMinutes: starts >= fewestStarts ? errorMinutes : null,
      arrivalStarts: starts,
      arrivalMeasuredOn: today,
    })
  })

/** Opens the page of a visit and answers its address. */
export const openVisitPage = (actor: Actor, visitId: string): Promise<{ url: string }> =>
  withTenant(actor, async (db) => {
    const visit = await db
      .selectFrom('visits')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', '=', visitId)
      .executeTakeFirst()
    if (!visit) throw notFound('visit')
    return { url: absoluteUrl(paths.visit(await linkToken(db, 'visit', visitId))) }
  })

/** Switches one notice of a customer on or off; the others stay as they are, whoever switches them meanwhile. */
export const wantNotice = (
  actor: Actor,
  customerId: string,
  { kind, wanted }: { kind: NoticeKind; wanted: boolean },
): Promise<CustomerNotices> =>
  withTenant(actor, async (db) => {
    const [customer] = await listNoticeCustomers(db, [customerId])
    if (!customer) throw notFound('customer')
    await db
      .insertInto('customerNotices')
      .values({ businessId: db.businessId, customerId, muted: wanted ? [] : [kind] })
      .onConflict((c) =>
        c.columns(['businessId', 'customerId']).doUpdateSet({
          muted: wanted
            ? sql<string[]>`array_remove(customer_notices.muted, ${kind}::text)`
            : sql<string[]>`array_append(array_remove(customer_notices.muted, ${kind}::text), ${kind}::text)`,
        }),
      )
      .execute()
    const now = await getCustomerNotices(db, customerId)
    await audit(
      db,
      actor,
      'customer.notices',
      { type: 'customer', id: customerId },
      { after: { muted: now.muted.toSorted() } },
    )
    await publishChange(db, 'customers', [customerId])
    return now
  })
