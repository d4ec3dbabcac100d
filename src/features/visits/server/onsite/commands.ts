import { sql } from 'kysely'
import { userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { emit } from '../../../../platform/events/events.ts'
import { refuse } from '../../../../shared/can.ts'
import { skipChargeOf } from '../../../businesses/skips/rules.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'
import { changedNote, type NoteChange, type NoteField, noteFields } from '../../notes/rules.ts'
import { unskipRefusal, workedSecondsAt } from '../../rules.ts'
import { checklistOf } from '../checklist/queries.ts'
import { followRoute } from '../route/commands.ts'
import { entity, type LockedVisit, lockVisit, stateAfter, uncharged, workCentsOf, writeVisit } from '../row/commands.ts'
import { getSkipRules } from '../skips/queries.ts'

/** When something happened; a phone tells the time it was, everybody else means now. */
export type At = { at?: string }

/** A visit, or one that the caller has taken for the change already. */
type VisitTarget = string | LockedVisit

const lockedVisit = async (db: TenantDb, target: VisitTarget): Promise<LockedVisit> =>
  typeof target === 'string' ? lockVisit(db, target) : target

const instant = ({ at }: At): string => at ?? clock.iso()

/** The crew is on its way. */
export const enRouteVisitTx = async (db: TenantDb, _who: Who, target: VisitTarget, options: At = {}): Promise<void> => {
  const visit = await lockedVisit(db, target)
  await writeVisit(db, visit, { status: stateAfter(visit, 'leave'), enRouteAt: instant(options) })
  await followRoute(db, visit)
  await emit(db, 'visit.left', { visitId: visit.id })
}

/** Work begins, or goes on after a pause. */
export const startVisitTx = async (
  db: TenantDb,
  _who: Who,
  target: VisitTarget,
  options: At & {
    /** The same start was kept on the closed visit before: what it counted there is not counted twice. */
    again?: boolean
  } = {},
): Promise<void> => {
  const visit = await lockedVisit(db, target)
  const status = stateAfter(visit, visit.status === 'paused' ? 'resume' : 'start')
  const at = instant(options)
  const kept = options.again && visit.startedAt !== null
  await writeVisit(db, visit, {
    status,
    startedAt: visit.startedAt ?? at,
    intervalStartedAt: at,
    ...(kept ? { workedSeconds: 0, finishedAt: null, finishedBy: null } : {}),
  })
  await followRoute(db, visit)
}

/** The crew leaves the mower standing; the clock on site stops. */
export const pauseVisitTx = async (db: TenantDb, _who: Who, target: VisitTarget, options: At = {}): Promise<void> => {
  const visit = await lockedVisit(db, target)
  const status = stateAfter(visit, 'pause')
  const workedSeconds = workedSecondsAt(visit, Date.parse(instant(options)))
  await writeVisit(db, visit, { status, workedSeconds, intervalStartedAt: null })
}

/** How many people work a crew's day: those clocked in at this moment, else those who belong to it, at least one. */
const peopleOn = async (db: TenantDb, visit: LockedVisit, at: string): Promise<number> => {
  const crewId = visit.publishedCrewId ?? visit.crewId
  const day = visit.publishedDay ?? visit.day
  if (!crewId || !day) return 1
  const { rows } = await sql<{ members: number; clocked: number }>`
    select (select count(*) from ${crewPresent(db, crewId, day)} p)::int as members,
      count(*) filter (where exists (
        select 1 from time_entries t
        where t.business_id = m.business_id and t.user_id = m.user_id and t.kind = 'work'
          and t.started_at <= ${at} and (t.ended_at is null or t.ended_at > ${at})))::int as clocked
    from crew_members m
    where m.business_id = ${db.businessId} and m.crew_id = ${crewId}
      and m.valid_from <= ${day} and (m.valid_to is null or m.valid_to >= ${day})`.execute(db)
  return Math.max(1, rows[0]?.clocked || rows[0]?.members || 1)
}

export type Finish = At & {
  /** Why a required item was not ticked. */
  without?: string | undefined

  note?: string
  people?: number
  /** How long the work took, from whoever knows it better than the clock on site. */
  minutes?: number
  /** When it began, from whoever knows it better than the phone. */
  startedAt?: string
}

const workedOf = (visit: LockedVisit, { minutes, startedAt }: Finish, at: string): number => {
  if (minutes !== undefined) return minutes * 60
  return startedAt
    ? Math.round((Date.parse(at) - Date.parse(startedAt)) / 1000)
    : workedSecondsAt(visit, Date.parse(at))
}

/** What a finished visit keeps of its work; one that was never started began when it ended. */
export const workOf = async (db: TenantDb, who: Who, visit: LockedVisit, input: Finish) => {
  const at = instant(input)
  return {
    startedAt: input.startedAt ?? visit.startedAt ?? at,
    intervalStartedAt: null,
    finishedAt: at,
    workedSeconds: workedOf(visit, input, at),
    people: input.people ?? (await peopleOn(db, visit, at)),
    finishedBy: userIdOf(who),
    note: withNote(visit.note, input.note),
  }
}

/** The work is done. */
export const finishVisitTx = async (
  db: TenantDb,
  who: Who,
  target: VisitTarget,
  input: Finish = {},
  change: { priceCents?: number; budgetMinutes?: number } = {},
): Promise<void> => {
  const visit = await lockedVisit(db, target)
  const status = stateAfter(visit, 'finish')
  const items = await checklistOf(db, visit.id)
  await writeVisit(db, visit, {
    ...change,
    status,
    ...(items.length > 0 ? { checklist: JSON.stringify(items) } : {}),
    untickedReason: input.without?.trim() ?? '',
    ...(await workOf(db, who, visit, input)),
  })
  await followRoute(db, visit)
}

/** Keeps the time of work on a visit that is closed by now, without opening it again: somebody looks at it. */
export const saveWorkTx = async (
  db: TenantDb,
  who: Who,
  target: VisitTarget,
  step: 'begin' | 'end',
  input: Finish,
): Promise<void> => {
  const visit = await lockedVisit(db, target)
  const at = instant(input)
  if (step === 'begin') {
    await writeVisit(db, visit, { startedAt: visit.startedAt ?? at, intervalStartedAt: at })
    return
  }
  const work = await workOf(
    db,
    who,
    { ...visit, status: visit.intervalStartedAt ? 'in_progress' : visit.status },
    input,
  )
  await writeVisit(db, visit, work)
}

type Tap = { type: string; at: string }
const begins = ({ type }: Tap): boolean => type === 'start' || type === 'resume'

/** Clock seconds of the spells that Start and Resume began, up to the end. */
const secondsOf = (taps: readonly Tap[], end: string): number => {
  let since: number | null = null
  let seconds = 0
  for (const tap of [...taps, { type: 'finish', at: end }]) {
    const at = Date.parse(tap.at)
    if (begins(tap)) since ??= at
    else if (since !== null) {
      seconds += Math.max(0, Math.round((at - since) / 1000))
      since = null
    }
  }
  return seconds
}

/**
 * The crew's phone comes late with a finish that the office has put down meanwhile: what the phones of the crew measured counts, not what the
 * office took it for. Does nothing when none of them had pressed Start, somebody changed the visit after the office, or it was billed. Answers
 * whether it did.
 */
export const takeCrewTimesTx = async (
  db: TenantDb,
  who: Who,
  target: VisitTarget,
  { at, note }: { at: string; note?: string | undefined },
): Promise<boolean> => {
  const visit = await lockedVisit(db, target)
  const userId = userIdOf(who)
  if (visit.status !== 'completed' || visit.invoiceId || !userId || !(await officeFinished(db, visit))) return false
  const taps = await db
    .selectFrom('crewCommands')
    .select(['type', 'happenedAt as at'])
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visit.id)
    .where('type', 'in', ['start', 'pause', 'resume', 'skip'])
    .where('result', '=', 'applied')
    .where('happenedAt', '<=', at)
    .orderBy('happenedAt')
    .execute()
  const first = taps.find(begins)
  // A finish alone says when the work ended, not how long it took: the office knows more.
  if (!first) return false
  await writeVisit(db, visit, {
    startedAt: first.at,
    finishedAt: at,
    workedSeconds: secondsOf(taps, at),
    people: await peopleOn(db, visit, at),
    finishedBy: userId,
    note: withNote(visit.note, note),
  })
  await audit(db, who, 'visit.crewTimes', entity(visit.id), { before: { finishedAt: visit.finishedAt } })
  return true
}

