import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type Key, keyset, mostCounted } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import { inThread } from '../../../../platform/threads.ts'
import { admits } from '../../../../shared/can.ts'
import { type Day, dayOf, daysBetween } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { usStates } from '../../../../shared/states.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'
import { type MeasuredBy, measureOf, treatedSquareFeet } from '../../../services/measures/rules.ts'
import { statusLabel, type VisitStatus } from '../../../visits/rules.ts'
import { listConditions } from '../../../weather/server/queries.ts'
import { isLate, missingOf, weatherFrom } from '../../rules.ts'
import { listProducts } from '../../server/queries.ts'
import {
  type ApplicationDraft,
  type ApplicationFacts,
  type ApplicationRecord,
  type Applicator,
  recordsApi,
  type SignPlace,
} from '../contract.ts'
import { changesBetween, completenessOf, signCaption } from '../rules.ts'
import { customerPaper, type RecordPaper, recordPaper } from './files.ts'
import type { recordsPdf } from './pdf.ts'

type Row = {
  id: string
  visitId: string | null
  propertyId: string | null
  day: Day
  enteredAt: string
  enteredBy: string | null
  fromPhone: boolean
  facts: ApplicationFacts
  signPhotos: { id: string; fileId: string; place: SignPlace | null }[]
  amendments: { id: string; at: string; by: string | null; reason: string; facts: ApplicationFacts }[]
}

const columns = sql`r.id, r.visit_id as "visitId", r.property_id as "propertyId", r.day, r.entered_at as "enteredAt", u.name as "enteredBy",
  r.from_phone as "fromPhone", r.facts,
  coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'fileId', p.file_id,
      'place', case when p.latitude is not null then jsonb_build_object('latitude', p.latitude, 'longitude', p.longitude, 'accuracyMeters', p.accuracy_meters) end) order by p.created_at) from visit_photos p
    where p.business_id = r.business_id and p.visit_id = r.visit_id and p.caption = ${signCaption}), '[]') as "signPhotos",
  coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'at', a.created_at, 'by', w.name, 'reason', a.reason, 'facts', a.facts) order by a.number)
    from application_amendments a left join users w on w.business_id = a.business_id and w.id = a.amended_by
    where a.business_id = r.business_id and a.record_id = r.id), '[]') as amendments`
const tables = sql`application_records r left join users u on u.business_id = r.business_id and u.id = r.entered_by`

const shown = (db: TenantDb, actor: Actor, row: Row, timeZone: string): ApplicationRecord => {
  const { amendments, signPhotos, facts: first, ...rest } = row
  const versions = [first, ...amendments.map(({ facts }) => facts)]
  const facts = versions.at(-1) ?? first
  return {
    ...rest,
    facts,
    late: isLate({ endedAt: facts.endedAt, enteredAt: row.enteredAt }),
    missing: missingOf(completenessOf(facts)),
    signPhotos: signPhotos.map(({ id, fileId, place }) => ({ id, place, url: signedFilePath(db.businessId, fileId) })),
    amendments: amendments.map(({ id, at, by, reason, facts: after }, index) => ({
      id,
      at: new Date(at).toISOString(),
      by,
      reason,
      changes: changesBetween(versions[index] ?? first, after, timeZone),
    })),
    can: { amend: admits(actor, recordsApi.amend) },
  }
}

const read = async (
  db: TenantDb,
  actor: Actor,
  which: RawBuilder<SqlBool>,
  most: number,
): Promise<ApplicationRecord[]> => {
  const timeZone = await timeZoneOf(db)
  const { rows } = await sql<Row>`select ${columns} from ${tables} where r.business_id = ${db.businessId} and ${which}
    order by r.day desc, r.id desc limit ${most}`.execute(db)
  return rows.map((row) => shown(db, actor, row, timeZone))
}

export const getRecord = async (db: TenantDb, actor: Actor, id: string): Promise<ApplicationRecord> => {
  const [record] = await read(db, actor, sql<SqlBool>`r.id = ${id}`, 1)
  if (!record) throw notFound('record')
  return record
}

/** The newest so many of a visit: a lawn is not treated more often on one day. */
const mostOfVisit = 20

