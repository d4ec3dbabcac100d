import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { type EntryKind, skewLimitSeconds } from '../rules.ts'
import { openWeekTx } from '../sheets/server/keep.ts'
import { findOpenEntry, isForgotten, type OpenEntry, suggestedEnd } from './queries.ts'

/** What a phone said of its clock; `at` is already put right, `skewSeconds` is how far the phone was off. */
export type ClockEvent = {
  userId: string
  at: string
  timeZone: string
  skewSeconds: number
  crewId: string | null
  commandId: string | null
  /** The crew leader who did it for this person, by name. */
  by?: string
}

/** `already`: the clock stood so before, nothing was changed. `locked`: payroll has been run for the week. */
export type ClockOutcome =
  | { outcome: 'applied' | 'already'; entryId: string }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'locked' }

const later = (a: string, b: string): string => (Date.parse(a) >= Date.parse(b) ? a : b)

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
    .set({ endedAt: later(at, entry.startedAt), updatedAt: clock.iso(), ...(flagged ? { flagged } : {}) })
    .where('businessId', '=', db.businessId)
    .where('id', '=', entry.id)
    .where('endedAt', 'is', null)
    .execute()
  await publishChange(db, 'timeclock', [entry.id])
}

const openEntry = async (db: TenantDb, event: ClockEvent, kind: EntryKind): Promise<ClockOutcome> => {
  const last = await db
    .selectFrom('timeEntries')
    .select((eb) => eb.fn.max('endedAt').as('endedAt'))
    .where('businessId', '=', db.businessId)
    .where('userId', '=', event.userId)
    .executeTakeFirst()
  // Two entries of one person never overlap, whatever order the phone's clock tells.
  const startedAt = last?.endedAt ? later(event.at, last.endedAt) : event.at
  if (!(await openWeekTx(db, event.userId, startedAt, event.timeZone))) return { outcome: 'locked' }
  const id = newId()
  const skewed = Math.abs(event.skewSeconds) > skewLimitSeconds
  await db
    .insertInto('timeEntries')
    .values({
      businessId: db.businessId,
      id,
      userId: event.userId,
      crewId: event.crewId,
      kind,
      startedAt,
      skewSeconds: event.skewSeconds,
      flagged: skewed ? 'skew' : null,
      commandId: event.commandId,
      note: event.by ?? '',
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
    })
    .execute()
  await publishChange(db, 'timeclock', [id])
  if (skewed) await emit(db, 'clock.skewed', { userId: event.userId, entryId: id, skewSeconds: event.skewSeconds })
  return { outcome: 'applied', entryId: id }
}

/** Work begins. Yesterday's entry that nobody ended is ended where it probably did, and flagged. */
export const clockInTx = async (db: TenantDb, event: ClockEvent): Promise<ClockOutcome> => {
  const open = await findOpenEntry(db, event.userId)
  if (open && !isForgotten(open, Date.parse(event.at))) return { outcome: 'already', entryId: open.id }
  if (open) await closeEntry(db, open, await suggestedEnd(db, open, event.timeZone), { ...event, flagged: 'forgotten' })
  return openEntry(db, event, 'work')
}

/**
 * Work ends.
 * @param endedAt when somebody says afterwards when it really ended; flagged for the office
 */
export const clockOutTx = async (db: TenantDb, event: ClockEvent, endedAt?: string): Promise<ClockOutcome> => {
  const open = await findOpenEntry(db, event.userId)
  if (!open) return { outcome: 'refused', reason: 'You were not clocked in.' }
  const skewed = Math.abs(event.skewSeconds) > skewLimitSeconds
  const earlier = endedAt && Date.parse(endedAt) < Date.parse(event.at) ? endedAt : null
  await closeEntry(db, open, earlier ?? event.at, {
    ...event,
    flagged: earlier ? 'adjusted' : skewed ? 'skew' : undefined,
  })
  if (skewed) await emit(db, 'clock.skewed', { userId: event.userId, entryId: open.id, skewSeconds: event.skewSeconds })
  return { outcome: 'applied', entryId: open.id }
}

/** From work into a break. */
export const breakStartTx = async (db: TenantDb, event: ClockEvent): Promise<ClockOutcome> => {
  const open = await findOpenEntry(db, event.userId)
  if (!open) return { outcome: 'refused', reason: 'Clock in before you take a break.' }
  if (open.kind === 'break') return { outcome: 'already', entryId: open.id }
  await closeEntry(db, open, event.at, event)
  return openEntry(db, { ...event, crewId: open.crewId }, 'break')
}

/** Back from a break. */
export const breakEndTx = async (db: TenantDb, event: ClockEvent): Promise<ClockOutcome> => {
  const open = await findOpenEntry(db, event.userId)
  if (!open) return { outcome: 'refused', reason: 'You were not on a break.' }
  if (open.kind !== 'break') return { outcome: 'already', entryId: open.id }
  await closeEntry(db, open, event.at, event)
  return openEntry(db, { ...event, crewId: open.crewId }, 'work')
}

/** From one kind of work to another: to the stops, in the shop, waiting out the rain. */
export const switchWorkTx = async (
  db: TenantDb,
  event: ClockEvent,
  kind: Exclude<EntryKind, 'break'>,
): Promise<ClockOutcome> => {
  const open = await findOpenEntry(db, event.userId)
  if (!open) return { outcome: 'refused', reason: 'You were not clocked in.' }
  if (open.kind === kind) return { outcome: 'already', entryId: open.id }
  await closeEntry(db, open, event.at, event)
  return openEntry(db, { ...event, crewId: open.crewId }, kind)
}

/** Ends what has been open for longer than anybody works; the office sees the flag, the person can say when it really ended. */
export const closeForgottenTx = async (db: TenantDb, timeZone: string): Promise<number> => {
  const rows = await db
    .selectFrom('timeEntries')
    .select(['id', 'userId', 'kind', 'startedAt', 'crewId'])
    .where('businessId', '=', db.businessId)
    .where('endedAt', 'is', null)
    .forUpdate()
    .execute()
  const forgotten = rows.filter((row) => isForgotten(row, clock.nowMs()))
  for (const entry of forgotten)
    await closeEntry(db, entry, await suggestedEnd(db, entry, timeZone), { timeZone, flagged: 'forgotten' })
  return forgotten.length
}
