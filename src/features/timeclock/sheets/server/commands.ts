import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { addDays, type Day, dayOf, formatDay, instantAt } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { paths } from '../../../../shared/paths.ts'
import { notifyEach, notifyOffice } from '../../../notifications/server/commands.ts'
import { ruleLabel } from '../../overtime/rules.ts'
import { forgetPayTx, keepPayTx } from '../../payroll/server/keep.ts'
import { getPayRules } from '../../payroll/server/settings.ts'
import { forgottenAfterHours } from '../../rules.ts'
import { countHeldTx, holdClockTx } from '../../server/commands.ts'
import { countHeld, decideHeldTx, listHeld } from '../../server/held.ts'
import type { Sheet, SheetDetail, sheetsApi } from '../contract.ts'
import { type SheetFacts, type SheetReason, sheetRefusals, submitReason } from '../rules.ts'
import {
  holdWeekTx,
  isLocked,
  lockSheetsTx,
  noteChangesTx,
  noteChangeTx,
  type SheetRow,
  weekAt,
  writeSheetsTx,
  writeSheetTx,
} from './keep.ts'
import { getSheet, sheetsOf } from './queries.ts'

const weekLabel = (week: Day): string => `${formatDay(week)} to ${formatDay(addDays(week, 6))}`

/** What decides about weeks, by person; a few questions however many there are. @throws AppError not_found for who is not of this business */
const factsOfAll = async (
  db: TenantDb,
  timeZone: string,
  week: Day,
  rows: readonly SheetRow[],
): Promise<Map<string, SheetFacts>> => {
  const userIds = rows.map(({ userId }) => userId)
  const entries = await db
    .selectFrom('timeEntries')
    .select((eb) => ['userId', eb.fn<boolean>('bool_or', [eb('endedAt', 'is', null)]).as('isRunning')])
    .where('businessId', '=', db.businessId)
    .where('userId', 'in', userIds)
    .where('startedAt', '>=', instantAt(week, 0, timeZone))
    .where('startedAt', '<', instantAt(addDays(week, 7), 0, timeZone))
    .groupBy('userId')
    .execute()
  const running = new Map(entries.map(({ userId, isRunning }) => [userId, isRunning]))
  const names = await namesOf(db, userIds)
  const held = await countHeld(db, [week])
  const locked = await isLocked(db, week)
  const isAhead = week > dayOf(clock.now(), timeZone)
  return new Map(
    rows.map(({ userId, status, request }) => [
      userId,
      {
        name: names.get(userId) ?? '',
        status,
        locked,
        isRunning: running.get(userId) ?? false,
        isAhead,
        hasTime: running.has(userId),
        request,
        heldCount: held.get(`${userId} ${week}`) ?? 0,
      },
    ]),
  )
}

/** @throws AppError not_found for who is not of this business */
const namesOf = async (db: TenantDb, userIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...userIds])
    .execute()
  if (rows.length < new Set(userIds).size) throw notFound('person')
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** People's weeks, held until the end of the transaction, each with what decides about it. */
const holdSheetsTx = async (db: TenantDb, actor: Actor, userIds: readonly string[], week: Day) => {
  await namesOf(db, userIds)
  await holdWeekTx(db, week, 'add')
  const rows = await lockSheetsTx(db, userIds, week)
  const facts = await factsOfAll(db, actor.timeZone, week, rows)
  return rows.flatMap((row) => {
    const own = facts.get(row.userId)
    return own ? [{ row, facts: own }] : []
  })
}

/** A person's week, held until the end of the transaction, with what decides about it. */
const holdSheetTx = async (db: TenantDb, actor: Actor, userId: string, week: Day) => {
  const [held] = await holdSheetsTx(db, actor, [userId], week)
  if (!held) throw notFound('person')
  return held
}

