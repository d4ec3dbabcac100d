import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, addMonths, type Day, startOfWeek } from '../../../shared/dates.ts'
import { closedDayMessage } from '../../visits/days/rules.ts'
import { getWorkCalendar } from '../../visits/server/queries.ts'
import type { CalendarRange, calendarApi } from '../contract.ts'
import { eventsFor } from '../events/server/queries.ts'
import { daysFrom, listLoads, readCrewDays } from '../load/server/queries.ts'

import { cardFor, listCards } from './cards.ts'

export { listDue } from '../due/server/queries.ts'

/** Some days with everything that stands on them. */
export const getRange = async (
  db: TenantDb,
  actor: Actor,
  { from, to }: { from: Day; to: Day },
): Promise<CalendarRange> => {
  const calendar = await getWorkCalendar(db)
  const { crews, crewDays, events } = await readCrewDays(db, from, to, calendar.today)
  const rows = await listCards(db, sql`v.day between ${from} and ${to} and v.status <> 'canceled'`, {
    today: calendar.today,
    shown: from,
  })
  const card = cardFor(actor)
  return {
    today: calendar.today,
    crews,
    // A day that is over is not closed: what was done there was done.
    days: daysFrom(from, to).map((day) => ({
      day,
      closed: day < calendar.today ? null : closedDayMessage(calendar, day),
    })),
    crewDays,
    visits: rows.map((row) => ({ ...card(row), day: row.day ?? from })),
    events: eventsFor(actor, events),
  }
}

type MonthQuery = z.output<typeof calendarApi.month.query>

/** A month in whole weeks, Monday first: numbers of its days, never their visits. */
export const getMonth = async (db: TenantDb, { month, crewId, serviceId, status }: MonthQuery) => {
  const first = `${month}-01`
  const [from, to] = [startOfWeek(first), addDays(startOfWeek(addDays(addMonths(first, 1), -1)), 6)]
  const calendar = await getWorkCalendar(db)
  const { crewDays, events, loads: all } = await readCrewDays(db, from, to)
  const loads = crewId || serviceId || status ? await listLoads(db, from, to, { crewId, serviceId, status }) : all
  const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0)
  return {
    today: calendar.today,
    days: daysFrom(from, to).map((day) => {
      const own = loads.filter((load) => load.day === day)
      const crews = crewDays.filter((one) => one.day === day && (!crewId || one.crewId === crewId))
      return {
        day,
        closed: day < calendar.today ? null : closedDayMessage(calendar, day),
        visits: sum(own.map((load) => load.stops)),
        finished: sum(own.map((load) => load.finished)),
        unassigned: sum(own.filter((load) => load.crewId === null).map((load) => load.stops)),
        loadMinutes: sum(crews.map((one) => one.workMinutes + one.driveMinutes)),
        capacityMinutes: sum(crews.map((one) => one.capacityMinutes)),
        undriven: day < calendar.today ? 0 : sum(crews.map((one) => one.undriven)),
        events: events
          .filter((event) => event.firstDay <= day && day <= event.lastDay)
          .map(({ id, title }) => ({ id, title })),
      }
    }),
  }
}
