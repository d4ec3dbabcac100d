import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { skewLimitSeconds } from '../rules.ts'
import { findOpenEntry, isForgotten, type OpenEntry, suggestedEnd } from './queries.ts'

/** What a phone said of its clock; `at` is already put right, `skewSeconds` is how far the phone was off. */
export type ClockEvent = {
  userId: string
  at: string
  timeZone: string
  skewSeconds: number
  crewId: string | null
  commandId: string | null
}

/** `already`: the clock stood so before, nothing was changed. */
export type ClockOutcome = { outcome: 'applied' | 'already'; entryId: string } | { outcome: 'refused'; reason: string }

const later = (a: string, b: string): string => (Date.parse(a) >= Date.parse(b) ? a : b)

const closeEntry = async (db: TenantDb, entry: OpenEntry, at: string, flagged?: string): Promise<void> => {
  await db
    .updateTable('timeEntries')
    .set({ endedAt: later(at, entry.startedAt), updatedAt: clock.iso(), ...(flagged ? { flagged } : {}) })
    .where('businessId', '=', db.businessId)
    .where('id', '=', entry.id)
    .where('endedAt', 'is', null)
    .execute()
  await publishChange(db, 'timeclock', [entry.id])
}

const openEntry = async (db: TenantDb, event: ClockEvent, kind: 'work' | 'break'): Promise<string> => {
  const last = await db
    .selectFrom('timeEntries')
    .select((eb) => eb.fn.max('endedAt').as('endedAt'))
    .where('businessId', '=', db.businessId)
    .where('userId', '=', event.userId)
    .executeTakeFirst()
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
      // Two entries of one person never overlap, whatever order the phone's clock tells.
      startedAt: last?.endedAt ? later(event.at, last.endedAt) : event.at,
      skewSeconds: event.skewSeconds,
      flagged: skewed ? 'skew' : null,
      commandId: event.commandId,
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
    })
    .execute()
  await publishChange(db, 'timeclock', [id])
  if (skewed) await emit(db, 'clock.skewed', { userId: event.userId, entryId: id, skewSeconds: event.skewSeconds })
  return id
}

/** Work begins. Yesterday's entry that nobody ended is ended where it probably did, and flagged. */
export const clockInTx = async (db: TenantDb, event: ClockEvent): Promise<ClockOutcome> => {
  const open = await findOpenEntry(db, event.userId)
  if (open && !isForgotten(open, Date.parse(event.at))) return { outcome: 'already', entryId: open.id }
  if (open) await closeEntry(db, open, await suggestedEnd(db, open, event.timeZone), 'forgotten')
  return { outcome: 'applied', entryId: await openEntry(db, event, 'work') }
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
  await closeEntry(db, open, earlier ?? event.at, earlier ? 'adjusted' : skewed ? 'skew' : undefined)
  if (skewed) await emit(db, 'clock.skewed', { userId: event.userId, entryId: open.id, skewSeconds: event.skewSeconds })
  return { outcome: 'applied', entryId: open.id }
}

/** From work into a break. */
export const breakStartTx = async (db: TenantDb, event: ClockEvent): Promise<ClockOutcome> => {
  const open = await findOpenEntry(db, event.userId)
  if (!open) return { outcome: 'refused', reason: 'Clock in before you take a break.' }
  if (open.kind === 'break') return { outcome: 'already', entryId: open.id }
  await closeEntry(db, open, event.at)
  return { outcome: 'applied', entryId: await openEntry(db, { ...event, crewId: open.crewId }, 'break') }
}

/** Back from a break. */
export const breakEndTx = async (db: TenantDb, event: ClockEvent): Promise<ClockOutcome> => {
  const open = await findOpenEntry(db, event.userId)
  if (!open) return { outcome: 'refused', reason: 'You were not on a break.' }
  if (open.kind === 'work') return { outcome: 'already', entryId: open.id }
  await closeEntry(db, open, event.at)
  return { outcome: 'applied', entryId: await openEntry(db, { ...event, crewId: open.crewId }, 'work') }
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
  for (const entry of forgotten) await closeEntry(db, entry, await suggestedEnd(db, entry, timeZone), 'forgotten')
  return forgotten.length
}
