import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, covers, type Day } from '../../../../shared/dates.ts'
import { asSkill } from '../../../../shared/skills.ts'
import {
  capacityOf,
  common,
  joined,
  type License,
  less,
  licensedSkills,
  type Presence,
  presenceOf,
  type Shift,
  type Span,
  shiftOn,
  thereOf,
  type WeekdayShift,
} from '../rules.ts'

/** Who is on which crew, who is away and who has which license, over some days: everything that says what a crew is on a day. */

export type Member = {
  userId: string
  name: string
  skills: string[]
  crewId: string
  from: Day
  to: Day | null
}
/** A whole day off: of a person, of a crew, or of everybody. */
export type Away = { userId: string | null; crewId: string | null; from: Day; to: Day }
/** A part of each of some days off. */
export type PartAway = Away & { startMinute: number; endMinute: number }
export type Staff = { members: Member[]; away: Away[]; parts: PartAway[]; licenses: License[] }

/** What stands about some days; licenses are all of them, those that are over too, but none of people who left. */
export const readStaff = async (db: TenantDb, from: Day, to: Day): Promise<Staff> => {
  const { rows: members } = await sql<Member>`
    select m.user_id as "userId", u.name, u.skills, m.crew_id as "crewId", m.valid_from as "from", m.valid_to as "to"
    from crew_members m join users u on u.business_id = m.business_id and u.id = m.user_id
    where m.business_id = ${db.businessId} and m.valid_from <= ${to} and (m.valid_to is null or m.valid_to >= ${from})
    order by u.name, u.id, m.valid_from`.execute(db)
  const { rows: offs } = await sql<Away & { startMinute: number | null; endMinute: number | null }>`
    select e.user_id as "userId", e.crew_id as "crewId", e.first_day as "from", e.last_day as "to",
      e.start_minute as "startMinute", e.end_minute as "endMinute" from calendar_events e
    where e.business_id = ${db.businessId} and e.deleted_at is null and e.kind in ('time_off', 'shop')
      and e.first_day between ${from}::date - 92 and ${to}::date and e.last_day >= ${from}
    order by e.first_day, e.id`.execute(db)
  const away = offs.filter((one) => one.startMinute === null || one.endMinute === null)
  const parts = offs.flatMap(({ startMinute, endMinute, ...one }) =>
    startMinute === null || endMinute === null ? [] : [{ ...one, startMinute, endMinute }],
  )
  const licenses = await db
    .selectFrom('licenses as l')
    .innerJoin('users as u', (x) => x.onRef('u.businessId', '=', 'l.businessId').onRef('u.id', '=', 'l.userId'))
    .select(['l.userId', 'l.skill', 'l.validFrom', 'l.expiresOn'])
    .where('l.businessId', '=', db.businessId)
    .where('l.deletedAt', 'is', null)
    // Of somebody who left it neither gives a skill nor keeps one from others.
    .where('u.status', '!=', 'disabled')
    .execute()
  return { members, away, parts, licenses }
}

/** Whether time off is somebody's: their own, or that of their crew. */
const takes = (one: Away, day: Day, userId: string, crewId: string | null): boolean =>
  covers(one, day) && (one.userId === null ? one.crewId === null || one.crewId === crewId : one.userId === userId)

/** Whether somebody of a crew is away a whole day: by own time off, or with the crew. */
export const isAway = (staff: Staff, day: Day, userId: string, crewId: string | null): boolean =>
  staff.away.some((one) => takes(one, day, userId, crewId))

/** The parts of a day that somebody of a crew is off. */
export const partsOff = (staff: Staff, day: Day, userId: string, crewId: string): PartAway[] =>
  staff.parts.filter((one) => takes(one, day, userId, crewId))

/** Who of a crew is there when on a day, and what it can do then in labor minutes; a crew without people is planned as one person. */
export const onTheDay = (
  staff: Staff,
  crew: Shift & { id: string },
  day: Day,
): { presence: Presence[]; laborMinutes: number } => {
  const { present, away } = presentOn(staff, crew.id, day)
  const people = present.length + away.length > 0 ? present.map((one) => one.userId) : ['']
  const offs = people.map((userId) => partsOff(staff, day, userId, crew.id))
  const absences = staff.parts.map((one) => ({ ...one, firstDay: one.from, lastDay: one.to }))
  return {
    presence: presenceOf(crew, offs),
    laborMinutes: people.length === 0 ? 0 : capacityOf(crew, day, people, absences).capacityMinutes,
  }
}

/** When people of crews are there on a day on which somebody is off for a part of it, by crew; on every other day nothing. */
export const listPresence = async (
  db: TenantDb,
  day: Day,
  crewIds: readonly string[],
): Promise<ReadonlyMap<string, Presence[]>> => {
  const part = await db
    .selectFrom('calendarEvents')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('deletedAt', 'is', null)
    .where('kind', 'in', ['time_off', 'shop'])
    .where('startMinute', 'is not', null)
    .where('firstDay', '<=', day)
    .where('lastDay', '>=', day)
    .limit(1)
    .executeTakeFirst()
  if (!part || crewIds.length === 0) return new Map()
  const crews = await db
    .selectFrom('crews')
    .select(['id', 'shiftStartMinute', 'shiftEndMinute', 'breakMinutes', 'weekdayShifts'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...crewIds])
    .execute()
  const staff = await readStaff(db, day, day)
  return new Map(
    crews.map(({ id, weekdayShifts, ...usual }) => {
      const shift = shiftOn({ ...usual, weekdayShifts: weekdayShifts as unknown as WeekdayShift[] }, day)
      return [id, thereOf(onTheDay(staff, { ...shift, id }, day).presence)]
    }),
  )
}

/** The people of a crew on a day: who is at work and who is away. */
export const presentOn = (staff: Staff, crewId: string, day: Day): { present: Member[]; away: Member[] } => {
  const all = staff.members.filter((one) => one.crewId === crewId && covers(one, day))
  return {
    present: all.filter((one) => !isAway(staff, day, one.userId, crewId)),
    away: all.filter((one) => isAway(staff, day, one.userId, crewId)),
  }
}

/** A skill that only a license gives, with the days on which somebody of a crew has a valid one and is at work. */
export type CrewLicense = { crewId: string; skill: string; spans: Span[] }

/** So far ahead work is given out by hand. */
const licenseDays = 760

/** On which days from one on each crew may do what needs a license; nothing for a business without licenses. */
export const listCrewLicenses = async (db: TenantDb, from: Day, crewIds: readonly string[]): Promise<CrewLicense[]> => {
  const staff = await readStaff(db, from, addDays(from, licenseDays))
  const skills = [...licensedSkills(staff.licenses)]
  return crewIds.flatMap((crewId) =>
    skills.map((skill): CrewLicense => {
      const spans = staff.members
        .filter((one) => one.crewId === crewId)
        .flatMap((member) => {
          const off = staff.away.filter((one) =>
            one.userId === null ? one.crewId === null || one.crewId === crewId : one.userId === member.userId,
          )
          return less(
            staff.licenses
              .filter((one) => one.userId === member.userId && asSkill(one.skill) === skill)
              .flatMap((one) => common(member, { from: one.validFrom ?? member.from, to: one.expiresOn }) ?? []),
            off,
          )
        })
      return { crewId, skill, spans: joined(spans) }
    }),
  )
}
