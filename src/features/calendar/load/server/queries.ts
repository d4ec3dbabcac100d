import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, covers, type Day, daysBetween, weekdayOf } from '../../../../shared/dates.ts'
import { onTheDay, partsOff, presentOn, readStaff } from '../../../employees/server/queries.ts'
import {
  capacityOf,
  partOffLabel,
  shiftOn,
  skillsOn,
  thereOf,
  type WeekdayShift,
} from '../../../employees/staffing/rules.ts'
import { listDayLoads } from '../../../routes/server/queries.ts'
import type { CalendarCrew, CrewDay } from '../../contract.ts'
import { takesTime } from '../../events/rules.ts'
import { listEventRows } from '../../events/server/queries.ts'

/** What crews can do on days and what stands on them: one row a crew and day, however many visits there are. */

export const daysFrom = (from: Day, to: Day): Day[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, ahead) => addDays(from, ahead))

type CrewRow = CalendarCrew & { breakMinutes: number; workDays: number[]; weekdayShifts: WeekdayShift[] }

const crewsOf = async (db: TenantDb, from: Day, to: Day): Promise<CrewRow[]> => {
  const { rows } = await sql<CrewRow>`
    select c.id, c.name, c.color, c.shift_start_minute as "shiftStartMinute", c.shift_end_minute as "shiftEndMinute",
      c.break_minutes as "breakMinutes", c.weekday_shifts as "weekdayShifts", c.work_days as "workDays", c.skills
    from crews c where c.business_id = ${db.businessId} and (c.archived_at is null or exists (
      select 1 from visits v where v.business_id = c.business_id and v.crew_id = c.id and v.day between ${from} and ${to}))
    order by c.position, c.name, c.id`.execute(db)
  return rows
}

export type DayLoad = {
  day: Day
  crewId: string | null
  stops: number
  finished: number
  workMinutes: number
  driveSeconds: number
  undriven: number
}
export type LoadFilter = { crewId?: string | undefined; serviceId?: string | undefined; status?: string | undefined }

/** Work (by the clock of each stop, times people) and driving of each crew and day; what was canceled, skipped or missed takes no time. */
export const listLoads = async (db: TenantDb, from: Day, to: Day, filter: LoadFilter = {}): Promise<DayLoad[]> => {
  const { rows } = await sql<DayLoad & { homeSeconds: number | null }>`
    select v.day, v.crew_id as "crewId", count(*)::int as stops, (count(*) filter (where v.status = 'completed'))::int as finished,
      coalesce(sum(case when v.budget_minutes > 0 then greatest(1, round(v.budget_minutes / c.people)) * c.people else 0 end), 0)::int as "workMinutes", coalesce(sum(v.planned_drive_seconds), 0)::int as "driveSeconds",
      (count(*) filter (where v.planned_drive_seconds is null))::int as undriven,
      (select (r.planned->>'driveSeconds')::numeric::int from routes r
        where r.business_id = ${db.businessId} and r.day = v.day and r.crew_id = v.crew_id) as "homeSeconds"
    from visits v
    cross join lateral (select greatest(1, count(*))::numeric as people from crew_members m where m.business_id = v.business_id
      and m.crew_id = v.crew_id and m.valid_from <= v.day and (m.valid_to is null or m.valid_to >= v.day)) c
    where v.business_id = ${db.businessId} and v.day between ${from} and ${to}
      and v.status ${filter.status ? sql`= ${filter.status}` : sql`not in ('canceled', 'skipped', 'missed', 'unscheduled')`}
      ${filter.crewId ? sql`and v.crew_id = ${filter.crewId}` : sql``}
      ${
        filter.serviceId
          ? sql`and exists (select 1 from visit_lines l where l.business_id = v.business_id and l.visit_id = v.id and l.service_id = ${filter.serviceId})`
          : sql``
      }
    group by v.day, v.crew_id`.execute(db)
  const whole = !filter.status && !filter.serviceId
  // Where every stop has its drive the plan knows the way home, too.
  return rows.map(({ homeSeconds, ...row }) => ({
    ...row,
    driveSeconds:
      whole && row.undriven === 0 && homeSeconds !== null ? Math.max(row.driveSeconds, homeSeconds) : row.driveSeconds,
  }))
}

/** What each crew can do on each of some days, with what stands on it. From `today` on it counts as the route map does, driving that nobody planned yet too. */
export const readCrewDays = async (db: TenantDb, from: Day, to: Day, today: Day | null = null) => {
  const [crews, staff, events, loads] = [
    await crewsOf(db, from, to),
    await readStaff(db, from, to),
    await listEventRows(db, from, to),
    await listLoads(db, from, to),
  ]
  const offs = await db
    .selectFrom('crewDaysOff')
    .select(['crewId', 'day'])
    .where('businessId', '=', db.businessId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
  const absences = events.filter((event) => takesTime(event.kind))
  const off = new Set(offs.map((one) => `${one.crewId} ${one.day}`))
  const seen = new Map<string, { people: number; workSeconds: number; driveSeconds: number }>()
  const unplanned = new Set(
    loads
      .filter(
        ({ crewId, undriven, day }) =>
          // Where people come and go in the course of a day only the plan knows how long its stops take.
          crewId && (undriven > 0 || day === today || staff.parts.some((part) => covers(part, day))),
      )
      .map((load) => load.day),
  )
  for (const day of unplanned)
    if (today !== null && day >= today)
      for (const load of await listDayLoads(db, day)) seen.set(`${load.crewId} ${day}`, load)
  const loadAt = new Map(loads.map((load) => [`${load.crewId} ${load.day}`, load]))
  const crewDays = daysFrom(from, to).flatMap((day) =>
    crews.map((crew): CrewDay => {
      const { present, away } = presentOn(staff, crew.id, day)
      const own = [...present, ...away]
      const load = loadAt.get(`${crew.id} ${day}`)
      const works = crew.workDays.includes(weekdayOf(day)) && !off.has(`${crew.id} ${day}`)
      const shift = shiftOn(crew, day)
      const can = capacityOf(
        { ...shift, id: crew.id },
        day,
        own.map((m) => m.userId),
        absences,
      )
      const route = seen.get(`${crew.id} ${day}`)
      return {
        day,
        crewId: crew.id,
        works,
        people: can.people,
        shiftStartMinute: shift.shiftStartMinute,
        shiftEndMinute: shift.shiftEndMinute,
        skills: skillsOn(crew, present, staff.licenses, day),
        partly: present.flatMap(({ userId, name }) =>
          can.away.includes(userId)
            ? []
            : partsOff(staff, day, userId, crew.id).map((off) => partOffLabel(name, off, shift)),
        ),
        presence: staff.parts.some((part) => covers(part, day))
          ? thereOf(onTheDay(staff, { ...shift, id: crew.id }, day).presence)
          : [],
        away: own.filter((m) => can.away.includes(m.userId)).map((m) => m.name),
        capacityMinutes: works ? can.capacityMinutes : 0,
        workMinutes: route ? Math.round((route.workSeconds * route.people) / 60) : (load?.workMinutes ?? 0),
        driveMinutes: Math.round(
          (route ? route.driveSeconds * route.people : (load?.driveSeconds ?? 0) * Math.max(1, can.people)) / 60,
        ),
        stops: load?.stops ?? 0,
        undriven: route ? 0 : (load?.undriven ?? 0),
      }
    }),
  )
  return { crews, crewDays, events, loads }
}
