import { sql } from 'kysely'
import { clock } from '../platform/clock.ts'
import type { TenantDb } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays, type Day, instantAt, minuteOfDay } from '../shared/dates.ts'
import { crowMeters, estimateDrive } from '../solver/matrix.ts'
import { depot } from './places.ts'

export type DemoCrew = { id: string; name: string; people: number; costCentsPerHour: number; leader: string }

const shiftStartMinute = 420
const depotPoint = { lat: depot.latitude, lng: depot.longitude }

type Stop = { id: string; point: { lat: number; lng: number }; budgetMinutes: number; jobNumber: number }

const drive = (a: Stop['point'], b: Stop['point']): { seconds: number; meters: number } =>
  estimateDrive(crowMeters(a, b))

/** Nearest next, from the depot: what an owner with a map would do. The product's own planner beats it, which is the point of a demo. */
const nearestOrder = (stops: readonly Stop[]): Stop[] => {
  const left = [...stops]
  const order: Stop[] = []
  let at = depotPoint
  while (left.length) {
    const distance = (stop: Stop) => crowMeters(at, stop.point)
    const next = left.reduce((best, stop) => (distance(stop) < distance(best) ? stop : best))
    left.splice(left.indexOf(next), 1)
    order.push(next)
    at = next.point
  }
  return order
}

/** Drives the stops in their order: when each starts, and the totals as a route keeps them. */
const timeRoute = (order: readonly Stop[], crew: DemoCrew) => {
  let clockSeconds = shiftStartMinute * 60
  let at = depotPoint
  const totals = { driveSeconds: 0, driveMeters: 0, workSeconds: 0 }
  const starts = order.map((stop) => {
    const leg = drive(at, stop.point)
    const work = Math.round((stop.budgetMinutes * 60) / crew.people)
    const start = clockSeconds + leg.seconds
    totals.driveSeconds += leg.seconds
    totals.driveMeters += leg.meters
    totals.workSeconds += work
    clockSeconds = start + work
    at = stop.point
    return {
      stop,
      startMinute: Math.round(start / 60),
      driveSeconds: leg.seconds,
      endMinute: Math.round(clockSeconds / 60),
    }
  })
  const home = drive(at, depotPoint)
  totals.driveSeconds += home.seconds
  totals.driveMeters += home.meters
  return {
    starts,
    totals: {
      ...totals,
      laborCents: Math.round((totals.driveSeconds / 3600) * crew.costCentsPerHour),
      endMinute: Math.round((clockSeconds + home.seconds) / 60),
    },
  }
}

/** Where each lawn is and in which order its job was booked, looked up once for all days. */
export type Known = { points: ReadonlyMap<string, Stop['point']>; jobNumbers: ReadonlyMap<string, number> }

export const knownPlaces = async (db: TenantDb): Promise<Known> => {
  const properties = await db
    .selectFrom('properties')
    .select(['id', 'latitude', 'longitude'])
    .where('businessId', '=', db.businessId)
    .execute()
  const jobs = await db.selectFrom('jobs').select(['id', 'number']).where('businessId', '=', db.businessId).execute()
  return {
    points: new Map(
      properties.map((p) => [p.id, { lat: p.latitude ?? depot.latitude, lng: p.longitude ?? depot.longitude }]),
    ),
    jobNumbers: new Map(jobs.map((job) => [job.id, job.number])),
  }
}