/** Whether the office finished the visit and nothing else happened to it since. */
const officeFinished = async (db: TenantDb, visit: LockedVisit): Promise<boolean> => {
  const { rows } = await sql<{ action: string; version: number | null }>`
    select action, (after->>'version')::int as version from audit_log
    where business_id = ${db.businessId} and entity_type = 'visit' and entity_id = ${visit.id}
    order by at desc, id desc limit 1`.execute(db)
  return rows[0]?.action === 'visit.finish' && rows[0].version === visit.version
}

export type Skip = At & {
  reason: string
  note?: string | undefined
  /** Charge what the rule of the reason says. */
  charge?: boolean
}

/** The crew could not or should not work here today. What it worked before it broke off stays on the visit. */
export const skipVisitTx = async (db: TenantDb, who: Who, target: VisitTarget, input: Skip): Promise<void> => {
  const visit = await lockedVisit(db, target)
  const status = stateAfter(visit, 'skip')
  const at = instant(input)
  const rule = input.charge ? (await getSkipRules(db)).find((one) => one.code === input.reason) : undefined
  const chargeCents = rule && skipChargeOf(rule, { ...visit, workCents: await workCentsOf(db, visit.id) })
  await writeVisit(db, visit, {
    status,
    ...(chargeCents ? { skipChargeCents: chargeCents, priceCents: chargeCents } : {}),
    workedSeconds: workedSecondsAt(visit, Date.parse(at)),
    intervalStartedAt: null,
    skipReason: input.reason,
    skipNote: input.note ?? '',
    finishedAt: at,
    finishedBy: userIdOf(who),
  })
  await followRoute(db, visit)
}

