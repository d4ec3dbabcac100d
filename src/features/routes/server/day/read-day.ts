import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Departure } from '../../../../platform/geo/travel-engine.ts'
import { addDays, type Day, dayOf, minuteOfDay, weekdayOf } from '../../../../shared/dates.ts'
import { crewSize } from '../../../employees/rules.ts'
import { type CrewContent, listCrews } from '../../../employees/server/queries.ts'
import { thereOf } from '../../../employees/staffing/rules.ts'
import { leastGap } from '../../../visits/days/server/queries.ts'
import { shortName, type VisitStatus, workedSecondsAt } from '../../../visits/rules.ts'
import {
  type DayData,
  type DayVisit,
  type PlanCrew,
  type PlanningContext,
  placesOf,
  planningContextsOf,
} from './planning-context.ts'
import { travelTimesBetween } from './travel-times.ts'

/** What plans of days are made from, as it stands in the database. */

/** How far back a visit that nobody came for still stands in the list of what is due. */
const dueDays = 28
type VisitRow = Omit<DayVisit, 'beganMinute' | 'finishedMinute' | 'customerName' | 'status'> & {
  status: VisitStatus
  name: string
  company: string | null
  beganAt: string | null
  finishedAt: string | null
  intervalStartedAt: string | null
}

const visitsOf = async (db: TenantDb, day: Day, today: Day, waitingIds: readonly string[]): Promise<VisitRow[]> => {
  const waits = sql`v.status = 'unscheduled' and v.id = any(${[...waitingIds]}::uuid[])`
  const late = day >= today
  const { rows } = await sql<VisitRow>`
    with mine as (
      select v.*,
        (v.status not in ('scheduled', 'unscheduled') and v.published_day is not null and v.published_crew_id is not null) as sent
      from visits v
      where v.business_id = ${db.businessId} and (${waits} or v.status not in ('canceled', 'unscheduled')
        and (v.day = ${day} or v.published_day = ${day}
          or (${late} and v.crew_id is null and v.status = 'scheduled' and v.day < ${today} and v.day >= ${addDays(today, -dueDays)})))
    )
    select v.id, v.job_id as "jobId", v.customer_id as "customerId", j.number as "jobNumber", j.title, p.street, p.city, c.name, c.company, p.latitude, p.longitude,
      p.geocode_quality in ('zip', 'county') as approximate,
      case when v.sent then v.published_day else coalesce(v.day, ${day}::date) end as day,
      case when v.sent then v.published_crew_id when v.day is null then null else v.crew_id end as "crewId",
      v.crew_id as "storedCrewId", v.day as "storedDay", v.position, v.pinned, v.locked, v.moved_from as "movedFrom",
      case when v.status = 'unscheduled' then 'scheduled' else v.status end as status,
      v.budget_minutes as "budgetMinutes", v.window_start_minute as "windowStartMinute", v.window_end_minute as "windowEndMinute",
      v.planned_start_minute as "plannedStartMinute", v.planned_drive_seconds as "plannedDriveSeconds",
      v.published_day as "publishedDay", v.published_crew_id as "publishedCrewId", v.published_position as "publishedPosition",
      coalesce(v.started_at, v.en_route_at) as "beganAt", v.finished_at as "finishedAt", v.worked_seconds as "workedSeconds", v.interval_started_at as "intervalStartedAt",
      coalesce(needs.skills, '{}') as skills, coalesce(needs.gap, 0) as "minGapDays", needs.most as "maxGapDays", coalesce(needs.treats, false) as treats, coalesce(needs.recurring, false) as recurring,
      v.day - (select max(o.day) from visits o where o.business_id = v.business_id and o.job_id = v.job_id and o.day < v.day
        and o.status not in ('canceled', 'skipped', 'missed')) as "daysSinceLast",
      (select min(o.day) from visits o where o.business_id = v.business_id and o.job_id = v.job_id and o.day > v.day
        and o.status not in ('canceled', 'skipped', 'missed')) - v.day as "daysToNext"
    from mine v
    left join lateral (
      select array_agg(distinct tag) filter (where tag is not null) as skills, ${leastGap} as gap,
        min(coalesce((jl.recurrence ->> 'maxGapDays')::int, case when jl.recurrence ->> 'freq' = 'week' then
          case jl.recurrence ->> 'interval' when '1' then 10 when '2' then 18 end end)) as most, bool_or(s.category = 'treat') as treats,
        bool_or(jl.recurrence is not null) as recurring
      from visit_lines l
      join services s on s.business_id = l.business_id and s.id = l.service_id
      left join job_lines jl on jl.business_id = l.business_id and jl.id = l.job_line_id
      left join lateral unnest(s.skills) as tag on true
      where l.business_id = v.business_id and l.visit_id = v.id
    ) needs on true
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    where case when v.sent then v.published_day = ${day}
      else ${waits} or v.day = ${day} or (v.day < ${day} and v.crew_id is null) end
    order by v.id`.execute(db)
  return rows
}