const tellAll = (db: TenantDb, rows: readonly SheetRow[], title: string, content: string): Promise<void> =>
  notifyEach(
    db,
    rows.map((row) => ({
      userId: row.userId,
      type: 'system',
      title,
      content,
      path: paths.employeeTimesheets,
      dedupeKey: `timesheet:${row.id}:${row.version + 1}`,
    })),
  )

const tell = (db: TenantDb, row: SheetRow, title: string, content: string): Promise<void> =>
  tellAll(db, [row], title, content)

const changed = (db: TenantDb, userIds: readonly string[]): Promise<void> =>
  publishChange(db, 'timeclock', [...userIds])

/** Approves weeks as they were seen: what changed since refuses all of them. */
export const approveSheets = (
  actor: Actor,
  { week, items }: z.output<typeof sheetsApi.approve.body>,
): Promise<{ items: Sheet[] }> =>
  withTenant(actor, async (db) => {
    const userIds = [...new Set(items.map(({ userId }) => userId))].sort()
    const held = await holdSheetsTx(db, actor, userIds, week)
    for (const { row, facts } of held) {
      refuse(sheetRefusals.approve(facts))
      const seen = items.find(({ userId }) => userId === row.userId)?.version ?? 0
      requireVersion(row, seen, `the week of ${facts.name}`)
    }
    const rows = held.map(({ row }) => row)
    const decided = { decidedAt: clock.iso(), decidedBy: actor.userId }
    await writeSheetsTx(db, rows, { status: 'approved', ...decided, reason: '' })
    await noteChangesTx(
      db,
      userIds.map((userId) => ({ userId, week, action: 'approved', by: actor.userId })),
    )
    await tellAll(db, rows, `Your week ${weekLabel(week)} is approved`, '')
    const [from, until] = [instantAt(week, 0, actor.timeZone), instantAt(addDays(week, 7), 0, actor.timeZone)]
    await emit(db, 'timesheet.settled', { userIds, from, until, decision: 'stands', note: '', by: actor.userId })
    await audit(db, actor, 'timesheets.approve', { type: 'timesheet', id: null }, { after: { week, userIds } })
    await changed(db, userIds)
    return { items: await sheetsOf(db, actor, week, userIds) }
  })

type Decision = z.output<typeof sheetsApi.sendBack.body>

const decide = (
  actor: Actor,
  userId: string,
  { week, version, reason }: Decision,
  { action, title }: { action: 'sendBack' | 'reopen' | 'answer'; title: string },
): Promise<SheetDetail> =>
  withTenant(actor, async (db) => {
    const { row, facts } = await holdSheetTx(db, actor, userId, week)
    refuse(sheetRefusals[action](facts))
    requireVersion(row, version, `the week of ${facts.name}`)
    const decided = { decidedAt: clock.iso(), decidedBy: actor.userId, reason }
    if (action === 'answer') await writeSheetTx(db, row, { request: '' })
    else await writeSheetTx(db, row, { status: action === 'sendBack' ? 'returned' : 'open', ...decided })
    const noted = { sendBack: 'returned', reopen: 'reopened', answer: 'answered' } as const
    await noteChangeTx(db, { userId, week, action: noted[action], by: actor.userId, reason })
    await tell(db, row, `${title} ${weekLabel(week)}`, reason)
    await changed(db, [userId])
    return getSheet(db, actor, userId, week)
  })

/** Sends a week back to its person. */
export const sendBackSheet = (actor: Actor, userId: string, input: Decision): Promise<SheetDetail> =>
  decide(actor, userId, input, { action: 'sendBack', title: 'The office sent back your week' })

/** Takes an approval back. */
export const reopenSheet = (actor: Actor, userId: string, input: Decision): Promise<SheetDetail> =>
  decide(actor, userId, input, { action: 'reopen', title: 'The office opened again your week' })

/** Answers what a person asked for without changing the time. */
export const answerSheet = (actor: Actor, userId: string, input: Decision): Promise<SheetDetail> =>
  decide(actor, userId, input, { action: 'answer', title: 'The office answered about your week' })