export const listOfVisit = (db: TenantDb, actor: Actor, visitId: string): Promise<ApplicationRecord[]> =>
  read(db, actor, sql<SqlBool>`r.visit_id = ${visitId}`, mostOfVisit)

export type RecordFilter = {
  from?: Day | undefined
  to?: Day | undefined
  state?: string | undefined
  propertyId?: string | undefined
  productId?: string | undefined
}

/** Products as they stand after the last amendment. */
const productIds = sql`coalesce((select a.product_ids from application_amendments a
  where a.business_id = r.business_id and a.record_id = r.id order by a.number desc limit 1), r.product_ids)`

const matching = ({ from, to, state, propertyId, productId }: RecordFilter): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    [
      sql`true`,
      ...(from ? [sql`r.day >= ${from}`] : []),
      ...(to ? [sql`r.day <= ${to}`] : []),
      ...(state ? [sql`r.state = ${state}`] : []),
      ...(propertyId ? [sql`r.property_id = ${propertyId}`] : []),
      ...(productId ? [sql`${productIds} @> array[${productId}]::uuid[]`] : []),
    ],
    sql` and `,
  )})`

const order: Key[] = [
  { of: sql`r.day`, type: 'day' },
  { of: sql`r.id`, type: 'uuid' },
]

export const listRecords = async (
  db: TenantDb,
  actor: Actor,
  { cursor, limit, ...filter }: RecordFilter & { cursor?: string | undefined; limit: number },
) => {
  const keys = keyset(order, { order: 'desc', cursor, limit })
  const timeZone = await timeZoneOf(db)
  const { rows } = await sql<Row & { cursorKeys: string[] }>`
    select ${columns}, ${keys.values} as "cursorKeys" from ${tables}
    where r.business_id = ${db.businessId} and ${matching(filter)} and ${keys.beyond}
    order by ${keys.order} limit ${keys.limit}`.execute(db)
  const { items, nextCursor } = keys.page(rows)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from (
    select 1 from application_records r where r.business_id = ${db.businessId} and ${matching(filter)} limit ${mostCounted + 1}) found`.execute(
    db,
  )
  const total = (counted[0]?.n ?? 0) > mostCounted ? null : (counted[0]?.n ?? 0)
  return {
    items: items.map((row) => shown(db, actor, row as Row, timeZone)),
    nextCursor,
    total,
    states: await listStates(db),
  }
}

/** In which states the business has applied anything: one look for each of them. */
const listStates = async (db: TenantDb): Promise<string[]> => {
  const { rows } = await sql<{ state: string }>`
    with recursive found as (
      (select state from application_records where business_id = ${db.businessId} order by state limit 1)
      union all
      select (select r.state from application_records r where r.business_id = ${db.businessId} and r.state > f.state order by r.state limit 1)
      from found f where f.state is not null)
    select state from found where state is not null limit 60`.execute(db)
  return rows.map(({ state }) => state)
}

/** So many go in one file; more are asked for by a shorter period. */
export const mostInFile = 2_000
/** The longest period of a file: a leap year. */
const longestDays = 366

/** @throws AppError validation_failed for a period that is too long, state_conflict for more records than fit in a file */
export const listForFile = async (db: TenantDb, actor: Actor, filter: RecordFilter & { from: Day; to: Day }) => {
  if (filter.to < filter.from) throw invalid([{ path: 'to', message: 'It ends before it begins.' }])
  if (daysBetween(filter.from, filter.to) > longestDays)
    throw invalid([{ path: 'to', message: 'A file holds a year at most. Choose a shorter period.' }])
  const records = await read(db, actor, matching(filter), mostInFile + 1)
  if (records.length > mostInFile)
    throw conflict(
      `There are more than ${mostInFile.toLocaleString('en-US')} records in this period. Choose a shorter one.`,
    )
  return records.reverse()
}

