import { isDeepStrictEqual } from 'node:util'
import { type Insertable, sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { DB } from '../../../../platform/db/types.generated.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import { livingCrewTx } from '../../../employees/server/queries.ts'
import { hasOtherDay } from '../family/queries.ts'
import { compareRoutesTx } from '../route/commands.ts'
import { placeless } from '../row/commands.ts'
import { noteMovedTx } from '../told/commands.ts'

/** Visits of jobs as they stand before and after a change of many, and how what the change wrote is put back. */

const readVisits = (db: TenantDb) => db.selectFrom('visits').selectAll().where('businessId', '=', db.businessId)
const readLines = (db: TenantDb, visitIds: readonly string[]) =>
  db
    .selectFrom('visitLines')
    .select([
      'visitId',
      'jobLineId',
      'serviceId',
      'description',
      'quantity',
      'unitPriceCents',
      'budgetMinutes',
      'position',
      'extraId',
      'title',
      'titleEs',
    ])
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', sql<string>`any(${[...visitIds]}::uuid[])`)
    .orderBy('position')
    .orderBy('id')
    .execute()

type Line = Omit<Awaited<ReturnType<typeof readLines>>[number], 'visitId'>
type Row = Awaited<ReturnType<ReturnType<typeof readVisits>['execute']>>[number]
export type VisitAsWas = Row & { lines: Line[] }

const withLines = async (db: TenantDb, rows: readonly Row[]): Promise<Map<string, VisitAsWas>> => {
  const found = new Map(rows.map((row) => [row.id, { ...row, lines: [] as Line[] }]))
  for (const { visitId, ...line } of await readLines(db, [...found.keys()])) found.get(visitId)?.lines.push(line)
  return found
}

/** The visits of jobs that a change of their schedule may touch: what is open, and what lies ahead. They are held until the transaction ends. */
export const takeVisitsTx = async (
  db: TenantDb,
  jobIds: readonly string[],
  today: Day,
): Promise<Map<string, VisitAsWas>> =>
  withLines(
    db,
    await readVisits(db)
      .where('jobId', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
      .where((eb) =>
        eb.or([
          eb('occurrenceOn', '>=', today),
          eb('day', '>=', today),
          eb('status', 'in', ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused']),
        ]),
      )
      .orderBy('id')
      .forUpdate()
      .execute(),
  )

/** Visits as they stand now, by id. */
const takeVisitsByIdTx = async (db: TenantDb, ids: readonly string[]): Promise<Map<string, VisitAsWas>> =>
  withLines(
    db,
    await readVisits(db)
      .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
      .orderBy('id')
      .forUpdate()
      .execute(),
  )

const placeOf = ({ status, occurrenceOn, day, crewId, locked, movedFrom, skipReason, ...v }: VisitAsWas) => ({
  ...{ status, occurrenceOn, day, crewId, locked, movedFrom, skipReason },
  ...{ position: v.position, pinned: v.pinned },
  ...{ plannedStartMinute: v.plannedStartMinute, plannedDriveSeconds: v.plannedDriveSeconds },
})
const contentsOf = ({ priceCents, budgetMinutes, billable, lines }: VisitAsWas) => ({
  priceCents,
  budgetMinutes,
  billable,
  lines,
})
type Place = ReturnType<typeof placeOf>
type Contents = ReturnType<typeof contentsOf>

/** Where a visit stands as far as a person would say so: its place in the order comes and goes with every plan. */
const said = ({ position: _p, pinned: _k, plannedStartMinute: _m, plannedDriveSeconds: _s, ...place }: Place) => place
const same = isDeepStrictEqual
const samePlace = (a: Place, b: Place): boolean => same(said(a), said(b))

/** What a change did to the visits of a job: its place, its contents or both of those that stay; those that went; those that it made. */
export type VisitChanges = {
  changed: { id: string; place?: [Place, Place]; contents?: [Contents, Contents] }[]
  gone: VisitAsWas[]
  made: VisitAsWas[]
}

/** The difference between visits of one job before and after a change. */
export const visitChanges = (
  before: ReadonlyMap<string, VisitAsWas>,
  after: ReadonlyMap<string, VisitAsWas>,
  jobId: string,
): VisitChanges => {
  const ofJob = (visits: ReadonlyMap<string, VisitAsWas>) => [...visits.values()].filter((v) => v.jobId === jobId)
  const changed = ofJob(before).flatMap((was) => {
    const is = after.get(was.id)
    if (!is) return []
    const place: [Place, Place] = [placeOf(was), placeOf(is)]
    const contents: [Contents, Contents] = [contentsOf(was), contentsOf(is)]
    const moved = !samePlace(...place)
    const other = !same(...contents)
    return moved || other ? [{ id: was.id, ...(moved ? { place } : {}), ...(other ? { contents } : {}) }] : []
  })
  return {
    changed,
    gone: ofJob(before).filter((v) => !after.has(v.id)),
    made: ofJob(after).filter((v) => !before.has(v.id)),
  }
}

/** How many customers were told another day for these visits than they have now. */
export const countStrayedTx = async (db: TenantDb, visitIds: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct t.customer_id)::int as count from visit_tellings t
    left join visits v on v.business_id = t.business_id and v.id = t.visit_id
    where t.business_id = ${db.businessId} and t.visit_id = any(${[...visitIds]}::uuid[]) and t.told_day is not null
      and t.told_day is distinct from case when v.status = 'canceled' then null else v.day end`.execute(db)
  return rows[0]?.count ?? 0
}

export type KeptVisit = { jobId: string; day: Day | null; why: string }

const isWaiting = (v: VisitAsWas): boolean => v.status === 'scheduled' || v.status === 'unscheduled'
const isOver = (v: VisitAsWas): boolean => v.status === 'completed' || v.status === 'skipped' || v.status === 'missed'
const sinceOf = (v: VisitAsWas): string =>
  v.invoiceId !== null
    ? 'is on an invoice by now'
    : isOver(v)
      ? 'is over by now'
      : isWaiting(v)
        ? 'was changed since'
        : v.status === 'canceled'
          ? 'was canceled since'
          : 'is under way'

/** What the change made and nobody touched since: these go when it is taken back. The others stay and are named. */
export const madeByChangeTx = async (
  db: TenantDb,
  made: readonly VisitAsWas[],
): Promise<{ going: VisitAsWas[]; kept: KeptVisit[] }> => {
  const now = await takeVisitsByIdTx(
    db,
    made.map((v) => v.id),
  )
  const going: VisitAsWas[] = []
  const kept: KeptVisit[] = []
  for (const was of made) {
    const is = now.get(was.id)
    if (!is) continue
    const untouched =
      samePlace(placeOf(was), placeOf(is)) && same(contentsOf(was), contentsOf(is)) && is.invoiceId === null
    if (untouched) going.push(is)
    else kept.push({ jobId: is.jobId, day: is.day, why: sinceOf(is) })
  }
  return { going, kept }
}

type Part = Record<string, unknown>

/**
 * What stands now with what the change wrote put back, field by field; null where somebody wrote over one of these fields since. What the change left
 * alone may be another by now: it stays.
 */
const fieldsBack = <T extends Part>(before: T, after: T, now: T): T | null => {
  const touched = Object.keys(after).filter((key) => !same(before[key], after[key]))
  if (touched.some((key) => !same(after[key], now[key]))) return null
  return { ...now, ...Object.fromEntries(touched.map((key) => [key, before[key]])) }
}

const lineKeys = ({ lines }: Contents) =>
  lines.map(({ jobLineId, serviceId, position, extraId }) => ({ jobLineId, serviceId, position, extraId }))

/** The contents of a visit without what the change wrote, line by line where they are the same lines; else whole or not at all. */
const contentsBack = ([before, after]: [Contents, Contents], now: Contents): Contents | null => {
  const known = same(lineKeys(before), lineKeys(after)) && same(lineKeys(after), lineKeys(now))
  if (!known) return same(after, now) ? before : null
  const { lines: _before, ...was } = before
  const { lines: _after, ...made } = after
  const { lines: _now, ...is } = now
  const figures = fieldsBack(was, made, is)
  const lines = now.lines.map((line, at) => fieldsBack(before.lines[at] ?? line, after.lines[at] ?? line, line))
  return figures && lines.every((line) => line !== null) ? { ...figures, lines } : null
}

type PutBack = { visit: VisitAsWas; place: Place | null; contents: Contents | null }

/** Which parts of the changed visits can be put back; what somebody wrote over since stays theirs. */
const partsToPutBack = (
  changed: VisitChanges['changed'],
  now: ReadonlyMap<string, VisitAsWas>,
): { parts: PutBack[]; kept: KeptVisit[] } => {
  const parts: PutBack[] = []
  const kept: KeptVisit[] = []
  for (const { id, place, contents } of changed) {
    const visit = now.get(id)
    if (!visit) continue
    const placeSince = place !== undefined && !samePlace(place[1], placeOf(visit))
    const back = contents ? contentsBack(contents, contentsOf(visit)) : null
    const contentsSince = contents !== undefined && back === null
    const asLeft = place?.[1].status === 'canceled' ? visit.status === 'canceled' : isWaiting(visit)
    const closed = !asLeft || visit.invoiceId !== null
    if (closed || placeSince || contentsSince) kept.push({ jobId: visit.jobId, day: visit.day, why: sinceOf(visit) })
    if (closed) continue
    const part = {
      visit,
      place: place && !placeSince ? place[0] : null,
      contents: back,
    }
    if (part.place || part.contents) parts.push(part)
  }
  return { parts, kept }
}

/** Frees the days that visits of one job are about to give each other: no two of a job may stand for the same one, not even in between. */
const parkTx = (db: TenantDb, ids: readonly string[]) =>
  sql`
  update visits v set occurrence_on = date '0001-01-01' + n.at::int
  from unnest(${[...ids]}::uuid[]) with ordinality as n(id, at)
  where v.business_id = ${db.businessId} and v.id = n.id`.execute(db)

/** The days that visits of these jobs stand for. */
const takenDays = async (db: TenantDb, jobIds: readonly string[]): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('visits')
    .select(['jobId', 'occurrenceOn'])
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
    .execute()
  return new Set(rows.map((row) => `${row.jobId} ${row.occurrenceOn}`))
}

type LivingCrew = (crewId: string | null) => Promise<string | null>

/** Whether a crew still works, asked once each. */
const livingCrews = (db: TenantDb): LivingCrew => {
  const known = new Map<string | null, Promise<string | null>>()
  return (crewId) => {
    const found = known.get(crewId) ?? livingCrewTx(db, crewId)
    known.set(crewId, found)
    return found
  }
}

/** Writes visits as they were, as far as they are put back; the rest of each stays as it is now. */
const writeBack = async (db: TenantDb, parts: readonly PutBack[], living: LivingCrew): Promise<void> => {
  const rows = await Promise.all(
    parts.map(async ({ visit, place, contents }) => {
      const { lines: _lines, ...figures } = contents ?? contentsOf(visit)
      const crewId = place ? await living(place.crewId) : null
      // A crew that was archived meanwhile gets nothing back.
      const lost = place && crewId !== place.crewId ? { ...placeless, crewId } : {}
      return { id: visit.id, ...placeOf(visit), ...place, ...lost, ...figures }
    }),
  )
  const { rows: written } = await sql<{ id: string }>`
    update visits v set status = r.status, occurrence_on = r."occurrenceOn", day = r.day, crew_id = r."crewId", locked = r.locked,
      moved_from = r."movedFrom", skip_reason = r."skipReason", position = r.position, pinned = r.pinned,
      planned_start_minute = r."plannedStartMinute", planned_drive_seconds = r."plannedDriveSeconds", price_cents = r."priceCents",
      budget_minutes = r."budgetMinutes", billable = r.billable, version = v.version + 1, updated_at = ${clock.iso()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, status text, "occurrenceOn" date, day date, "crewId" uuid,
      locked boolean, "movedFrom" date, "skipReason" text, position integer, pinned boolean, "plannedStartMinute" integer,
      "plannedDriveSeconds" integer, "priceCents" integer, "budgetMinutes" integer, billable boolean)
    where v.business_id = ${db.businessId} and v.id = r.id and (v.status <> 'canceled' or not ${hasOtherDay('v')})
    returning v.id`.execute(db)
  const known = new Set(written.map((row) => row.id))
  const other = parts.flatMap(({ visit, contents }) =>
    contents && known.has(visit.id) ? [{ id: visit.id, lines: contents.lines }] : [],
  )
  await db
    .deleteFrom('visitLines')
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', sql<string>`any(${other.map((one) => one.id)}::uuid[])`)
    .execute()
  await insertLines(db, other)
}

const rowsPerInsert = 500

const insertLines = async (db: TenantDb, visits: readonly { id: string; lines: readonly Line[] }[]): Promise<void> => {
  const rows = visits.flatMap(({ id, lines }) =>
    lines.map((line) => ({ ...line, businessId: db.businessId, id: newId(), visitId: id })),
  )
  for (let at = 0; at < rows.length; at += rowsPerInsert)
    await db
      .insertInto('visitLines')
      .values(rows.slice(at, at + rowsPerInsert))
      .execute()
}

/** Makes visits that went again, as they were and under the ids that they had. Answers those whose day another one has by now. */
const bringBack = async (db: TenantDb, gone: readonly VisitAsWas[], living: LivingCrew): Promise<VisitAsWas[]> => {
  const taken: VisitAsWas[] = []
  for (let at = 0; at < gone.length; at += rowsPerInsert) {
    const some = gone.slice(at, at + rowsPerInsert)
    const rows = await Promise.all(
      // What the database computes by itself is not given to it.
      some.map(async ({ lines: _lines, toBill: _toBill, ...was }) => {
        const crewId = await living(was.crewId)
        const lost = crewId === was.crewId ? {} : { ...placeless, crewId }
        const checklist = was.checklist === null ? null : JSON.stringify(was.checklist)
        return { ...was, ...lost, checklist, version: was.version + 1, updatedAt: clock.iso() }
      }),
    )
    const made = await db
      .insertInto('visits')
      .values(rows as Insertable<DB['visits']>[])
      .onConflict((c) => c.doNothing())
      .returning('id')
      .execute()
    const known = new Set(made.map((row) => row.id))
    await insertLines(
      db,
      some.filter((v) => known.has(v.id)),
    )
    taken.push(...some.filter((v) => !known.has(v.id)))
  }
  return taken
}

/** A place in the order that another visit has by now is no place any more. */
const leaveTakenPlaces = (db: TenantDb, ids: readonly string[]) =>
  sql`
  update visits v set position = null, pinned = false, planned_start_minute = null, planned_drive_seconds = null
  where v.business_id = ${db.businessId} and v.id = any(${[...ids]}::uuid[]) and v.position is not null and exists (
    select 1 from visits o where o.business_id = v.business_id and o.day = v.day and o.crew_id = v.crew_id
      and o.position = v.position and o.id <> v.id)`.execute(db)

const compareDays = async (
  db: TenantDb,
  visits: readonly VisitAsWas[],
  places: readonly (Place | null)[],
): Promise<void> => {
  const days = [...visits.flatMap((v) => [v.day, v.publishedDay]), ...places.map((place) => place?.day ?? null)]
  const rows = await db
    .selectFrom('routes')
    .select('day')
    .distinct()
    .where('businessId', '=', db.businessId)
    .where('status', '<>', 'planned')
    .where('day', '=', sql<Day>`any(${[...new Set(days.filter((day) => day !== null))]}::date[])`)
    .execute()
  for (const { day } of rows) await compareRoutesTx(db, day)
}

/**
 * Puts back what a change did to visits, part by part: a place that somebody changed since stays theirs, while the price goes back. What the
 * change made is the caller's to take away first. Answers what could not be put back.
 */
export const putVisitsBackTx = async (
  db: TenantDb,
  { changed, gone }: Pick<VisitChanges, 'changed' | 'gone'>,
): Promise<KeptVisit[]> => {
  const now = await takeVisitsByIdTx(
    db,
    changed.map((one) => one.id),
  )
  const { parts, kept } = partsToPutBack(changed, now)
  const renamed = parts.filter(({ place, visit }) => place && place.occurrenceOn !== visit.occurrenceOn)
  await parkTx(
    db,
    renamed.map(({ visit }) => visit.id),
  )
  const taken = await takenDays(db, [...new Set(renamed.map(({ visit }) => visit.jobId))])
  const living = livingCrews(db)
  const free = parts.map((part) => {
    const { visit, place } = part
    if (!place || place.occurrenceOn === visit.occurrenceOn || !taken.has(`${visit.jobId} ${place.occurrenceOn}`))
      return part
    kept.push({ jobId: visit.jobId, day: visit.day, why: 'another visit stands on its day by now' })
    return { ...part, place: null }
  })
  await writeBack(db, free, living)
  for (const was of await bringBack(db, gone, living))
    kept.push({ jobId: was.jobId, day: was.day, why: 'another visit stands on its day by now' })
  const ids = [...parts.map(({ visit }) => visit.id), ...gone.map((v) => v.id)]
  if (ids.length === 0) return kept
  await leaveTakenPlaces(db, ids)
  await noteMovedTx(db, ids)
  await compareDays(
    db,
    [...parts.map(({ visit }) => visit), ...gone],
    parts.map(({ place }) => place),
  )
  await publishChange(db, 'visits')
  return kept
}
