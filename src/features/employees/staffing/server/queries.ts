import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, covers, type Day, daysBetween, weekdayOf } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { asSkill } from '../../../../shared/skills.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { CrewEffect, CrewStaff, CrewStretch, StandIn } from '../contract.ts'
import { type Put, type Stretch, skillsOn, withPut } from '../rules.ts'
import { type Member, presentOn, readStaff, type Staff } from './staff.ts'
import { listChanges, listStretches, standInOf } from './stretches.ts'

type CrewRow = { id: string; name: string; color: string; workDays: number[]; skills: string[] }
type Work = { crewId: string; day: Day; stops: number; workMinutes: number; skills: string[] }

/**
 * Whoever of a crew is at work on a day, as a table with `user_id`: on it then and not away the whole day. SQL, for a query that knows crew and day by
 * its own columns; a function of the database could not be asked on a shard.
 */
export const crewPresent = (
  db: TenantDb,
  crew: RawBuilder<unknown> | string | null,
  day: RawBuilder<unknown> | Day,
): RawBuilder<unknown> => {
  const business = db.businessId
  const onDay = sql`${day}::date`
  return sql`(select here.user_id from crew_members here
    where here.business_id = ${business} and here.crew_id = ${crew} and here.valid_from <= ${onDay} and (here.valid_to is null or here.valid_to >= ${onDay})
      and not exists (
        select 1 from calendar_events off
        where off.business_id = ${business} and off.deleted_at is null and off.start_minute is null
          and off.first_day between ${onDay} - 92 and ${onDay} and off.last_day >= ${onDay} and off.kind in ('time_off', 'shop')
          and (off.user_id = here.user_id or off.user_id is null and (off.crew_id is null or off.crew_id = ${crew}))))`
}

const crewsOf = (db: TenantDb): Promise<CrewRow[]> =>
  db
    .selectFrom('crews')
    .select(['id', 'name', 'color', 'workDays', 'skills'])
    .where('businessId', '=', db.businessId)
    .orderBy('position')
    .orderBy('id')
    .execute()

/** What stands on crews on some days, with the skills that it needs. */
const workOf = async (db: TenantDb, from: Day, to: Day): Promise<Map<string, Work>> => {
  const { rows } = await sql<Work>`
    select v.crew_id as "crewId", v.day, count(*)::int as stops, coalesce(sum(v.budget_minutes), 0)::int as "workMinutes",
      coalesce((select array_agg(distinct tag) from visits o
        join visit_lines l on l.business_id = o.business_id and l.visit_id = o.id
        join services s on s.business_id = l.business_id and s.id = l.service_id
        cross join unnest(s.skills) as tag
        where o.business_id = ${db.businessId} and o.crew_id = v.crew_id and o.day = v.day
          and o.status not in ('canceled', 'skipped', 'missed', 'unscheduled')), '{}') as skills
    from visits v
    where v.business_id = ${db.businessId} and v.day between ${from} and ${to} and v.crew_id is not null
      and v.status not in ('canceled', 'skipped', 'missed', 'unscheduled')
    group by v.crew_id, v.day`.execute(db)
  return new Map(rows.map((row) => [`${row.crewId} ${row.day}`, row]))
}

const nameOf = ({ id, name, color }: CrewRow) => ({ id, name, color })

const without = (needed: readonly string[], has: readonly string[]): string[] => {
  const had = new Set(has.map(asSkill))
  return needed.filter((skill) => !had.has(asSkill(skill)))
}

/** A person's stretches with the names of their crews. @throws AppError not_found */
export const getStretches = async (db: TenantDb, userId: string): Promise<{ today: Day; items: CrewStretch[] }> => {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  if (!person) throw notFound('person')
  const crews = new Map((await crewsOf(db)).map((crew) => [crew.id, crew]))
  const items = (await listStretches(db, userId)).flatMap(({ crewId, from, to }) => {
    const crew = crews.get(crewId)
    return crew ? [{ crew: nameOf(crew), from, to }] : []
  })
  return { today: await todayOf(db), items }
}

/** So far ahead a change of crew is looked through. */
const previewDays = 28

const withMember = (staff: Staff, userId: string, after: readonly Stretch[]): Staff => {
  const own = staff.members.find((one) => one.userId === userId)
  const person = { userId, name: own?.name ?? '', skills: own?.skills ?? [] }
  return {
    ...staff,
    members: [
      ...staff.members.filter((one) => one.userId !== userId),
      ...after.map((one): Member => ({ ...person, ...one })),
    ],
  }
}

