import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import { type Day, dayOf, minuteOfDay } from '../../../../shared/dates.ts'
import type { Stroke } from '../../../../shared/strokes.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { listTreated, type Treated } from '../../../chemicals/records/server/queries.ts'
import { type CustomerWords, customerText } from '../../../visits/notes/rules.ts'
import { showsOurWork } from '../../../visits/photos/server/queries.ts'
import type { VisitStatus } from '../../../visits/rules.ts'
import { type DayStop, listDayStops } from '../../../visits/server/queries.ts'
import { arrivalWindow, linkIsOver, liveWindow, type Window } from '../../rules.ts'

/** One visit as its customer may see it: nothing of other customers, no price, no note but the one for the customer. */
export type PageVisit = {
  id: string
  status: VisitStatus
  day: Day | null
  /** The day the customer was told before, where it is another one. */
  movedFrom: Day | null
  services: string
  street: string
  crew: string | null
  window: Window | null
  /** Stops that the crew has before it; null on other days and where there is no order. */
  before: number | null
  /** How late its crew is by what it began last; null on other days, under none when it is early. */
  lateMinutes: number | null
  enRouteAt: string | null
  startedAt: string | null
  finishedAt: string | null
  skipReason: string | null
  /** What the crew says to the customer. */
  note: string
  /** The day of the visit that was booked in its place. */
  again: Day | null
  photos: {
    kind: 'before' | 'after' | 'other'
    url: string
    width: number | null
    height: number | null
    strokes: Stroke[]
  }[]
  /** What the crew ticked, where the business shows it. */
  checked: string[]
  /** What was put on the lawn, and until when to keep off. */
  treated: Pick<Treated, 'products' | 'keepOffUntil'> | null
}

export type VisitPage = {
  business: { name: string; phone: string | null; email: string | null; color: string; logoUrl: string | null }
  language: Language
  timeZone: string
  today: Day
  now: string
  /** The one that the link names, then the customer's others of that day. */
  visits: PageVisit[]
}

type Row = Omit<PageVisit, 'window' | 'before' | 'lateMinutes' | 'photos' | 'treated' | 'note'> &
  CustomerWords & {
    customerId: string
    crewId: string | null
    language: string
    last: Day | null
  }

const rowsOf = async (db: TenantDb, which: ReturnType<typeof sql<boolean>>): Promise<Row[]> =>
  (
    await sql<Row>`
    select v.id, v.customer_id as "customerId", v.status, case when v.status = 'unscheduled' then null else v.day end as day,
      case when v.status in ('scheduled', 'unscheduled') and v.moved_from is distinct from v.day then v.moved_from end as "movedFrom",
      coalesce((select string_agg(coalesce(case when c.language = 'es' then nullif(l.title_es, '') end, l.title, s.name), ', ' order by l.position, l.id) from visit_lines l
        join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id), '') as services,
      v.checked, v.customer_note as "customerNote", v.saw_note as "sawNote", v.did_note as "didNote", v.expect_note as "expectNote", p.street, k.name as crew, k.id as "crewId", v.en_route_at as "enRouteAt",
      v.started_at as "startedAt", v.finished_at as "finishedAt", v.skip_reason as "skipReason", c.language,
      (select r.day from visits r where r.business_id = v.business_id and r.rebooked_from = v.id and r.status <> 'canceled' limit 1) as again,
      greatest(v.day, t.told_day, v.occurrence_on) as last
    from visits v
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    left join crews k on k.business_id = v.business_id
      and k.id = case when v.published_day = v.day then coalesce(v.published_crew_id, v.crew_id) else v.crew_id end
    left join visit_tellings t on t.business_id = v.business_id and t.visit_id = v.id
    where v.business_id = ${db.businessId} and ${which}
    order by v.planned_start_minute nulls last, v.id`.execute(db)
  ).rows

const open: readonly VisitStatus[] = ['scheduled', 'en_route', 'in_progress', 'paused']

/** How late a crew is by the stop that it began last; minutes, less than none when it is early. A route that was sent after that begin knows of it. */
const lateMinutesOf = (stops: readonly DayStop[], timeZone: string): number => {
  const begun = stops.filter(
    (stop) => stop.startMinute !== null && stop.startedAt !== null && stop.startedAt > (stop.publishedAt ?? ''),
  )
  const last = begun.reduce<DayStop | null>(
    (found, stop) => (found === null || (stop.startedAt ?? '') > (found.startedAt ?? '') ? stop : found),
    null,
  )
  return last?.startedAt ? minuteOfDay(last.startedAt, timeZone) - (last.startMinute ?? 0) : 0
}

