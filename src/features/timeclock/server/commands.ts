import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { addDays, type Day, dayOf, instantAt } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'
import { pushTx } from '../../push/server/commands.ts'
import { type EntryKind, isOnePair, skewLimitSeconds } from '../rules.ts'
import { isLocked, LockedWeek, openWeekTx, requireOpenWeekTx, weekAt } from '../sheets/server/keep.ts'
import { type ClockTap, decideHeldTx, findHeld, findHeldWeek, holdTimeTx, listHeld } from './held.ts'
import {
  beginLateTx,
  changeSpell,
  endGuessedTx,
  endLateTx,
  findUnended,
  insertSpell,
  isGuessed,
  isUnended,
  type LateEvent,
  noteLateTx,
  type Spell,
  spellAfter,
  spellBefore,
  splitLateTx,
} from './late.ts'
import { findOpenEntry, isForgotten, type OpenEntry, suggestedEnd } from './queries.ts'

/**
 * What a phone said of its clock; `at` is already put right, `skewSeconds` is how far the phone was off. `by` is the crew leader who did it for
 * this person, by name.
 */
export type ClockEvent = LateEvent & {
  /** The crews that the person is on that day. */
  crewIds: readonly string[]
}

/** `already`: the clock stood so before, nothing was changed. `locked`: payroll has been run for the week that it would change. */
export type ClockOutcome =
  | { outcome: 'applied' | 'already'; entryId: string }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'locked'; week: Day }