/** What it does to crews when a person changes: on which days each has how many people. @throws AppError not_found */
export const previewPut = async (
  db: TenantDb,
  userId: string,
  put: Put,
): Promise<{ today: Day; until: Day; effects: CrewEffect[] }> => {
  const { today } = await getStretches(db, userId)
  const crews = await crewsOf(db)
  if (put.crewId !== null && !crews.some((crew) => crew.id === put.crewId)) throw notFound('crew')
  const last = addDays(put.from, previewDays - 1)
  const until = put.to !== null && put.to < last ? put.to : last
  const before = await readStaff(db, put.from, until)
  const person = await db
    .selectFrom('users')
    .select(['name', 'skills'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const stretches = await listStretches(db, userId)
  const after = withMember(before, userId, withPut(stretches, put))
  for (const one of after.members) if (one.userId === userId) Object.assign(one, person)
  const work = await workOf(db, put.from, until)
  const business = await db
    .selectFrom('businesses')
    .select(['workDays', 'holidays'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const days = Array.from({ length: daysBetween(put.from, until) + 1 }, (_, n) => addDays(put.from, n))
  const effects = crews.flatMap((crew): CrewEffect[] => {
    const changed = days.flatMap((day) => {
      const [was, is] = [presentOn(before, crew.id, day).present, presentOn(after, crew.id, day).present]
      const own = work.get(`${crew.id} ${day}`)
      const weekday = weekdayOf(day)
      const works = crew.workDays.includes(weekday) && business.workDays.includes(weekday)
      if (!own && (!works || business.holidays.includes(day))) return []
      const same = was.length === is.length && was.every((one) => is.some((other) => other.userId === one.userId))
      if (same) return []
      const needs = own?.skills ?? []
      const had = without(needs, skillsOn(crew, was, before.licenses, day))
      const lost = without(needs, skillsOn(crew, is, after.licenses, day)).filter((skill) => !had.includes(skill))
      return [{ day, was: was.length, is: is.length, stops: own?.stops ?? 0, lost }]
    })
    const [first] = changed
    return first
      ? [
          {
            crew: nameOf(crew),
            days: changed.length,
            firstDay: first.day,
            stops: changed.reduce((sum, one) => sum + one.stops, 0),
            peopleBefore: first.was,
            peopleAfter: first.is,
            emptyDays: changed.filter((one) => one.is === 0 && one.stops > 0).length,
            loses: [...new Set(changed.flatMap((one) => one.lost))],
          },
        ]
      : []
  })
  return { today, until, effects }
}

/** Free first, then who leaves somebody behind, then the office, then who leaves a crew with stops and nobody. */
const rank = (one: StandIn): number =>
  (one.missing.length > 0 ? 10 : 0) +
  (one.home === null || one.homeStops === 0 ? 0 : one.leaves > 0 && one.homeLoses.length === 0 ? 1 : 3) +
  (one.office ? 2 : 0)

/** Who is at work for a crew on a day and who could come: nobody who is away, has been deactivated or is there already. @throws AppError not_found */
export const getCrewStaff = async (db: TenantDb, crewId: string, day: Day): Promise<CrewStaff> => {
  const crews = await crewsOf(db)
  const crew = crews.find((one) => one.id === crewId)
  if (!crew) throw notFound('crew')
  const staff = await readStaff(db, day, day)
  const work = await workOf(db, day, day)
  const own = work.get(`${crewId} ${day}`)
  const { present, away } = presentOn(staff, crewId, day)
  const users = await db
    .selectFrom('users')
    .select(['id', 'name', 'role', 'skills'])
    .where('businessId', '=', db.businessId)
    .where('status', '!=', 'disabled')
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  // What is over is not taken back any more.
  const lent =
    day < (await todayOf(db))
      ? []
      : await listChanges(
          db,
          [...present, ...away].map((one) => one.userId),
        )
  const needs = own?.skills ?? []
  const missing = without(needs, skillsOn(crew, present, staff.licenses, day))
  const people = users.flatMap((user): StandIn[] => {
    const stretch = staff.members.find((one) => one.userId === user.id && covers(one, day))
    const home = crews.find((one) => one.id === stretch?.crewId)
    const isOff = staff.away.some(
      (one) =>
        covers(one, day) &&
        (one.userId === null ? one.crewId === null || one.crewId === crewId : one.userId === user.id),
    )
    if (stretch?.crewId === crewId || isOff) return []
    const there = home ? presentOn(staff, home.id, day).present : []
    const left = there.filter((one) => one.userId !== user.id)
    const homeWork = home ? work.get(`${home.id} ${day}`) : undefined
    const can = (who: readonly Member[]) => (home ? skillsOn(home, who, staff.licenses, day) : [])
    const lost = without(homeWork?.skills ?? [], can(left))
    const together = [...present, { userId: user.id, skills: user.skills }]
    return [
      {
        userId: user.id,
        name: user.name,
        office: user.role !== 'Employee',
        home: home ? nameOf(home) : null,
        leaves: left.length,
        homeStops: homeWork?.stops ?? 0,
        homeLoses: without(lost, without(homeWork?.skills ?? [], can(there))),
        missing: without(needs, skillsOn(crew, together, staff.licenses, day)),
      },
    ]
  })
  return {
    crew: nameOf(crew),
    day,
    works: crew.workDays.includes(weekdayOf(day)),
    members: [...present, ...away]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((one) => ({
        userId: one.userId,
        name: one.name,
        away: away.includes(one),
        lentBy: standInOf(lent, { userId: one.userId, crewId, day }),
      })),
    stops: own?.stops ?? 0,
    workMinutes: own?.workMinutes ?? 0,
    missing,
    people: people.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name)),
  }
}
