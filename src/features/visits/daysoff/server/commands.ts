import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { AppError } from '../../../../shared/errors.ts'
import { licenseRefusal, openDaysAfter } from '../../days/rules.ts'
import { getWorkCalendar } from '../../days/server/queries.ts'
import { moveVisitTx, undoVisitTx } from '../../server/commands.ts'
import { mostMoved } from '../contract.ts'

type Row = { id: string; day: Day; crewId: string | null; skills: string[] }

/** Open days that are looked at for a visit: its crew may have no license on the first of them. */
const tries = 10

/** Moves what stands on holidays to the next day that is open to it, each with its crew, in one transaction. */
export const moveOffDays = (actor: Actor, days: readonly Day[]) =>
  withTenant(actor, async (db) => {
    const calendar = await getWorkCalendar(db)
    const asked = days.filter((day) => day >= calendar.today && calendar.holidays.includes(day))
    const { rows } = await sql<Row>`
      select v.id, v.day, v.crew_id as "crewId", coalesce((select array_agg(distinct tag) from visit_lines l
        join services s on s.business_id = l.business_id and s.id = l.service_id cross join unnest(s.skills) as tag
        where l.business_id = v.business_id and l.visit_id = v.id), '{}') as skills
      from visits v
      where v.business_id = ${db.businessId} and v.status = 'scheduled' and v.day = any(${sql.val(asked)}::date[])
      order by v.day, v.id`.execute(db)
    const moved: { visitId: string; version: number }[] = []
    for (const { id, day, crewId, skills } of rows.slice(0, mostMoved)) {
      const to = openDaysAfter(calendar, day, crewId, tries).find(
        (one) => licenseRefusal(calendar, skills, one, crewId) === null,
      )
      if (to) moved.push({ visitId: id, version: await moveVisitTx(db, actor, id, { day: to, crewId }) })
    }
    return { moved, left: rows.length - moved.length }
  })

/** Puts visits back where they were moved from; one that somebody changed since stays. */
export const undoOffDays = (actor: Actor, moved: readonly { visitId: string; version: number }[]) =>
  withTenant(actor, async (db) => {
    let back = 0
    for (const { visitId, version } of moved.toSorted((a, b) => (a.visitId < b.visitId ? -1 : 1))) {
      try {
        await undoVisitTx(db, actor, visitId, version)
        back++
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'not_found') throw error
      }
    }
    return { back, kept: moved.length - back }
  })
