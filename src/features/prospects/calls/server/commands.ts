import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import { type ProspectsDb, withProspects } from '../../../../platform/db/prospects.ts'
import { newId } from '../../../../platform/ids.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { isTimeZone } from '../../../../shared/timeZone.ts'
import { auditProspects } from '../../server/audit.ts'
import { findToken } from '../../server/tokens.ts'
import { moveSprintCall } from '../../sprint/server/call-steps.ts'
import type { Call, OwnCall } from '../contract.ts'
import { type CallKind, type CallMinutes, callTitles, endsOf, type SprintCall, sprintCallProblem } from '../rules.ts'
import { type CallUpdate, calendarOf, mailCall, whenOf } from './letters.ts'
import { type CallRow, getCallRow, getCallSettings, listCallsOfLead, listSlots, toCall } from './queries.ts'

const taken = () => conflict('This time has just been taken. Nothing was booked; please choose another one.')

/** What the database says when two calls would overlap: the one that came second. */
const overlaps = (error: unknown): boolean => (error as { code?: string }).code === '23P01'

const note = async (
  db: ProspectsDb,
  call: CallRow,
  action: CallUpdate | 'held' | 'missed',
  by: 'prospect' | 'owner' | 'system',
) => {
  await db
    .insertInto('callChanges')
    .values({ id: newId(), callId: call.id, action, by, startsAt: call.startsAt, at: clock.iso() })
    .execute()
  await auditProspects(
    db,
    by === 'prospect' ? 'visitor' : by,
    `call.${action}`,
    { type: 'lead', id: call.leadId },
    {
      callId: call.id,
      startsAt: call.startsAt,
    },
  )
}

export type Booking = {
  leadId: string
  applicationId: string | null
  kind: CallKind
  minutes: CallMinutes
  startsAt: string
  timeZone: string
  note: string
  by: 'prospect' | 'owner'
}

/** The call of this kind that the lead has ahead; one whose time went by unmarked is taken for missed. */
const upcomingOf = async (db: ProspectsDb, leadId: string, kind: CallKind): Promise<CallRow | null> => {
  const row = await db
    .selectFrom('calls')
    .selectAll()
    .where('leadId', '=', leadId)
    .where('kind', '=', kind)
    .where('status', '=', 'booked')
    .forUpdate()
    .executeTakeFirst()
  if (!row || Date.parse(row.endsAt) > clock.nowMs()) return row ?? null
  await db.updateTable('calls').set({ status: 'missed', updatedAt: clock.iso() }).where('id', '=', row.id).execute()
  await note(db, row, 'missed', 'system')
  return null
}

/**
 * Whoever takes a time waits here, before it holds any row, for whoever takes one now: the second of two presses then finds the call of the first, and two for the same
 * time never wait for each other at the table's exclusion, which the database ends as a deadlock.
 */