/** When a crew can work: from when on somebody is there until nobody is any more, and with how many people. */
const hoursOf = ({
  shiftStartMinute,
  shiftEndMinute,
  breakMinutes,
  people,
  presence,
  laborMinutes,
}: CrewContent['onDay']): Pick<
  PlanCrew,
  'people' | 'presence' | 'shiftStartMinute' | 'shiftEndMinute' | 'breakMinutes'
> => {
  const there = thereOf(presence)
  const [start, end] = [there[0]?.fromMinute ?? shiftStartMinute, there.at(-1)?.toMinute ?? shiftEndMinute]
  const mean = laborMinutes / Math.max(1, end - start - breakMinutes)
  return {
    people: there.length > 1 ? Math.round(mean * 1000) / 1000 : crewSize(Math.min(people, there[0]?.people ?? people)),
    presence: there.length > 1 ? there : [],
    shiftStartMinute: start,
    shiftEndMinute: end,
    breakMinutes,
  }
}

/** Everything that a plan of a day is made from. */
const readDay = async (db: TenantDb, day: Day, waitingIds: readonly string[] = []): Promise<DayData> => {
  const business = await db
    .selectFrom('businesses')
    .select([
      'timeZone',
      'workDays',
      'holidays',
      'latitude',
      'longitude',
      'mileCostCents',
      'driveFactorSeconds',
      'driveExponent',
      'routeEvenness',
    ])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const now = clock.now()
  const today = dayOf(now, business.timeZone)
  const crews = await listCrews(db, day, { seesWages: true })
  const rows = await visitsOf(db, day, today, waitingIds)
  const offs = await db
    .selectFrom('crewDaysOff')
    .select(['crewId', 'reason'])
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .execute()
  const offOf = (crewId: string) => offs.find((off) => off.crewId === crewId)?.reason ?? null
  const minute = (at: string | null) =>
    at === null || dayOf(at, business.timeZone) !== day ? null : minuteOfDay(at, business.timeZone)
  const depot =
    business.latitude === null || business.longitude === null
      ? null
      : { latitude: business.latitude, longitude: business.longitude }
  return {
    day,
    today,
    nowMinute: day === today ? minuteOfDay(now, business.timeZone) : null,
    business,
    crews: crews.map((crew) => ({
      id: crew.id,
      name: crew.name,
      color: crew.color,
      members: crew.members.filter((one) => !one.away).map(({ userId, name }) => ({ userId, name })),
      away: crew.members.filter((one) => one.away).map(({ name }) => name),
      ...hoursOf(crew.onDay),
      costCentsPerHour: crew.costCentsPerHour ?? 0,
      depotStreet: crew.depotStreet,
      depot:
        crew.depotLatitude === null || crew.depotLongitude === null
          ? depot
          : { latitude: crew.depotLatitude, longitude: crew.depotLongitude },
      driveFactorPercent: crew.driveFactorPercent,
      skills: crew.onDay.skills,
      // A crew whose people are all away is given nothing more; one without people is planned as one person.
      works:
        crew.workDays.includes(weekdayOf(day)) &&
        offOf(crew.id) === null &&
        (crew.onDay.people > 0 || crew.members.length === 0) &&
        crew.onDay.laborMinutes > 0,
      off: offOf(crew.id),
    })),
    visits: rows.map(({ name, company, beganAt, finishedAt, intervalStartedAt, ...row }) => ({
      ...row,
      workedSeconds: workedSecondsAt({ ...row, intervalStartedAt }, now.getTime()),
      customerName: shortName(name, company),
      beganMinute: minute(beganAt),
      finishedMinute: minute(finishedAt),
    })),
  }
}

/** In the morning rush most crews are already on their first lawn. */
const departMinute = 600

/** When the drives of a day are driven. */
export const departureOf = ({ day, business }: DayData): Departure => ({
  day,
  minute: departMinute,
  timeZone: business.timeZone,
})

/**
 * Everything that plans of days are made from; a visit that is due belongs to the first of them.
 * @param waitingIds visits without a day that are looked at as if they were due on the day
 */
export const readDays = async (
  db: TenantDb,
  days: readonly Day[],
  waitingIds: readonly string[] = [],
): Promise<DayData[]> => {
  const seen = new Set<string>()
  const data: DayData[] = []
  for (const day of days) {
    const one = await readDay(db, day, waitingIds)
    data.push({ ...one, visits: one.visits.filter((v) => !seen.has(v.id) && seen.add(v.id)) })
  }
  return data
}

/** Days that are planned together, with the drives between all their places; a visit that is due belongs to the first of them. */
export const readPlanningContexts = async (
  db: TenantDb,
  days: readonly Day[],
  waitingIds: readonly string[] = [],
): Promise<PlanningContext[]> => {
  const data = await readDays(db, days, waitingIds)
  const { points, locations } = placesOf(data)
  const [first] = data
  if (!first) return []
  return planningContextsOf(data, locations, await travelTimesBetween(db, points, first.business, departureOf(first)))
}

/** One day with the drives between its places. */
export const readPlanningContext = async (db: TenantDb, day: Day): Promise<PlanningContext> =>
  (await readPlanningContexts(db, [day]))[0] as PlanningContext