/** Orders one crew's day and, where asked, sends it to the crew. */
export const planDay = async (
  db: TenantDb,
  crew: DemoCrew,
  day: Day,
  known: Known,
  publish: boolean,
): Promise<void> => {
  const rows = await db
    .selectFrom('visits')
    .select(['id', 'budgetMinutes', 'propertyId', 'jobId'])
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .where('crewId', '=', crew.id)
    .execute()
  const stops = rows
    .map((r) => ({
      id: r.id,
      point: known.points.get(r.propertyId) ?? depotPoint,
      budgetMinutes: r.budgetMinutes,
      jobNumber: known.jobNumbers.get(r.jobId) ?? 0,
    }))
    .sort((a, b) => a.jobNumber - b.jobNumber)
  if (!stops.length) return
  const booked = timeRoute(stops, crew)
  const planned = timeRoute(nearestOrder(stops), crew)
  const list = sql.join(
    planned.starts.map(
      (s, i) => sql`(${s.stop.id}::uuid, ${i + 1}::int, ${s.startMinute}::int, ${s.driveSeconds}::int)`,
    ),
  )
  await sql`update visits set position = p.position, planned_start_minute = p.start, planned_drive_seconds = p.drive
    from (values ${list}) as p(id, position, start, drive) where visits.business_id = ${db.businessId} and visits.id = p.id`.execute(
    db,
  )
  const at = instantAt(addDays(day, -1), 1080, 'America/New_York')
  await db
    .insertInto('routes')
    .values({
      businessId: db.businessId,
      id: newId(),
      day,
      crewId: crew.id,
      status: publish ? 'published' : 'planned',
      publishedAt: publish ? at : null,
      planned: JSON.stringify(planned.totals),
      booked: JSON.stringify(booked.totals),
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  if (!publish) return
  await sql`update visits set published_day = day, published_crew_id = crew_id, published_position = position, published_start_minute = planned_start_minute,
    published_drive_seconds = planned_drive_seconds where business_id = ${db.businessId} and day = ${day} and crew_id = ${crew.id}`.execute(
    db,
  )
}

type Work = {
  id: string
  status: string
  startedAt?: string
  intervalStartedAt?: string
  finishedAt?: string
  workedSeconds?: number
  people?: number
  skipReason?: string
  note?: string
  finishedBy?: string
}

const skips = [
  { reason: 'locked_gate', note: 'Side gate has a new padlock' },
  { reason: 'customer_asked', note: 'Family party, come back next week' },
  { reason: 'too_wet', note: 'Standing water in the back' },
] as const

/** Some lawns take longer than anybody planned, a few less: by the lawn, so that each visit says the same. */
const paceOf = (propertyId: string): number => {
  const kind = Number.parseInt(propertyId.slice(-4), 16) % 16
  return kind === 0 ? 1.6 : kind === 1 ? 1.35 : kind === 2 ? 0.7 : 1
}

/** Lets the crews have worked a day: everything that lies before now on the clock is done, one visit is being worked, a few were skipped. */
export const workDay = async (
  db: TenantDb,
  crew: DemoCrew,
  day: Day,
  today: Day,
  timeZone: string,
  random: () => number,
  /** So many stops of today wait still, however late it is: whoever looks at the crew's phone finds something to press. */
  waiting = 0,
): Promise<void> => {
  const all = await db
    .selectFrom('visits')
    .select(['id', 'propertyId', 'plannedStartMinute', 'budgetMinutes'])
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .where('crewId', '=', crew.id)
    .orderBy('position')
    .execute()
  const rows = day === today ? all.slice(0, Math.max(0, all.length - waiting)) : all
  const nowMinute = day === today ? minuteOfDay(clock.now(), timeZone) : Number.POSITIVE_INFINITY
  let late = Math.round(random() * 6)
  let last = 0
  const done: Work[] = []
  for (const row of rows) {
    const start = (row.plannedStartMinute ?? shiftStartMinute) + late
    if (start > nowMinute) break
    const usual = (row.budgetMinutes / crew.people) * (0.86 + random() * 0.26)
    const minutes = Math.max(4, Math.round(usual * paceOf(row.propertyId)))
    const startedAt = instantAt(day, start, timeZone)
    last = start + minutes
    if (random() < 0.02) {
      const skip = skips[Math.floor(random() * skips.length)]!
      done.push({
        id: row.id,
        status: 'skipped',
        skipReason: skip.reason,
        note: skip.note,
        finishedAt: startedAt,
        finishedBy: crew.leader,
      })
      continue
    }
    if (last > nowMinute) {
      done.push({ id: row.id, status: 'in_progress', startedAt, intervalStartedAt: startedAt, people: crew.people })
      break
    }
    done.push({
      id: row.id,
      status: 'completed',
      startedAt,
      finishedAt: instantAt(day, last, timeZone),
      workedSeconds: minutes * 60,
      people: crew.people,
      finishedBy: crew.leader,
    })
    late = Math.max(-10, Math.min(25, late + Math.round(random() * 5 - 2)))
  }
  if (!last) return
  await sql`update visits set status = w.status, started_at = w."startedAt", interval_started_at = w."intervalStartedAt", finished_at = w."finishedAt", worked_seconds = coalesce(w."workedSeconds", 0),
      people = w.people, skip_reason = w."skipReason", note = coalesce(w.note, ''), finished_by = w."finishedBy"
    from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as w(id uuid, status text, "startedAt" timestamptz, "intervalStartedAt" timestamptz, "finishedAt" timestamptz, "workedSeconds" int,
      people int, "skipReason" text, note text, "finishedBy" uuid)
    where visits.business_id = ${db.businessId} and visits.id = w.id`.execute(db)
  const over = day !== today || nowMinute > last + 30
  await db
    .updateTable('routes')
    .set({ status: over && day !== today ? 'closed' : 'started' })
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .where('crewId', '=', crew.id)
    .execute()
  const members = await db
    .selectFrom('crewMembers')
    .select('userId')
    .where('businessId', '=', db.businessId)
    .where('crewId', '=', crew.id)
    .execute()
  for (const [i, member] of members.entries()) {
    const [from, to] = [shiftStartMinute - 4 + i, last + 24 + i]
    // half an hour at noon, on a day that is long enough for one
    const rest = over && to - from > 330 ? Math.round((from + to) / 2) : null
    const spells =
      rest === null
        ? [{ kind: 'work' as const, from, to: over ? to : null }]
        : [
            { kind: 'work' as const, from, to: rest },
            { kind: 'break' as const, from: rest, to: rest + 30 },
            { kind: 'work' as const, from: rest + 30, to },
          ]
    await db
      .insertInto('timeEntries')
      .values(
        spells.map((spell) => ({
          businessId: db.businessId,
          id: newId(),
          userId: member.userId,
          crewId: crew.id,
          kind: spell.kind,
          startedAt: instantAt(day, spell.from, timeZone),
          endedAt: spell.to === null ? null : instantAt(day, spell.to, timeZone),
        })),
      )
      .onConflict((c) => c.doNothing())
      .execute()
  }
}
