import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { countUpTo, keyset } from '../../../platform/db/cursor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { lineCents } from '../../../shared/money.ts'
import type { Stroke } from '../../../shared/strokes.ts'
import { listPresence } from '../../employees/server/queries.ts'
import { type Visit, type VisitRow, visitsApi } from '../contract.ts'
import { onSiteMinutes, type VisitAction, visitRefusals } from '../rules.ts'
import { checklistOf } from './checklist/queries.ts'
import { rebookedAs } from './family/queries.ts'
import { factsOf, historyOf, invoiceOf, messagesOf } from './panel/queries.ts'
import { officeSkips } from './skips/queries.ts'
import { peopleAtStop } from './stops/people.ts'

export { getWorkCalendar, listUnlicensed } from '../days/server/queries.ts'
export { countUnassignedTx, endOfRoute, homeMinutes, listDayBoardTx } from './board/queries.ts'
export { listOf } from './checklist/queries.ts'
export { hasOtherDay } from './family/queries.ts'
export { type OpenLineVisit, openFrom, openLineVisits } from './prices/queries.ts'
export { getSkipRules } from './skips/queries.ts'
export { peopleAtStop } from './stops/people.ts'
export { type DayStop, listDayStops } from './stops/queries.ts'

export type VisitFilter = z.output<typeof visitsApi.list.query>

const base = (db: TenantDb) =>
  db
    .selectFrom('visits as v')
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'v.businessId').onRef('j.id', '=', 'v.jobId'))
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'v.businessId').onRef('c.id', '=', 'v.customerId'))
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'v.businessId').onRef('p.id', '=', 'v.propertyId'),
    )
    .leftJoin('crews as w', (x) => x.onRef('w.businessId', '=', 'v.businessId').onRef('w.id', '=', 'v.crewId'))
    .where('v.businessId', '=', db.businessId)

const rows = (db: TenantDb) =>
  base(db).select([
    'v.id',
    'v.jobId',
    'j.number as jobNumber',
    'v.customerId',
    'c.name as customerName',
    'v.propertyId',
    'p.street',
    'p.city',
    'j.title',
    'v.day',
    'v.occurrenceOn',
    'v.crewId',
    'w.name as crewName',
    'v.status',
    'v.windowStartMinute',
    'v.windowEndMinute',
    'v.budgetMinutes',
    'v.startedAt',
    'v.finishedAt',
    'v.workedSeconds',
    'v.people',
    'v.skipReason',
    'v.invoiceId',
    'v.billable',
    'v.priceCents',
    'v.version',
    rebookedAs('v').as('rebookedAs'),
    sql<string[]>`coalesce((select array_agg(coalesce(l.title, s.name) order by l.position, l.id) from visit_lines l
      join services s on s.business_id = l.business_id and s.id = l.service_id
      where l.business_id = v.business_id and l.visit_id = v.id), '{}')`.as('serviceNames'),
    sql<number>`(select count(*)::int from visit_photos x where x.business_id = v.business_id and x.visit_id = v.id)`.as(
      'photoCount',
    ),
  ])

const shown = <R extends { priceCents: number; status: string }>(actor: Actor, row: R) => ({
  ...row,
  status: row.status as VisitRow['status'],
  priceCents: hasPermission(actor, 'money') ? row.priceCents : null,
})

type Query = ReturnType<typeof base>

/** Only the visits, for counting what names nothing else; every visit has its job, customer and property. */
const bare = (db: TenantDb): Query =>
  db.selectFrom('visits as v').where('v.businessId', '=', db.businessId) as unknown as Query