const countsForNothing =
  'None of it belongs to time that is on a sheet, so nothing was counted and it goes on waiting. Add the time by hand, then leave it out with the reason.'

/** Late time that the week was locked for: counted where it was said, or left out with the reason. The phone hears of it. */
const decideHeld = (
  actor: Actor,
  userId: string,
  { week, version, reason }: Decision,
  action: 'count' | 'leaveOut',
): Promise<SheetDetail> =>
  withTenant(actor, async (db) => {
    await holdClockTx(db, userId)
    const { row, facts } = await holdSheetTx(db, actor, userId, week)
    refuse(sheetRefusals[action](facts))
    requireVersion(row, version, `the week of ${facts.name}`)
    if (action === 'count') {
      const counted = await countHeldTx(db, { userId, week, timeZone: actor.timeZone, by: actor.userId })
      if (counted === 0) throw conflict(countsForNothing)
    } else {
      const ids = (await listHeld(db, userId, week)).map(({ id }) => id)
      await decideHeldTx(db, ids, { decision: 'left_out', by: actor.userId })
      await writeSheetTx(db, row, {})
    }
    const noted = action === 'count' ? 'counted' : 'left_out'
    await noteChangeTx(db, { userId, week, action: noted, by: actor.userId, reason })
    const what = action === 'count' ? 'counted' : 'left out'
    await tell(db, row, `The office ${what} your late time of ${weekLabel(week)}`, reason)
    await changed(db, [userId])
    return getSheet(db, actor, userId, week)
  })

export const countLateTime = (actor: Actor, userId: string, input: Omit<Decision, 'reason'>): Promise<SheetDetail> =>
  decideHeld(actor, userId, { ...input, reason: '' }, 'count')

export const leaveOutLateTime = (actor: Actor, userId: string, input: Decision): Promise<SheetDetail> =>
  decideHeld(actor, userId, input, 'leaveOut')

type Correction = z.output<typeof sheetsApi.correct.body>