const oneAtATime = (db: ProspectsDb): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('prospect-calls', 0))`.execute(db)

const insertCall = async (db: ProspectsDb, booking: Booking): Promise<CallRow> => {
  const startsAt = new Date(booking.startsAt).toISOString()
  await oneAtATime(db)
  const known = await upcomingOf(db, booking.leadId, booking.kind)
  if (known?.startsAt === startsAt && known.minutes === booking.minutes) return known
  if (known)
    throw conflict(
      `There is already a call on ${whenOf(known.startsAt, booking.timeZone)}. Move that one instead; nothing was changed.`,
    )
  const { slots } = await listSlots(db, booking.minutes, { withoutNotice: booking.by === 'owner' })
  if (!slots.includes(startsAt)) throw taken()
  const { bufferMinutes } = await getCallSettings(db)
  const now = clock.iso()
  const row = await db
    .insertInto('calls')
    .values({
      id: newId(),
      leadId: booking.leadId,
      applicationId: booking.applicationId,
      kind: booking.kind,
      minutes: booking.minutes,
      startsAt,
      ...endsOf(startsAt, booking.minutes, bufferMinutes),
      timeZone: booking.timeZone,
      bookedBy: booking.by,
      note: booking.note,
      createdAt: now,
      updatedAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await note(db, row, 'booked', booking.by)
  await moveSprintCall(db, row)
  await mailCall(db, row, 'booked')
  return row
}

/** One of two that book the same time at once gets it; the other one hears so. */
const asTaken = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (overlaps(error)) throw taken()
    throw error
  }
}

const own = async (db: ProspectsDb, row: CallRow): Promise<OwnCall> => ({
  ...toCall(row),
  ...(await calendarOf(db, row)),
})

/**
 * Books a free time for whoever holds an application. A link from our mail books the calls of the Setup Sprint once admitted; any browser books
 * the first call or a demo.
 * @throws state_conflict when the time is not free, or a call of this kind is ahead; not_found for a token that means nothing
 */
export const bookCall = (input: {
  token: string
  minutes: CallMinutes
  kind?: SprintCall | undefined
  startsAt: string
  timeZone: string
  note: string
}): Promise<OwnCall> => {
  if (!isTimeZone(input.timeZone)) throw invalid([{ path: 'timeZone', message: 'We do not know this time zone' }])
  return asTaken(() =>
    withProspects(async (db) => {
      const target = await findToken(db, input.token, 'browser', 'application')
      if (!target) throw notFound('application')
      const kind = await kindFor(db, target, input)
      const row = await insertCall(db, {
        ...input,
        kind,
        leadId: target.leadId,
        applicationId: target.entityId,
        by: 'prospect',
      })
      return own(db, row)
    }),
  )
}

/** What a time is booked for: the call that was asked for, else the one that comes next where the lead stands. */
const kindFor = async (
  db: ProspectsDb,
  target: { kind: string; leadId: string },
  { kind, minutes, startsAt }: { kind?: SprintCall | undefined; minutes: CallMinutes; startsAt: string },
): Promise<CallKind> => {
  const sprint = await db.selectFrom('sprints').select('status').where('leadId', '=', target.leadId).executeTakeFirst()
  const inSprint = target.kind === 'application' && sprint && ['admitted', 'running'].includes(sprint.status)
  if (!kind && minutes === 30) return 'demo'
  if (!inSprint) {
    if (kind) throw conflict('The calls of the Setup Sprint are booked from the link in our mail. Nothing was booked.')
    return 'intro'
  }
  const calls = await listCallsOfLead(db, target.leadId)
  const now = clock.iso()
  const begun = calls.some(
    (call) =>
      call.kind === 'sprint_1' && (call.status === 'held' || (call.status === 'booked' && call.startsAt <= now)),
  )
  const chosen = kind ?? (begun ? 'sprint_2' : 'sprint_1')
  const problem = kind ? sprintCallProblem(kind, new Date(startsAt).toISOString(), calls, now) : null
  if (problem) throw conflict(problem)
  return chosen
}

const callOfToken = async (db: ProspectsDb, token: string): Promise<CallRow> => {
  const target = await findToken(db, token, 'call')
  if (!target) throw notFound('call')
  return getCallRow(db, target.entityId)
}

/** A call by its own link. */
export const findOwnCall = (token: string): Promise<OwnCall> =>
  withProspects(async (db) => own(db, await callOfToken(db, token)))

const move = async (
  db: ProspectsDb,
  row: CallRow,
  to: { startsAt: string; timeZone: string; by: 'prospect' | 'owner' },
): Promise<CallRow> => {
  const startsAt = new Date(to.startsAt).toISOString()
  if (row.status !== 'booked') throw conflict('This call is not booked any more. Book a new one; nothing was changed.')
  if (Date.parse(row.startsAt) <= clock.nowMs())
    throw conflict('This call has already begun, so it cannot be moved. Book a new one; nothing was changed.')
  if (row.startsAt === startsAt) return row
  if (row.kind === 'sprint_1' || row.kind === 'sprint_2') {
    const others = (await listCallsOfLead(db, row.leadId)).filter(({ id }) => id !== row.id)
    const problem = sprintCallProblem(row.kind, startsAt, others, clock.iso())
    if (problem) throw conflict(problem)
  }
  const { slots } = await listSlots(db, row.minutes, { withoutNotice: to.by === 'owner', exceptCallId: row.id })
  if (!slots.includes(startsAt)) throw taken()
  const { bufferMinutes } = await getCallSettings(db)
  const moved = await db
    .updateTable('calls')
    .set((eb) => ({
      startsAt,
      ...endsOf(startsAt, row.minutes, bufferMinutes),
      timeZone: to.timeZone,
      sequence: eb('sequence', '+', 1),
      version: eb('version', '+', 1),
      updatedAt: clock.iso(),
    }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await note(db, moved, 'rescheduled', to.by)
  await moveSprintCall(db, moved)
  await mailCall(db, moved, 'rescheduled')
  return moved
}

const cancel = async (db: ProspectsDb, row: CallRow, by: 'prospect' | 'owner'): Promise<CallRow> => {
  if (row.status === 'canceled') return row
  if (row.status !== 'booked') throw conflict('This call is over, so there is nothing to cancel.')
  const canceled = await db
    .updateTable('calls')
    .set((eb) => ({
      status: 'canceled',
      canceledAt: clock.iso(),
      canceledBy: by,
      sequence: eb('sequence', '+', 1),
      version: eb('version', '+', 1),
      updatedAt: clock.iso(),
    }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await note(db, canceled, 'canceled', by)
  await moveSprintCall(db, canceled)
  await mailCall(db, canceled, 'canceled')
  return canceled
}

/** Moves a call by its own link. @throws state_conflict when the time is not free or the call is over */
export const rescheduleCall = (token: string, to: { startsAt: string; timeZone: string }): Promise<OwnCall> => {
  if (!isTimeZone(to.timeZone)) throw invalid([{ path: 'timeZone', message: 'We do not know this time zone' }])
  return asTaken(() =>
    withProspects(async (db) => {
      await oneAtATime(db)
      return own(db, await move(db, await callOfToken(db, token), { ...to, by: 'prospect' }))
    }),
  )
}

/** Cancels a call by its own link; again changes nothing. */
export const cancelCall = (token: string): Promise<OwnCall> =>
  withProspects(async (db) => own(db, await cancel(db, await callOfToken(db, token), 'prospect')))

/** The product owner books a call for a lead, in the lead's zone when it is known. */
export const bookCallForLead = (
  leadId: string,
  input: { startsAt: string; kind: CallKind; minutes: CallMinutes; note: string },
): Promise<Call> =>
  asTaken(() =>
    withProspects(async (db) => {
      const lead = await db.selectFrom('leads').select(['id', 'timeZone']).where('id', '=', leadId).executeTakeFirst()
      if (!lead) throw notFound('lead')
      const { timeZone } = await getCallSettings(db)
      return toCall(
        await insertCall(db, {
          ...input,
          leadId,
          applicationId: null,
          timeZone: lead.timeZone ?? timeZone,
          by: 'owner',
        }),
      )
    }),
  )

/** The product owner moves a call. */
export const ownerReschedule = (callId: string, startsAt: string): Promise<Call> =>
  asTaken(() =>
    withProspects(async (db) => {
      await oneAtATime(db)
      const row = await getCallRow(db, callId)
      return toCall(await move(db, row, { startsAt, timeZone: row.timeZone, by: 'owner' }))
    }),
  )

/** The product owner cancels a call. */
export const ownerCancel = (callId: string): Promise<Call> =>
  withProspects(async (db) => toCall(await cancel(db, await getCallRow(db, callId), 'owner')))

/** Notes whether a call took place. @throws state_conflict before it began, or for a canceled one */
export const markCall = (callId: string, status: 'held' | 'missed'): Promise<Call> =>
  withProspects(async (db) => {
    const row = await getCallRow(db, callId)
    if (row.status === status) return toCall(row)
    if (row.status === 'canceled') throw conflict('This call was canceled; nothing was changed.')
    if (Date.parse(row.startsAt) > clock.nowMs())
      throw conflict(`${callTitles[row.kind]} has not begun yet; nothing was changed.`)
    const marked = await db
      .updateTable('calls')
      .set((eb) => ({ status, version: eb('version', '+', 1), updatedAt: clock.iso() }))
      .where('id', '=', callId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await note(db, marked, status, 'owner')
    await moveSprintCall(db, marked)
    return toCall(marked)
  })
