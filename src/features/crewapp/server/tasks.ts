import { sql } from 'kysely'
import { withTenant } from '../../../platform/db/tenant.ts'
import { subscriber } from '../../../platform/events/events.ts'
import { dayOf, formatDay, formatTime, startOfWeek } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import { answerClockTapsTx, answerTx } from '../conflicts/server/commands.ts'
import { clockTapWords, conflictTitle, type HeldType, isClockCommand, isOutOfPlace } from '../rules.ts'

/** Tells the office what a crew did that could not be applied, with its time kept on the visit. */
export const notifyOfConflict = subscriber({
  name: 'crewapp.notifyOfConflict',
  on: 'command.conflicted',
  run: (actor, { commandId, visitId }) =>
    withTenant(actor, async (db) => {
      const { rows } = await sql<{
        type: HeldType
        reason: string
        userId: string
        at: string
        name: string
        street: string | null
        customerId: string | null
        jobId: string | null
        payload: { amountCents?: number; method?: string; label?: string }
      }>`
        select k.type, k.reason, k.payload, k.user_id as "userId", k.happened_at as at, split_part(u.name, ' ', 1) as name, coalesce(p.street, k.payload->>'label') as street, v.customer_id as "customerId", v.job_id as "jobId"
        from crew_commands k
        join users u on u.business_id = k.business_id and u.id = k.user_id
        left join visits v on v.business_id = k.business_id and v.id = k.visit_id
        left join properties p on p.business_id = v.business_id and p.id = v.property_id
        where k.business_id = ${db.businessId} and k.id = ${commandId}`.execute(db)
      const row = rows[0]
      if (!row) return
      if (row.type !== 'photo' && isClockCommand(row.type)) {
        if (row.reason === 'failed') {
          const timeZone = await timeZoneOf(db)
          return notifyOffice(db, {
            type: 'system',
            topic: 'needsYou',
            title: `A tap on the clock of ${row.name} could not be booked`,
            content: `${clockTapWords[row.type]} at ${formatTime(row.at, timeZone)} on ${formatDay(dayOf(row.at, timeZone))}: something went wrong on our side. The phone keeps it and can send it again; or put the time down on the sheet.`,
            path: linkTo.timesheets({ week: startOfWeek(dayOf(row.at, timeZone)), personId: row.userId }),
            dedupeKey: `failed:${commandId}`,
          })
        }
        if (row.reason !== 'locked_week') return
        return notifyOffice(db, {
          type: 'system',
          topic: 'needsYou',
          title: `${row.name} worked in a week that payroll is locked for`,
          content:
            'The time came in from the phone late and is kept on the sheet. Unlock the week and count it, or leave it out.',
          path: linkTo.timesheets({ week: startOfWeek(dayOf(row.at, await timeZoneOf(db))), personId: row.userId }),
          dedupeKey: `locked-week:${commandId}`,
        })
      }
      await notifyOffice(db, {
        type: 'job',
        topic: 'needsYou',
        title: conflictTitle(row),
        content:
          row.type === 'collect'
            ? `${formatCents(row.payload.amountCents ?? 0)} in ${row.payload.method ?? 'cash'} is not booked yet. Decide under Needs you on the dashboard whether it counts.`
            : row.type === 'treat'
              ? 'It is not recorded yet. Everything typed is kept under Needs you on the dashboard: record it there, or say why nothing is recorded.'
              : row.type === 'sell'
                ? 'What the customer agreed to is kept, and nothing is billed. Decide under Needs you on the dashboard whether it counts.'
                : 'The time and the photos are kept. Decide under Needs you on the dashboard what counts.',
        customerId: row.customerId,
        path: row.jobId ? linkTo.job(row.jobId, visitId ? { visitId } : {}) : '/jobs?tab=manage',
        // every sum that was taken counts for itself; a phone that was away for days tells of a visit once
        dedupeKey: `conflict:${['collect', 'treat', 'sell'].includes(row.type) ? commandId : (visitId ?? commandId)}:${isOutOfPlace(row.reason) && row.type !== 'collect' && row.type !== 'sell' ? 'elsewhere' : row.type}`,
      })
    }),
})

/** What the office does with a record that was not taken is its answer to the phone that sent it. */
export const onApplicationDecided = subscriber({
  name: 'crewapp.onApplicationDecided',
  on: 'application.decided',
  run: (actor, { id, counts, note, userId }) =>
    withTenant(actor, (db) => answerTx(db, id, { decision: counts ? 'counts' : 'stands', note, userId })),
})

/** A sheet that was put right, or approved as it stands, is the office's answer to the taps of that time that could not be booked. */
export const onSheetSettled = subscriber({
  name: 'crewapp.onSheetSettled',
  on: 'timesheet.settled',
  run: (actor, { userIds, ...span }) =>
    withTenant(actor, async (db) => {
      for (const userId of [...userIds].sort()) await answerClockTapsTx(db, userId, span)
    }),
})

/** Tells the office that a phone shows another time, once a person and day. */
export const notifyOfSkew = subscriber({
  name: 'crewapp.notifyOfSkew',
  on: 'clock.skewed',
  run: (actor, { userId, entryId, skewSeconds }) =>
    withTenant(actor, async (db) => {
      const row = await db
        .selectFrom('users')
        .innerJoin('timeEntries as t', (j) =>
          j.onRef('t.businessId', '=', 'users.businessId').onRef('t.userId', '=', 'users.id'),
        )
        .where('users.businessId', '=', db.businessId)
        .where('users.id', '=', userId)
        .where('t.id', '=', entryId)
        .select(['users.name', 't.startedAt'])
        .executeTakeFirst()
      if (!row) return
      const minutes = Math.round(Math.abs(skewSeconds) / 60)
      await notifyOffice(db, {
        type: 'system',
        topic: 'needsYou',
        title: `The phone of ${row.name} is ${minutes} min ${skewSeconds > 0 ? 'behind' : 'ahead'}`,
        content:
          'The entry is flagged: look at its time. It was put right where the phone could say how far it was off.',
        path: '/employees?tab=timesheets',
        dedupeKey: `skew:${userId}:${dayOf(row.startedAt, await timeZoneOf(db))}`,
      })
    }),
})

/** Tells the office what a crew wrote to it about a visit; each note once. */
export const notifyOfNote = subscriber({
  name: 'crewapp.notifyOfNote',
  on: 'visit.noted',
  run: (actor, { commandId, visitId }) =>
    withTenant(actor, async (db) => {
      const { rows } = await sql<{ name: string; street: string; note: string; customerId: string; jobId: string }>`
        select split_part(u.name, ' ', 1) as name, p.street, k.payload->>'note' as note, v.customer_id as "customerId", v.job_id as "jobId"
        from crew_commands k
        join users u on u.business_id = k.business_id and u.id = k.user_id
        join visits v on v.business_id = k.business_id and v.id = k.visit_id
        join properties p on p.business_id = v.business_id and p.id = v.property_id
        where k.business_id = ${db.businessId} and k.id = ${commandId}`.execute(db)
      const [row] = rows
      if (!row) return
      await notifyOffice(db, {
        type: 'job',
        title: `${row.name} wrote about ${row.street}`,
        content: row.note.slice(0, 300),
        customerId: row.customerId,
        path: linkTo.job(row.jobId, { visitId }),
        dedupeKey: `note:${commandId}`,
      })
    }),
})