/** One change of a person's time after the other: the second finds what the first did. Before the week and its row, always. */
export const holdClockTx = async (db: TenantDb, userId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`crew:${db.businessId}:${userId}`}, 0))`.execute(db)
}

const applied = (entryId: string): ClockOutcome => ({ outcome: 'applied', entryId })
const already = (entryId: string): ClockOutcome => ({ outcome: 'already', entryId })

const isBy = (startedAt: string, at: string): boolean => Date.parse(startedAt) <= Date.parse(at)
const isSkewed = (event: ClockEvent): boolean => Math.abs(event.skewSeconds) > skewLimitSeconds
/** Two phones never show the same second. */
const isSameTap = (earlier: string, later: string): boolean =>
  Date.parse(later) - Date.parse(earlier) <= skewLimitSeconds * 1000

/** The crew of what goes on: the same, unless the office has put the person elsewhere meanwhile. */
const crewOf = ({ crewId }: Pick<OpenEntry, 'crewId'>, event: ClockEvent): string | null =>
  crewId && event.crewIds.includes(crewId) ? crewId : event.crewId

/**
 * Nothing is there that the event could belong to. In a locked week, or where its beginning waits beside one, that is for a person to look at.
 * @throws LockedWeek
 */
const nothingFor = async (db: TenantDb, event: ClockEvent, at: string, reason: string): Promise<ClockOutcome> => {
  const begun = await findHeldWeek(db, event.userId, at)
  const week = begun ?? weekAt(at, event.timeZone)
  if (begun || (await isLocked(db, week))) throw new LockedWeek(week)
  return { outcome: 'refused', reason }
}

const closeEntry = async (
  db: TenantDb,
  entry: OpenEntry,
  at: string,
  { timeZone, flagged }: { timeZone: string; flagged?: string | undefined },
): Promise<void> => {
  // A week is not locked while somebody is on the clock in it.
  await openWeekTx(db, entry.userId, entry.startedAt, timeZone)
  await db
    .updateTable('timeEntries')
    .set({ endedAt: at, updatedAt: clock.iso(), ...(flagged ? { flagged } : {}) })
    .where('businessId', '=', db.businessId)
    .where('id', '=', entry.id)
    .where('endedAt', 'is', null)
    .execute()
  await publishChange(db, 'timeclock', [entry.userId])
}

/** Ends what runs, and with it what came in late before and waited: there it goes up to what follows. */
const closeAt = async (
  db: TenantDb,
  entry: OpenEntry,
  { at, event, flagged }: { at: string; event: ClockEvent; flagged?: string | undefined },
): Promise<void> => {
  await closeEntry(db, entry, at, { timeZone: event.timeZone, flagged })
  const waiting = await findUnended(db, event.userId, at)
  const next = waiting && (await spellAfter(db, event.userId, waiting.startedAt))
  if (waiting && next) await endLateTx(db, waiting, { at: next.startedAt, event })
}

const openEntry = async (
  db: TenantDb,
  event: ClockEvent,
  kind: EntryKind,
  crewId = event.crewId,
): Promise<ClockOutcome> => {
  await requireOpenWeekTx(db, event.userId, event.at, event.timeZone)
  const skewed = isSkewed(event)
  const flagged = skewed ? 'skew' : null
  const id = await insertSpell(db, event, { kind, startedAt: event.at, endedAt: null, crewId, flagged })
  if (skewed) await emit(db, 'clock.skewed', { userId: event.userId, entryId: id, skewSeconds: event.skewSeconds })
  return applied(id)
}

const hasTimeOn = async (db: TenantDb, { userId, at, timeZone }: ClockEvent): Promise<Spell | null> => {
  const day = dayOf(at, timeZone)
  const first = await spellAfter(db, userId, new Date(Date.parse(instantAt(day, 0, timeZone)) - 1).toISOString())
  return first && dayOf(first.startedAt, timeZone) === day ? first : null
}

/** Work begins. Yesterday's entry that nobody ended is ended where it probably did, and flagged. */
const clockInTx = async (db: TenantDb, event: ClockEvent): Promise<ClockOutcome> => {
  const { userId, at } = event
  const open = await findOpenEntry(db, userId)
  if (open && isBy(open.startedAt, at)) {
    if (!isForgotten(open, Date.parse(at))) return already(open.id)
    await closeEntry(db, open, await suggestedEnd(db, open, event.timeZone), { ...event, flagged: 'forgotten' })
    return openEntry(db, event, 'work')
  }
  const [before, next] = [await spellBefore(db, userId, at), await spellAfter(db, userId, at)]
  if (before && isUnended(before) && isOnePair(before.startedAt, at)) return already(before.id)
  if (!next) {
    if (!before?.endedAt || isBy(before.endedAt, at)) return openEntry(db, event, 'work')
    if (isSameTap(at, before.endedAt)) return openEntry(db, { ...event, at: before.endedAt }, 'work')
  }
  // Something later is known. Who has time of their own that day is not put anywhere by a leader's late word.
  const own = event.by ? await hasTimeOn(db, event) : null
  if (own) return already(own.id)
  if (next && isSameTap(at, next.startedAt)) return already(next.id)
  return applied(await beginLateTx(db, event, 'work'))
}

/** Taps of a person's own phone after an instant and on its day, by which they were at work then: those of the next morning say nothing of it. */
const workedOn = async (db: TenantDb, userId: string, at: string, timeZone: string): Promise<boolean> => {
  const row = await db
    .selectFrom('crewCommands')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('type', 'in', ['start', 'pause', 'resume', 'finish', 'clock_in', 'break_start', 'break_end', 'switch'])
    .where('result', '=', 'applied')
    // what happened later came in later: the index goes by that
    .where('receivedAt', '>', at)
    .where('happenedAt', '>', new Date(Date.parse(at) + skewLimitSeconds * 1000).toISOString())
    .where('happenedAt', '<', instantAt(addDays(dayOf(at, timeZone), 1), 0, timeZone))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Work ends: what runs, or else, when this is older than what runs, what it belongs to. Never something that began later.
 * @param endedAt when somebody says afterwards when it really ended; flagged for the office
 */
const clockOutTx = async (db: TenantDb, event: ClockEvent, endedAt?: string): Promise<ClockOutcome> => {
  const { userId } = event
  const said = endedAt && Date.parse(endedAt) < Date.parse(event.at) ? new Date(endedAt).toISOString() : null
  const at = said ?? event.at
  const open = await findOpenEntry(db, userId)
  if (open && isBy(open.startedAt, at)) {
    // A leader's word that comes late takes nothing from who went on: it stands in the trail, and the sheet is marked.
    if (event.by && (await workedOn(db, userId, at, event.timeZone))) {
      await openWeekTx(db, userId, open.startedAt, event.timeZone)
      await changeSpell(db, open, { flagged: 'late' })
      await noteLateTx(db, event, { kind: open.kind, startedAt: open.startedAt, endedAt: at })
      return already(open.id)
    }
    const skewed = isSkewed(event)
    await closeAt(db, open, { at, event, flagged: said ? 'adjusted' : skewed ? 'skew' : undefined })
    if (skewed) await emit(db, 'clock.skewed', { userId, entryId: open.id, skewSeconds: event.skewSeconds })
    return applied(open.id)
  }
  const ending = { at, event, flagged: said ? 'adjusted' : 'late' } as const
  const before = await spellBefore(db, userId, at)
  if (before && isGuessed(before) && isOnePair(before.startedAt, at)) {
    await endGuessedTx(db, before, ending)
    return applied(before.id)
  }
  const waiting = await findUnended(db, userId, at)
  if (waiting) {
    await endLateTx(db, waiting, ending)
    return applied(waiting.id)
  }
  // Somebody else has ended it later than the person says: the office decides which of the two holds.
  if (before?.endedAt && !isBy(before.endedAt, at) && !event.by && before.source === 'clock') {
    if (isSameTap(at, before.endedAt)) return already(before.id)
    await requireOpenWeekTx(db, userId, before.startedAt, event.timeZone)
    await changeSpell(db, before, { flagged: 'late' })
    await noteLateTx(db, event, { kind: before.kind, startedAt: before.startedAt, endedAt: at })
    return already(before.id)
  }
  return nothingFor(db, event, at, 'You were not clocked in.')
}

/**
 * From one kind to another, where that is what was going on.
 * @param next what comes after a kind; null when it is so already
 */
const changeKindTx = async (
  db: TenantDb,
  event: ClockEvent,
  next: (kind: EntryKind) => EntryKind | null,
  refusal: string,
): Promise<ClockOutcome> => {
  const { userId, at } = event
  const open = await findOpenEntry(db, userId)
  if (open && isBy(open.startedAt, at)) {
    const kind = next(open.kind)
    if (!kind) return already(open.id)
    await closeAt(db, open, { at, event })
    return openEntry(db, event, kind, crewOf(open, event))
  }
  const before = await spellBefore(db, userId, at)
  const isPair = before !== null && isOnePair(before.startedAt, at)
  const covers = before?.endedAt && !isBy(before.endedAt, at) ? before : null
  const waits = before && isPair && (isUnended(before) || isGuessed(before)) ? before : null
  const spell = covers ?? waits ?? (await findUnended(db, userId, at))
  const kind = spell && next(spell.kind)
  if (!spell) return nothingFor(db, event, at, refusal)
  if (!kind) return already(spell.id)
  const crewId = crewOf(spell, event)
  if (spell === covers) {
    await splitLateTx(db, spell, { kind, crewId, event })
    return applied(spell.id)
  }
  if (isUnended(spell)) await endLateTx(db, spell, { at, event })
  else await endGuessedTx(db, spell, { at, event })
  return applied(await beginLateTx(db, event, kind, crewId))
}

const doTap = (
  db: TenantDb,
  { action, kind = 'work', endedAt }: ClockTap,
  event: ClockEvent,
): Promise<ClockOutcome> => {
  if (action === 'clock_in') return clockInTx(db, event)
  if (action === 'clock_out') return clockOutTx(db, event, endedAt)
  if (action === 'break_start')
    return changeKindTx(db, event, (one) => (one === 'break' ? null : 'break'), 'Clock in before you take a break.')
  if (action === 'break_end')
    return changeKindTx(db, event, (one) => (one === 'break' ? 'work' : null), 'You were not on a break.')
  return changeKindTx(db, event, (one) => (one === kind ? null : kind), 'You were not clocked in.')
}

/** A tap, whole or not at all: what it would change in a locked week takes back what it did before it came to that. */
const tryTap = async (db: TenantDb, tap: ClockTap, event: ClockEvent): Promise<ClockOutcome> => {
  await sql`savepoint clock_tap`.execute(db)
  try {
    const outcome = await doTap(db, tap, event)
    await sql`release savepoint clock_tap`.execute(db)
    return outcome
  } catch (error) {
    if (!(error instanceof LockedWeek)) throw error
    await sql`rollback to savepoint clock_tap`.execute(db)
    return { outcome: 'locked', week: error.week }
  }
}

/**
 * A tap on the clock: in, out, into a break and back, or from one kind of work to another. What comes into a locked week is kept beside it until
 * the office decides, and stays decided when the phone sends it again.
 */
export const clockTx = async (db: TenantDb, tap: ClockTap, event: ClockEvent): Promise<ClockOutcome> => {
  const before = await findHeld(db, event)
  if (before?.decision) return already(before.id)
  const outcome = await tryTap(db, tap, event)
  if (outcome.outcome === 'locked') await holdTimeTx(db, event, { ...tap, week: outcome.week })
  else if (before && outcome.outcome !== 'refused')
    await decideHeldTx(db, [before.id], { decision: 'counted', by: event.userId })
  return outcome
}

/**
 * Counts what was kept of a person's week, as it was said. What belongs to nothing, or to another week that is locked, goes on waiting.
 * @returns how many taps were counted
 */
export const countHeldTx = async (
  db: TenantDb,
  { userId, week, timeZone, by }: { userId: string; week: Day; timeZone: string; by: string },
): Promise<number> => {
  const counted: string[] = []
  for (const one of await listHeld(db, userId, week)) {
    const { id, action, kind, endedAt, saidBy, at, skewSeconds, crewId, commandId } = one
    const tap = { action, kind: kind ?? undefined, endedAt: endedAt ?? undefined }
    const crewIds = crewId ? [crewId] : []
    const event = { userId, at, timeZone, skewSeconds, crewId, commandId, crewIds, ...(saidBy ? { by: saidBy } : {}) }
    const outcome = await tryTap(db, tap, event)
    if (outcome.outcome === 'applied' || outcome.outcome === 'already') {
      counted.push(id)
      // What follows must not find its own beginning waiting.
      await decideHeldTx(db, [id], { decision: 'counted', by })
    } else if (outcome.outcome === 'locked' && outcome.week !== week)
      await holdTimeTx(db, event, { ...tap, week: outcome.week })
  }
  return counted.length
}

/** Ends what has been open for longer than anybody works; the office sees the flag, the person can say when it really ended. */
export const closeForgottenTx = async (db: TenantDb, userId: string, timeZone: string): Promise<void> => {
  await holdClockTx(db, userId)
  const open = await findOpenEntry(db, userId)
  if (!open || !isForgotten(open, clock.nowMs())) return
  await closeEntry(db, open, await suggestedEnd(db, open, timeZone), { timeZone, flagged: 'forgotten' })
  await pushTx(db, [
    { userId, key: `clock-out:${open.id}`, about: { code: 'clockOut' }, path: paths.employeeTimesheets },
  ])
}

/** Ends what runs of somebody who works here no more, at that moment: their phone cannot. The office sees the flag and puts it right. */
export const closeLeaverTx = async (
  db: TenantDb,
  { userId, at, timeZone }: { userId: string; at: string; timeZone: string },
): Promise<void> => {
  await holdClockTx(db, userId)
  const open = await findOpenEntry(db, userId)
  if (open && isBy(open.startedAt, at)) await closeEntry(db, open, at, { timeZone, flagged: 'forgotten' })
}
