import { sql } from 'kysely'
import { keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkToken, smallFilePath } from '../../../../platform/links.ts'
import type { Day } from '../../../../shared/dates.ts'
import { paths } from '../../../../shared/paths.ts'
import { skipChargeOf } from '../../../businesses/skips/rules.ts'
import { findVisitPage } from '../../../notices/server/page/queries.ts'
import { type CustomerWords, customerText } from '../../../visits/notes/rules.ts'
import { showsOurWork } from '../../../visits/photos/server/queries.ts'
import type { VisitStatus } from '../../../visits/rules.ts'
import { getSkipRules } from '../../../visits/server/skips/queries.ts'
import { skipUntil, skipVerdict, unskipVerdict } from '../../rules.ts'
import type { Door, Language } from '../../server/queries.ts'

export type ListedVisit = {
  id: string
  status: VisitStatus
  day: Day | null
  services: string
  street: string
  windowStartMinute: number | null
  windowEndMinute: number | null
  /** What the crew says to the customer. */
  note: string
  photos: string[]
}

type Row = Omit<ListedVisit, 'photos' | 'note'> & CustomerWords

const columns = (
  language: Language,
) => sql`v.id, v.status, case when v.status = 'unscheduled' then null else v.day end as day,
  coalesce((select string_agg(coalesce(case when ${language}::text = 'es' then nullif(l.title_es, '') end, l.title, s.name), ', ' order by l.position, l.id)
    from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
    where l.business_id = v.business_id and l.visit_id = v.id), '') as services,
  p.street, v.window_start_minute as "windowStartMinute", v.window_end_minute as "windowEndMinute",
  v.customer_note as "customerNote", v.saw_note as "sawNote", v.did_note as "didNote", v.expect_note as "expectNote"`

const listed = (
  { customerNote, sawNote, didNote, expectNote, ...row }: Row,
  language: Language,
  photos: string[],
): ListedVisit => ({
  ...row,
  photos,
  note: row.status === 'completed' ? customerText({ customerNote, sawNote, didNote, expectNote }, language) : '',
})

const from = sql`from visits v join properties p on p.business_id = v.business_id and p.id = v.property_id`

/** The most visits to come that a page shows. */
export const mostAhead = 12

/** Visits to come, the next one first. */
export const listAhead = async (
  db: TenantDb,
  { customerId, today, language }: { customerId: string; today: Day; language: Language },
): Promise<ListedVisit[]> => {
  const { rows } = await sql<Row>`select ${columns(language)} ${from}
    where v.business_id = ${db.businessId} and v.customer_id = ${customerId} and v.day >= ${today}::date
      and (v.status in ('scheduled', 'en_route', 'in_progress', 'paused') or v.status = 'skipped' and v.day > ${today}::date)
    order by v.day, v.planned_start_minute nulls last, v.id limit ${mostAhead}`.execute(db)
  return rows.map((row) => listed(row, language, []))
}

const photosOf = async (db: TenantDb, visitIds: readonly string[]): Promise<Map<string, string[]>> => {
  if (visitIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('visitPhotos')
    .select(['visitId', 'fileId'])
    .where('businessId', '=', db.businessId)
    .where('visitId', 'in', [...visitIds])
    .where(showsOurWork('visit_photos'))
    .orderBy('takenAt')
    .orderBy('id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ visitId }) => visitId)].map(([id, own]) => [
      id,
      own.slice(0, 4).map(({ fileId }) => smallFilePath(db.businessId, fileId)),
    ]),
  )
}

/** Past visits, the latest first: done ones with their photos where the business shows them, and those that were left out. */
export const listPast = async (
  db: TenantDb,
  door: Door,
  {
    customerId,
    today,
    language,
    cursor,
    limit = 10,
  }: { customerId: string; today: Day; language: Language; cursor?: string | undefined; limit?: number },
): Promise<{ items: ListedVisit[]; nextCursor: string | null }> => {
  const keys = keyset(
    [
      { of: sql`v.day`, type: 'day' },
      { of: sql`v.id`, type: 'uuid' },
    ],
    { order: 'desc', cursor, limit },
  )
  const { rows } = await sql<
    Row & { cursorKeys: string[] }
  >`select ${columns(language)}, ${keys.values} as cursor_keys ${from}
    where v.business_id = ${db.businessId} and v.customer_id = ${customerId} and v.day <= ${today}::date
      and v.status in ('completed', 'skipped', 'missed') and ${keys.beyond}
    order by ${keys.order} limit ${keys.limit}`.execute(db)
  const { items, nextCursor } = keys.page(rows)
  const photos = door.sharePhotos
    ? await photosOf(
        db,
        items.filter(({ status }) => status === 'completed').map(({ id }) => id),
      )
    : new Map<string, string[]>()
  return { items: items.map((row) => listed(row as Row, language, photos.get(row.id) ?? [])), nextCursor }
}

/** Whether and when the customer skipped a visit here, by its last change. */
const skippedHereAt = async (db: TenantDb, visitId: string): Promise<{ at: string; version: number } | null> => {
  const { rows } = await sql<{ at: string; action: string; portal: boolean | null; version: number | null }>`
    select at, action, (after->>'portal')::boolean as portal, (after->>'version')::int as version from audit_log
    where business_id = ${db.businessId} and entity_type = 'visit' and entity_id = ${visitId}
    order by at desc, id desc limit 1`.execute(db)
  const [last] = rows
  return last?.action === 'visit.skip' && last.portal && last.version !== null
    ? { at: last.at, version: last.version }
    : null
}

/** One visit of a customer with what can be done with it now; null where it is not theirs. */
export const findVisit = async (
  db: TenantDb,
  door: Door,
  { customerId, visitId, now }: { customerId: string; visitId: string; now: string },
) => {
  const row = await db
    .selectFrom('visits as v')
    .select([
      'v.id',
      'v.status',
      'v.day',
      'v.version',
      'v.billable',
      'v.priceCents',
      'v.skipChargeCents',
      'v.windowStartMinute',
      'v.windowEndMinute',
    ])
    .where('v.businessId', '=', db.businessId)
    .where('v.id', '=', visitId)
    .where('v.customerId', '=', customerId)
    .executeTakeFirst()
  const found = row && (await findVisitPage(db, visitId, { ever: true }))
  const [shown] = found?.visits ?? []
  if (!row || !found || !shown) return null
  const { rules, timeZone } = door
  const at = { now, timeZone }
  const reason = (await getSkipRules(db)).find((one) => one.code === rules.skipReason)
  const here = row.status === 'skipped' ? await skippedHereAt(db, visitId) : null
  return {
    row,
    page: found,
    shown,
    skip: skipVerdict(row, rules, at),
    until: skipUntil(row, rules.skipHours, timeZone),
    /** What skipping it would cost; null for nothing. */
    chargeCents: skipChargeOf(reason, { workCents: row.priceCents, billable: row.billable }),
    unskip: here !== null && here.version === row.version && unskipVerdict(row, rules, { ...at, skippedAt: here.at }),
  }
}
export type PortalVisit = NonNullable<Awaited<ReturnType<typeof findVisit>>>

/** The page that follows the crew to a visit. */
export const findLivePath = async (db: TenantDb, visitId: string): Promise<string> =>
  paths.visit(await linkToken(db, 'visit', visitId))
