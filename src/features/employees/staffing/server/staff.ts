import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, covers, type Day } from '../../../../shared/dates.ts'
import { asSkill } from '../../../../shared/skills.ts'
import { common, joined, type License, less, licensedSkills, type Span } from '../rules.ts'

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
export type Staff = { members: Member[]; away: Away[]; licenses: License[] }

/** What stands about some days; licenses are all of them, those that are over too. */
export const readStaff = async (db: TenantDb, from: Day, to: Day): Promise<Staff> => {
  const { rows: members } = await sql<Member>`
    select m.user_id as "userId", u.name, u.skills, m.crew_id as "crewId", m.valid_from as "from", m.valid_to as "to"
    from crew_members m join users u on u.business_id = m.business_id and u.id = m.user_id
    where m.business_id = ${db.businessId} and m.valid_from <= ${to} and (m.valid_to is null or m.valid_to >= ${from})
    order by u.name, u.id, m.valid_from`.execute(db)
  const { rows: away } = await sql<Away>`
    select e.user_id as "userId", e.crew_id as "crewId", e.first_day as "from", e.last_day as "to" from calendar_events e
    where e.business_id = ${db.businessId} and e.deleted_at is null and e.start_minute is null and e.kind in ('time_off', 'shop')
      and e.first_day between ${from}::date - 92 and ${to}::date and e.last_day >= ${from}`.execute(db)
  const licenses = await db
    .selectFrom('licenses')
    .select(['userId', 'skill', 'validFrom', 'expiresOn'])
    .where('businessId', '=', db.businessId)
    .where('deletedAt', 'is', null)
    .execute()
  return { members, away, licenses }
}

/** Whether somebody of a crew is away a whole day: by own time off, or with the crew. */
export const isAway = (staff: Staff, day: Day, userId: string, crewId: string | null): boolean =>
  staff.away.some(
    (one) =>
      covers(one, day) && (one.userId === null ? one.crewId === null || one.crewId === crewId : one.userId === userId),
  )

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