const filtered = (query: Query, f: VisitFilter, jobIds: string[] | null): Query => {
  let q = query
  if (f.from) q = q.where('v.day', '>=', f.from)
  if (f.to) q = q.where('v.day', '<=', f.to)
  if (f.crewId === 'none') q = q.where('v.crewId', 'is', null)
  else if (f.crewId) q = q.where('v.crewId', '=', f.crewId)
  if (f.customerId) q = q.where('v.customerId', '=', f.customerId)
  if (f.jobId) q = q.where('v.jobId', '=', f.jobId)
  if (f.status) q = q.where('v.status', 'in', [f.status].flat())
  if (f.uninvoiced) q = q.where('v.toBill', '=', true).where('v.invoiceId', 'is', null)
  if (jobIds) q = q.where(sql<boolean>`v.job_id = any(${jobIds}::uuid[])`)
  return q
}

/** The jobs first, so that only their visits are read, not the words of every visit that there was. */
const jobsNamed = async (db: TenantDb, words: string): Promise<string[]> => {
  const like = containing(words)
  const { rows } = await sql<{ id: string }>`select j.id from jobs j
    join customers c on c.business_id = j.business_id and c.id = j.customer_id
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    where j.business_id = ${db.businessId} and (c.name ilike ${like} or p.street ilike ${like} or j.title ilike ${like})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

// Without a day a visit stands where its rule named it.
const sortDay = sql<string>`coalesce(v.day, v.occurrence_on)`

/** Visits by day, a page at a time. */
export const listVisits = async (db: TenantDb, actor: Actor, f: VisitFilter) => {
  const jobIds = f.q ? await jobsNamed(db, f.q) : null
  const { beyond, order, values, limit, page } = keyset(
    [
      { of: sortDay, type: 'day' },
      { of: sql`v.id`, type: 'uuid' },
    ],
    f,
  )
  const [found, total] = await Promise.all([
    (filtered(rows(db) as unknown as Query, f, jobIds) as unknown as ReturnType<typeof rows>)
      .select(values.as('cursorKeys'))
      .where(beyond)
      .orderBy(order)
      .limit(limit)
      .execute(),
    countUpTo(db, filtered(bare(db), f, jobIds).select('v.id')),
  ])
  const { items, nextCursor } = page(found)
  return { items: items.map((row) => shown(actor, row)), nextCursor, total }
}

const photosOf = async (db: TenantDb, visitId: string): Promise<Visit['photos']> => {
  const found = await db
    .selectFrom('visitPhotos as x')
    .innerJoin('files as f', (j) => j.onRef('f.businessId', '=', 'x.businessId').onRef('f.id', '=', 'x.fileId'))
    .leftJoin('users as u', (j) => j.onRef('u.businessId', '=', 'x.businessId').onRef('u.id', '=', 'x.createdBy'))
    .where('x.businessId', '=', db.businessId)
    .where('x.visitId', '=', visitId)
    .leftJoin('photoMarks as m', (j) => j.onRef('m.businessId', '=', 'x.businessId').onRef('m.photoId', '=', 'x.id'))
    .select(['x.id', 'x.kind', 'x.fileId', 'x.takenAt', 'f.width', 'f.height', 'u.name as byName', 'm.strokes'])
    .select(sql<boolean>`f.kind = 'message'`.as('fromCustomer'))
    .orderBy('x.takenAt')
    .orderBy('x.id')
    .execute()
  return found.map(({ fileId, strokes, ...photo }) => ({
    ...photo,
    kind: photo.kind,
    strokes: (strokes ?? []) as Stroke[],
    url: signedFilePath(db.businessId, fileId),
  }))
}

const conflictsOf = async (db: TenantDb, visitId: string): Promise<Visit['conflicts']> => {
  const newest = await db
    .selectFrom('crewCommands as k')
    .leftJoin('users as u', (j) => j.onRef('u.businessId', '=', 'k.businessId').onRef('u.id', '=', 'k.userId'))
    .where('k.businessId', '=', db.businessId)
    .where('k.visitId', '=', visitId)
    .where('k.result', '=', 'conflict')
    .select((eb) => [
      'k.id',
      'k.type',
      eb.fn.coalesce('k.reason', sql<string>`''`).as('reason'),
      'k.happenedAt as at',
      'u.name as byName',
    ])
    .orderBy('k.receivedAt', 'desc')
    .limit(10)
    .execute()
  return newest.reverse()
}

const needs: Record<VisitAction, Need> = {
  move: visitsApi.move,
  unschedule: visitsApi.move,
  cancel: visitsApi.cancel,
  finish: visitsApi.finish,
  skip: visitsApi.skip,
  reopen: visitsApi.reopen,
  rebook: visitsApi.rebook,
}

/** One visit with what was done there. @throws AppError not_found */
/** Whether there is such a visit: what a phone names may be gone by now. */
export const isVisit = async (db: TenantDb, visitId: string): Promise<boolean> =>
  (await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()) !== undefined

export const getVisit = async (db: TenantDb, actor: Actor, visitId: string): Promise<Visit> => {
  const row = await rows(db)
    .leftJoin('users as f', (x) => x.onRef('f.businessId', '=', 'v.businessId').onRef('f.id', '=', 'v.finishedBy'))
    .select([
      'v.origin',
      'v.movedFrom',
      'v.note',
      'v.customerNote',
      'v.sawNote',
      'v.didNote',
      'v.expectNote',
      'v.nextNote',
      'v.skipNote',
      'v.skipChargeCents',
      'v.enRouteAt',
      'v.checked',
      'v.plannedStartMinute',
    ])
    .select(['v.officeNote', 'v.untickedReason'])
    .select('f.name as finishedByName')
    .where('v.id', '=', visitId)
    .executeTakeFirst()
  if (!row) throw notFound('visit')
  const lines = await db
    .selectFrom('visitLines as l')
    .innerJoin('services as s', (x) => x.onRef('s.businessId', '=', 'l.businessId').onRef('s.id', '=', 'l.serviceId'))
    .where('l.businessId', '=', db.businessId)
    .where('l.visitId', '=', visitId)
    .select((eb) => eb.fn.coalesce('l.title', 's.name').as('name'))
    .select(['l.id', 'l.serviceId', 'l.description', 'l.quantity', 'l.budgetMinutes', 'l.unitPriceCents'])
    .orderBy('l.position')
    .orderBy('l.id')
    .execute()
  const { phone, email, jobEnded, elsewhere, ...facts } = await factsOf(db, visitId)
  const seesMoney = hasPermission(actor, 'money')
  const seesCustomers = hasPermission(actor, 'customers')
  const crewId = facts.crew?.id
  const there = row.day && crewId ? ((await listPresence(db, row.day, [crewId])).get(crewId) ?? []) : []
  const workCents = lines.reduce((sum, line) => sum + lineCents(line.quantity, line.unitPriceCents), 0)
  const can = canOf(actor, needs, visitRefusals, { ...row, jobEnded, elsewhere })
  return {
    ...shown(actor, row),
    ...facts,
    skipChargeCents: seesMoney ? row.skipChargeCents : null,
    skips: can.skip ? await officeSkips(db, { workCents, billable: row.billable }, seesMoney) : [],
    can,
    lines: lines.map(({ unitPriceCents, ...line }) => ({
      ...line,
      totalCents: seesMoney ? lineCents(line.quantity, unitPriceCents) : null,
    })),
    plannedMinutes: onSiteMinutes(
      row.budgetMinutes,
      peopleAtStop({ ...row, startMinute: row.plannedStartMinute }, there, facts.crew?.people ?? 1),
    ),
    phone: seesCustomers ? phone : null,
    email: seesCustomers ? email : null,
    invoice: await invoiceOf(db, row.invoiceId),
    checklist: await checklistOf(db, visitId),
    photos: await photosOf(db, visitId),
    conflicts: await conflictsOf(db, visitId),
    messages: await messagesOf(db, actor, row),
    history: await historyOf(db, visitId),
  }
}