const checkSpan = async (
  db: TenantDb,
  { userId, week, timeZone, entryId }: { userId: string; week: Day; timeZone: string; entryId: string | null },
  to: NonNullable<Correction['to']>,
): Promise<void> => {
  const [start, end] = [Date.parse(to.startedAt), Date.parse(to.endedAt)]
  if (end <= start) throw invalid([{ path: 'to.endedAt', message: 'The end comes after the start.' }])
  if (end > clock.nowMs()) throw invalid([{ path: 'to.endedAt', message: 'This is still to come.' }])
  if (end - start > forgottenAfterHours * 3600_000)
    throw invalid([{ path: 'to.endedAt', message: 'That is more than 14 hours. Split it if it was so.' }])
  if (weekAt(to.startedAt, timeZone) !== week)
    throw invalid([{ path: 'to.startedAt', message: `Pick a day of the week ${weekLabel(week)}.` }])
  let query = db
    .selectFrom('timeEntries')
    .select(['id', 'startedAt'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('startedAt', '<', to.endedAt)
    .where('startedAt', '>=', new Date(start - 2 * 86_400_000).toISOString())
    .where((eb) => eb.or([eb('endedAt', 'is', null), eb('endedAt', '>', to.startedAt)]))
  if (entryId) query = query.where('id', '!=', entryId)
  if (await query.executeTakeFirst())
    throw invalid([{ path: 'to.startedAt', message: 'Other time of this person overlaps. Change that first.' }])
}

/** With which crew a person was: as the clock says of that day, else the crew of which they are a member then. */
const crewOn = async (
  db: TenantDb,
  userId: string,
  { startedAt }: { startedAt: string },
  timeZone: string,
): Promise<string | null> => {
  const day = dayOf(startedAt, timeZone)
  const { rows } = await sql<{ crewId: string }>`
    (select crew_id as "crewId" from time_entries
      where business_id = ${db.businessId} and user_id = ${userId} and crew_id is not null
        and started_at >= ${instantAt(day, 0, timeZone)} and started_at < ${instantAt(addDays(day, 1), 0, timeZone)}
      order by abs(extract(epoch from started_at - ${startedAt}::timestamptz)) limit 1)
    union all
    (select crew_id from crew_members
      where business_id = ${db.businessId} and user_id = ${userId} and valid_from <= ${day} and (valid_to is null or valid_to >= ${day})
      order by crew_id limit 1)
    limit 1`.execute(db)
  return rows[0]?.crewId ?? null
}

/** Adds, changes or takes out a spell. What it was stays in the trail, and the person is told. */
export const correctSheet = (actor: Actor, userId: string, input: Correction): Promise<SheetDetail> =>
  withTenant(actor, async (db) => {
    const { week, entryId, to, reason } = input
    await holdClockTx(db, userId)
    const { row, facts } = await holdSheetTx(db, actor, userId, week)
    refuse(sheetRefusals.correct(facts))
    requireVersion(row, input.version, `the week of ${facts.name}`)
    const before = entryId
      ? await db
          .selectFrom('timeEntries')
          .select(['kind', 'startedAt', 'endedAt'])
          .where('businessId', '=', db.businessId)
          .where('userId', '=', userId)
          .where('id', '=', entryId)
          .forUpdate()
          .executeTakeFirst()
      : null
    if (before === undefined || (before && weekAt(before.startedAt, actor.timeZone) !== week))
      throw notFound('time entry')
    if (!before && !to) throw invalid([{ path: 'to', message: 'Say from when to when.' }])
    if (to) await checkSpan(db, { userId, week, timeZone: actor.timeZone, entryId }, to)
    const now = clock.iso()
    const set = { source: 'manual', flagged: null, note: reason, updatedAt: now } as const
    const ids = { businessId: db.businessId, id: entryId ?? newId() }
    if (!to)
      await db.deleteFrom('timeEntries').where('businessId', '=', ids.businessId).where('id', '=', ids.id).execute()
    else if (before)
      await db
        .updateTable('timeEntries')
        .set({ ...to, ...set })
        .where('businessId', '=', ids.businessId)
        .where('id', '=', ids.id)
        .execute()
    else
      await db
        .insertInto('timeEntries')
        .values({ ...ids, userId, crewId: await crewOn(db, userId, to, actor.timeZone), ...to, ...set, createdAt: now })
        .execute()
    const action = !to ? 'removed' : before ? 'changed' : 'added'
    await writeSheetTx(db, row, {
      request: '',
      ...(row.status === 'approved'
        ? { status: 'open', reason: 'The office corrected it after it was approved.' }
        : {}),
    })
    await noteChangeTx(db, { userId, week, action, by: actor.userId, reason, before, after: to })
    const spells = [before, to].flatMap((one) => (one ? [one.startedAt, one.endedAt ?? one.startedAt] : []))
    const days = spells.map((at) => dayOf(at, actor.timeZone)).sort()
    await emit(db, 'timesheet.settled', {
      userIds: [userId],
      from: instantAt(days[0] ?? week, 0, actor.timeZone),
      until: instantAt(addDays(days.at(-1) ?? week, 1), 0, actor.timeZone),
      decision: 'counts',
      note: reason,
      by: actor.userId,
    })
    await tell(db, row, `The office corrected your week ${weekLabel(week)}`, reason)
    await changed(db, [userId])
    return getSheet(db, actor, userId, week)
  })

/** Locks a week once everything in it is approved; what it pays is kept from then on. */
export const lockWeek = (actor: Actor, week: Day): Promise<{ week: Day; locked: boolean }> =>
  withTenant(actor, async (db) => {
    await holdWeekTx(db, week, 'lock')
    if (await isLocked(db, week)) return { week, locked: true }
    const { timeZone } = actor
    if (addDays(week, 6) >= dayOf(clock.now(), timeZone))
      throw conflict('This week is not over yet. Nothing was locked.')
    const waiting = await db
      .selectFrom('timeEntries as t')
      .innerJoin('users as u', (j) => j.onRef('u.businessId', '=', 't.businessId').onRef('u.id', '=', 't.userId'))
      .leftJoin('timesheets as s', (j) =>
        j.onRef('s.businessId', '=', 't.businessId').onRef('s.userId', '=', 't.userId').on('s.week', '=', week),
      )
      .where('t.businessId', '=', db.businessId)
      .where('t.startedAt', '>=', instantAt(week, 0, timeZone))
      .where('t.startedAt', '<', instantAt(addDays(week, 7), 0, timeZone))
      .where((eb) => eb.or([eb('s.status', 'is', null), eb('s.status', '!=', 'approved')]))
      .select('u.name')
      .distinct()
      .orderBy('u.name')
      .execute()
    if (waiting.length > 0)
      throw conflict(
        `Nothing was locked: not approved yet is the week of ${waiting.map(({ name }) => name).join(', ')}.`,
      )
    await db
      .insertInto('payrollWeeks')
      .values({
        businessId: db.businessId,
        id: newId(),
        week,
        lockedBy: actor.userId,
        lockedAt: clock.iso(),
        kept: true,
        rule: ruleLabel((await getPayRules(db)).ruleOf(null)),
      })
      .execute()
    await keepPayTx(db, actor, week)
    await audit(db, actor, 'payroll.lock', { type: 'payroll_week', id: null }, { after: { week } })
    await changed(db, [])
    return { week, locked: true }
  })

/** Opens a locked week again. */
export const unlockWeek = (actor: Actor, week: Day, reason: string): Promise<{ week: Day; locked: boolean }> =>
  withTenant(actor, async (db) => {
    await holdWeekTx(db, week, 'lock')
    if (!(await isLocked(db, week))) throw conflict('This week is not locked. Nothing was changed.')
    await db.deleteFrom('payrollWeeks').where('businessId', '=', db.businessId).where('week', '=', week).execute()
    await forgetPayTx(db, week)
    await audit(db, actor, 'payroll.unlock', { type: 'payroll_week', id: null }, { after: { week, reason } })
    await changed(db, [])
    return { week, locked: false }
  })

/** A person hands in a week from the phone. @returns why not, or null */
export const submitWeekTx = async (db: TenantDb, actor: Actor, week: Day): Promise<SheetReason | null> => {
  const { row, facts } = await holdSheetTx(db, actor, actor.userId, week)
  if (row.status === 'submitted' || row.status === 'approved') return null
  const reason = submitReason(facts)
  if (reason) return reason
  await writeSheetTx(db, row, { status: 'submitted', submittedAt: clock.iso(), reason: '' })
  await noteChangeTx(db, { userId: actor.userId, week, action: 'submitted', by: actor.userId })
  await changed(db, [actor.userId])
  return null
}

/** A person asks the office to put a week right. @returns why not, or null */
export const askForWeekTx = async (
  db: TenantDb,
  actor: Actor,
  week: Day,
  note: string,
): Promise<SheetReason | null> => {
  const { row, facts } = await holdSheetTx(db, actor, actor.userId, week)
  if (facts.locked) return 'locked_week'
  // The newest stays whole; the trail keeps all of it.
  const request = [row.request, note].filter(Boolean).join('\n')
  await writeSheetTx(db, row, { request: request.length > 500 ? `… ${request.slice(-498)}` : request })
  await noteChangeTx(db, { userId: actor.userId, week, action: 'asked', by: actor.userId, reason: note })
  // Told once until it is answered: what follows stands on the same week.
  if (row.request) {
    await changed(db, [actor.userId])
    return null
  }
  await notifyOffice(db, {
    type: 'system',
    topic: 'needsYou',
    title: `${facts.name} asks to correct the week ${weekLabel(week)}`,
    content: note,
    path: linkTo.timesheets({ week, personId: actor.userId }),
    dedupeKey: `timesheet-asked:${row.id}:${row.version}`,
  })
  await changed(db, [actor.userId])
  return null
}