/** Takes a skip back: a thumb slipped, or the customer came home. */
export const unskipVisitTx = async (db: TenantDb, _who: Who, target: VisitTarget): Promise<void> => {
  const visit = await lockedVisit(db, target)
  const status = stateAfter(visit, 'unskip')
  refuse(unskipRefusal(visit))
  await writeVisit(db, visit, {
    status,
    skipReason: null,
    skipNote: '',
    finishedAt: null,
    finishedBy: null,
    ...(await uncharged(db, visit)),
  })
  await followRoute(db, visit)
}

const withNote = (before: string, note: string | undefined): string =>
  note?.trim() ? [before, note.trim()].filter(Boolean).join('\n').slice(0, 4000) : before

/** What a phone says of a visit: a line more to the office, and the parts that others read as they shall stand. */
export type Words = { note?: string | undefined; changes?: { [field in NoteField]?: NoteChange | undefined } }

/** Adds a line to what the crew says to the office, never replacing what is there; the other parts become what was typed over what stood there. */
export const noteVisitTx = async (db: TenantDb, _who: Who, target: VisitTarget, words: Words): Promise<void> => {
  const visit = await lockedVisit(db, target)
  await writeVisit(db, visit, {
    note: withNote(visit.note, words.note),
    ...Object.fromEntries(
      noteFields.flatMap((field) => {
        const change = words.changes?.[field]
        return change ? [[field, changedNote(visit[field], change)]] : []
      }),
    ),
  })
}

/**
 * Ticks an item of the checklist or takes the tick back. With the first tick the items stay what they are, whatever becomes of the services;
 * without any they are those of the services again.
 */
export const checkVisitTx = async (db: TenantDb, target: VisitTarget, item: string, done: boolean): Promise<void> => {
  const visit = await lockedVisit(db, target)
  const items = await checklistOf(db, visit.id)
  // A phone may know an item that is not on the list any more: what was ticked is kept.
  const own = items.some((one) => one.text === item) ? items : [...items, { text: item, required: false }]
  await sql`update visits set checked = case when ${done} then array_append(array_remove(checked, ${item}), ${item}) else array_remove(checked, ${item}) end
    where business_id = ${db.businessId} and id = ${visit.id}`.execute(db)
  const ticked = await db
    .selectFrom('visits')
    .select('checked')
    .where('businessId', '=', db.businessId)
    .where('id', '=', visit.id)
    .executeTakeFirstOrThrow()
  await writeVisit(db, visit, { checklist: ticked.checked.length > 0 ? JSON.stringify(own) : null })
}