const expected = (
  row: Row,
  stops: readonly DayStop[],
  { today, timeZone, errorMinutes }: { today: Day; timeZone: string; errorMinutes: number | null },
): Pick<PageVisit, 'window' | 'before' | 'lateMinutes'> => {
  const own = stops.filter((stop) => stop.crewId === row.crewId)
  const at = own.findIndex((stop) => stop.visitId === row.id)
  const stop = own[at]
  if (!stop || (row.status !== 'scheduled' && row.status !== 'en_route'))
    return { window: null, before: null, lateMinutes: null }
  const start = row.status === 'en_route' ? null : stop.startMinute
  const lateMinutes = lateMinutesOf(own, timeZone)
  const nowMinute = minuteOfDay(clock.now(), timeZone)
  return {
    window:
      start === null
        ? null
        : row.day === today
          ? liveWindow(start, errorMinutes, { lateMinutes, nowMinute })
          : arrivalWindow(start, errorMinutes),
    before:
      row.day !== today || stop.position === null
        ? null
        : row.status === 'en_route'
          ? 0
          : own.slice(0, at).filter((other) => open.includes(other.status)).length,
    lateMinutes: row.day === today ? lateMinutes : null,
  }
}

const photosOf = async (db: TenantDb, visitIds: readonly string[]) =>
  db
    .selectFrom('visitPhotos as x')
    .innerJoin('files as f', (j) => j.onRef('f.businessId', '=', 'x.businessId').onRef('f.id', '=', 'x.fileId'))
    .leftJoin('photoMarks as m', (j) => j.onRef('m.businessId', '=', 'x.businessId').onRef('m.photoId', '=', 'x.id'))
    .select(['x.visitId', 'x.kind', 'x.fileId', 'f.width', 'f.height', 'm.strokes'])
    .where('x.businessId', '=', db.businessId)
    .where('x.visitId', 'in', visitIds)
    .where(showsOurWork('x'))
    .orderBy('x.takenAt')
    .orderBy('x.id')
    .execute()

/** What the link of a visit shows; null when the visit is long over or gone. */
export const findVisitPage = async (
  db: TenantDb,
  visitId: string,
  /** Also long after the visit, for who is signed in. */
  { ever = false } = {},
): Promise<VisitPage | null> => {
  const business = await db
    .selectFrom('businesses')
    .select([
      'name',
      'phone',
      'email',
      'brandColor as color',
      'logoFileId',
      'timeZone',
      'sharePhotos',
      'shareChecklists',
      'arrivalErrorMinutes as errorMinutes',
      'closedAt',
    ])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const { timeZone, errorMinutes } = business
  const today = dayOf(clock.now(), timeZone)
  const [main] = await rowsOf(db, sql<boolean>`v.id = ${visitId}`)
  if (!main || business.closedAt) return null
  const finished = main.finishedAt ? dayOf(main.finishedAt, timeZone) : null
  const last = [main.last, finished].reduce((a, b) => ((b ?? '') > (a ?? '') ? b : a))
  if (!ever && last !== null && linkIsOver(last, today)) return null
  const others = main.day
    ? await rowsOf(
        db,
        sql<boolean>`v.customer_id = ${main.customerId} and v.day = ${main.day} and v.id <> ${visitId} and v.status not in ('canceled', 'unscheduled')`,
      )
    : []
  const rows = [main, ...others]
  const crewIds = [...new Set(rows.flatMap((row) => (row.crewId ? [row.crewId] : [])))]
  const stops = main.day && crewIds.length ? await listDayStops(db, main.day, crewIds) : []
  const photos = business.sharePhotos
    ? await photosOf(
        db,
        rows.map((row) => row.id),
      )
    : []
  const treated = await listTreated(
    db,
    rows.map((row) => row.id),
  )
  return {
    business: {
      name: business.name,
      phone: business.phone,
      email: business.email,
      color: business.color,
      logoUrl: business.logoFileId ? signedFilePath(db.businessId, business.logoFileId) : null,
    },
    language: main.language === 'es' ? 'es' : 'en',
    timeZone,
    today,
    now: clock.iso(),
    visits: rows.map((row) => ({
      ...row,
      note: row.status === 'completed' ? customerText(row, main.language) : '',
      ...expected(row, stops, { today, timeZone, errorMinutes }),
      checked: business.shareChecklists && row.status === 'completed' ? row.checked : [],
      treated: treated.find((one) => one.visitId === row.id) ?? null,
      photos: photos
        .filter((photo) => photo.visitId === row.id && row.status === 'completed')
        .map(({ kind, fileId, width, height, strokes }) => ({
          kind,
          url: signedFilePath(db.businessId, fileId),
          width,
          height,
          strokes: (strokes ?? []) as Stroke[],
        })),
    })),
  }
}