/** The newest records of a period for a report, at most as many as a file holds, and how many there are. */
export const listForReport = async (
  db: TenantDb,
  actor: Actor,
  filter: RecordFilter & { from: Day; to: Day },
): Promise<{ records: ApplicationRecord[]; count: number }> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from application_records r
    where r.business_id = ${db.businessId} and ${matching(filter)}`.execute(db)
  return { records: await read(db, actor, matching(filter), mostInFile), count: rows[0]?.n ?? 0 }
}

/** What the paper of a period says. */
export const readPaper = async (
  db: TenantDb,
  actor: Actor,
  filter: RecordFilter & { from: Day; to: Day },
): Promise<RecordPaper> => {
  const records = await listForFile(db, actor, filter)
  const { name } = await db
    .selectFrom('businesses')
    .select('name')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const [product] = filter.productId ? await listProducts(db, [filter.productId]) : []
  const site = filter.propertyId ? records[0]?.facts.site : null
  const what = [
    filter.state ? (usStates[filter.state as keyof typeof usStates] ?? filter.state) : null,
    site,
    product?.name,
  ]
  return recordPaper(records, {
    business: name,
    from: filter.from,
    to: filter.to,
    what: what.filter(Boolean).join(', '),
    timeZone: await timeZoneOf(db),
  })
}

/** The paper of a customer's own records, as a PDF. */
export const drawCustomerRecords = (
  facts: readonly ApplicationFacts[],
  by: { business: string; timeZone: string },
): Promise<Uint8Array> =>
  inThread<typeof recordsPdf>(new URL('./pdf.ts', import.meta.url), 'recordsPdf', customerPaper(facts, by))

export type Treated = {
  visitId: string
  propertyId: string
  products: { name: string; labelUrl: string }[]
  keepOffUntil: string | null
  endedAt: string
}

/** A record as it stands now: with its last amendment. */
const factsNow = sql`coalesce((select a.facts from application_amendments a
  where a.business_id = r.business_id and a.record_id = r.id order by a.number desc limit 1), r.facts)`

/** What was put on a lawn at visits, one for each: all products, and the last moment of keeping off. */
export const listTreated = async (db: TenantDb, visitIds: readonly string[]): Promise<Treated[]> => {
  if (visitIds.length === 0) return []
  const { rows } = await sql<{ visitId: string; propertyId: string; facts: ApplicationFacts }>`
    select r.visit_id as "visitId", r.property_id as "propertyId", ${factsNow} as facts from application_records r
    where r.business_id = ${db.businessId} and r.visit_id = any(${sql.val([...visitIds])}::uuid[]) and r.property_id is not null
    order by r.applied_at, r.id limit ${visitIds.length * mostOfVisit}`.execute(db)
  const latest = (instants: readonly (string | null)[]): string | null =>
    instants.reduce<string | null>((last, at) => (at && (!last || Date.parse(at) > Date.parse(last)) ? at : last), null)
  return [...Map.groupBy(rows, ({ visitId }) => visitId)].map(([visitId, own]) => ({
    visitId,
    propertyId: own[0]?.propertyId ?? '',
    products: [
      ...new Map(
        own.flatMap(({ facts }) => facts.products).map(({ name, labelUrl }) => [name, { name, labelUrl }] as const),
      ).values(),
    ],
    keepOffUntil: latest(own.map(({ facts }) => facts.keepOffUntil)),
    endedAt: latest(own.map(({ facts }) => facts.endedAt)) ?? '',
  }))
}

/** Until when a visit closed its lawn, as it was known at a moment; null where nothing asked for it. */
export const keepOffAsOf = async (db: TenantDb, visitId: string, at: string): Promise<string | null> => {
  const { rows } = await sql<{ until: string | null }>`
    select max(n.until) as until from (
      select case when a.id is null then r.keep_off_until else a.keep_off_until end as until from application_records r
      left join lateral (select x.id, x.keep_off_until from application_amendments x
        where x.business_id = r.business_id and x.record_id = r.id and x.created_at <= ${at} order by x.number desc limit 1) a on true
      where r.business_id = ${db.businessId} and r.visit_id = ${visitId} and r.entered_at <= ${at} limit ${mostOfVisit}) n`.execute(
    db,
  )
  return rows[0]?.until ?? null
}

/** How many records visits have, and whether one of them lacks nothing that the law of its state asks for. */
export const listRecordStates = async (
  db: TenantDb,
  visitIds: readonly string[],
): Promise<Map<string, { records: number; complete: boolean }>> => {
  if (visitIds.length === 0) return new Map()
  const { rows } = await sql<{ visitId: string; facts: ApplicationFacts }>`
    select r.visit_id as "visitId", ${factsNow} as facts from application_records r
    where r.business_id = ${db.businessId} and r.visit_id = any(${sql.val([...visitIds])}::uuid[])
    limit ${visitIds.length * mostOfVisit}`.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ visitId }) => visitId)].map(([visitId, own]) => [
      visitId,
      { records: own.length, complete: own.some(({ facts }) => missingOf(completenessOf(facts)).length === 0) },
    ]),
  )
}

/** Until when nobody goes on lawns that were treated lately, by property. */
export const listKeepOff = async (db: TenantDb, propertyIds: readonly string[]): Promise<Map<string, string>> => {
  if (propertyIds.length === 0) return new Map()
  const { rows } = await sql<{ propertyId: string; until: string }>`
    select n.property_id as "propertyId", max(n.until) as until from (
      select r.property_id, case when a.id is null then r.keep_off_until else a.keep_off_until end as until
      from application_records r
      left join lateral (select x.id, x.keep_off_until from application_amendments x
        where x.business_id = r.business_id and x.record_id = r.id order by x.number desc limit 1) a on true
      where r.business_id = ${db.businessId} and r.property_id = any(${sql.val([...propertyIds])}::uuid[])
        and r.applied_at > ${new Date(clock.nowMs() - longestKeepOffMs).toISOString()}) n
    where n.until > ${clock.iso()} group by n.property_id`.execute(db)
  return new Map(rows.map(({ propertyId, until }) => [propertyId, until]))
}

/** No product closes a lawn for longer. */
const longestKeepOffMs = 31 * 86_400_000

type VisitRow = {
  id: string
  customerId: string
  propertyId: string
  day: Day | null
  status: VisitStatus
  crewId: string | null
  startedAt: string | null
  finishedAt: string | null
  budgetMinutes: number
  treats: boolean
  customer: string
  billing: string
  site: string
  zip: string
  state: string
  latitude: number | null
  longitude: number | null
  lawnSquareFeet: number | null
  bedSquareFeet: number | null
  edgeFeet: number | null
  /** What its treatments go by; a visit without any may still be recorded, of its lawn. */
  treatedBy: MeasuredBy[]
}

/** A visit with what a record takes from it. @throws not_found */
export const getTreatment = async (db: TenantDb, visitId: string): Promise<VisitRow> => {
  const { rows } = await sql<VisitRow>`
    select v.id, v.customer_id as "customerId", v.property_id as "propertyId", v.day, v.status, v.crew_id as "crewId", v.started_at as "startedAt",
      v.finished_at as "finishedAt", v.budget_minutes as "budgetMinutes", coalesce(nullif(c.company, ''), c.name) as customer,
      case when nullif(c.billing_street, '') is null then concat_ws(', ', p.street, nullif(p.city, ''), nullif(concat_ws(' ', nullif(p.state, ''), nullif(p.zip, '')), ''))
        else concat_ws(', ', c.billing_street, nullif(c.billing_city, ''), nullif(concat_ws(' ', nullif(c.billing_state, ''), nullif(c.billing_zip, '')), '')) end as billing,
      concat_ws(', ', concat_ws(' ', p.street, nullif(p.unit, '')), nullif(p.city, '')) as site, p.zip, upper(p.state) as state,
      p.latitude, p.longitude, p.lawn_square_feet as "lawnSquareFeet", ${bedSquareFeetOf('p')} as "bedSquareFeet", ${edgeFeetOf('p')} as "edgeFeet",
      array(select distinct s.measured_by from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id and s.category = 'treat') as "treatedBy",
      exists (select 1 from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id and s.category = 'treat') as treats
    from visits v
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    where v.business_id = ${db.businessId} and v.id = ${visitId}`.execute(db)
  if (!rows[0]) throw notFound('visit')
  return rows[0]
}

/** More people than these are not offered. */
const mostPeople = 300

/** Who may have applied something, with the licenses that are on file; also one who left, where `ids` names them. */
export const listApplicators = async (
  db: TenantDb,
  ids?: readonly string[],
): Promise<(Applicator & { left: boolean })[]> => {
  const { rows } = await sql<Applicator & { left: boolean }>`
    select u.id, u.name, u.status = 'disabled' as left, coalesce((select jsonb_agg(jsonb_build_object('skill', l.skill, 'state', l.state, 'number', l.number,
        'validFrom', l.valid_from, 'expiresOn', l.expires_on) order by l.expires_on desc)
      from licenses l where l.business_id = u.business_id and l.user_id = u.id and l.deleted_at is null), '[]') as licenses
    from users u where u.business_id = ${db.businessId}
      and ${ids ? sql`u.id = any(${sql.val([...ids])}::uuid[])` : sql`u.status <> 'disabled'`}
    order by u.name, u.id limit ${mostPeople}`.execute(db)
  return rows
}

/** The weather of a lawn at a moment, where a forecast of that hour is kept. */
const weatherAt = async (db: TenantDb, { latitude, longitude }: Pick<VisitRow, 'latitude' | 'longitude'>, at: string) =>
  weatherFrom(
    latitude === null || longitude === null
      ? undefined
      : (await listConditions(db, { latitude, longitude }, at, at)).at(-1),
  )

/**
 * The weather that goes into a record: what a person saw and typed stays; else that of the hour in which the work ended, as far as a forecast of it
 * is kept.
 * @param isRight what stands in the draft is of that hour already, and is kept where we know nothing
 */
export const weatherAsOf = async (
  db: TenantDb,
  visit: Pick<VisitRow, 'latitude' | 'longitude'>,
  { weather, endedAt }: Pick<ApplicationDraft, 'weather' | 'endedAt'>,
  isRight: boolean,
): Promise<ApplicationDraft['weather']> => {
  if (weather.source === 'typed') return weather
  const found = await weatherAt(db, visit, endedAt)
  return found.source === 'none' && isRight ? weather : found
}

const startOf = async (db: TenantDb, visit: VisitRow) => {
  const endedAt = visit.finishedAt ?? clock.iso()
  const startedAt = visit.startedAt ?? new Date(Date.parse(endedAt) - visit.budgetMinutes * 60_000).toISOString()
  const day = visit.day ?? dayOf(startedAt, await timeZoneOf(db))
  const { rows } = await sql<{ id: string }>`
    select m.user_id as id from ${crewPresent(db, visit.crewId, day)} m
    left join crews c on c.business_id = ${db.businessId} and c.id = ${visit.crewId}
    order by (m.user_id = c.leader_user_id) desc, m.user_id limit 1`.execute(db)
  return {
    areaSquareFeet: visit.treats
      ? treatedSquareFeet(visit.treatedBy.map((measuredBy) => measureOf({ measuredBy }, visit)))
      : visit.lawnSquareFeet,
    startedAt,
    endedAt,
    applicatorId: rows[0]?.id ?? null,
    weather: await weatherAt(db, visit, endedAt),
  }
}

/** Why no record can be added to a visit, or null. */
export const applicationRefusal = (visit: Pick<VisitRow, 'status' | 'day'>, today: Day): string | null =>
  visit.status === 'canceled' || visit.status === 'unscheduled' || visit.day === null
    ? `This visit is ${statusLabel(visit.status)}: nothing was applied there. Bring it back first.`
    : visit.day > today
      ? 'This visit has not come yet: a record says what was done.'
      : null

/** What was applied on a visit, and what a new record begins with. */
export const getVisitApplications = async (db: TenantDb, actor: Actor, visitId: string) => {
  const visit = await getTreatment(db, visitId)
  return {
    treats: visit.treats,
    state: visit.state,
    records: await listOfVisit(db, actor, visitId),
    start: await startOf(db, visit),
    people: await listApplicators(db),
    refused: applicationRefusal(visit, dayOf(clock.now(), await timeZoneOf(db))),
  }
}
