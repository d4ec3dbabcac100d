import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf } from '../../../../shared/can.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { type CalendarEvent, calendarEventsApi } from '../contract.ts'
import { eventRefusals, longestEventDays } from '../rules.ts'

const needs = { update: calendarEventsApi.update, remove: calendarEventsApi.remove }

const rows = (db: TenantDb) =>
  db
    .selectFrom('calendarEvents as e')
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'e.businessId').onRef('u.id', '=', 'e.userId'))
    .where('e.businessId', '=', db.businessId)
    .select([
      'e.id',
      'e.kind',
      'e.title',
      'e.note',
      'e.firstDay',
      'e.lastDay',
      'e.startMinute',
      'e.endMinute',
      'e.userId',
      'e.crewId',
      'e.payKind',
      'e.paidMinutes',
      'e.version',
      'e.deletedAt',
      'u.name as userName',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

const shown = (actor: Actor, { deletedAt, ...row }: Row): CalendarEvent => ({
  ...row,
  can: canOf(actor, needs, eventRefusals, { deletedAt }),
})

/** Events of some days as stored. */
export const listEventRows = (db: TenantDb, from: Day, to: Day): Promise<Row[]> =>
  rows(db)
    .where('e.deletedAt', 'is', null)
    // no event is longer than that, so what is over is not read
    .where('e.firstDay', '>=', addDays(from, -longestEventDays))
    .where('e.firstDay', '<=', to)
    .where('e.lastDay', '>=', from)
    .orderBy('e.firstDay')
    .orderBy(sql`coalesce(e.start_minute, -1)`)
    .orderBy('e.id')
    .execute()

export const eventsFor = (actor: Actor, found: readonly Row[]): CalendarEvent[] => found.map((row) => shown(actor, row))

/** One event, also one that was removed. @throws AppError not_found */
export const getEvent = async (db: TenantDb, actor: Actor, id: string): Promise<CalendarEvent> => {
  const row = await rows(db).where('e.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('event')
  return shown(actor, row)
}
