import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { type EntryFlag, type EntryKind, forgottenAfterHours, freeParts } from '../rules.ts'
import { isLocked, LockedWeek, noteChangeTx, requireOpenWeekTx, weekAt } from '../sheets/server/keep.ts'

/** Time that arrives after something later has: where it was said, without what others cover, marked for the office. */

export type LateEvent = {
  userId: string
  at: string
  timeZone: string
  skewSeconds: number
  crewId: string | null
  commandId: string | null
  by?: string
}

const spells = (db: TenantDb, userId: string) =>
  db
    .selectFrom('timeEntries')
    .select(['id', 'userId', 'kind', 'startedAt', 'endedAt', 'crewId', 'flagged', 'source'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)

/** The last spell that began by an instant; one that waits for its end before others of that moment. */
export const spellBefore = async (db: TenantDb, userId: string, at: string) =>
  (await spells(db, userId)
    .where('startedAt', '<=', at)
    .orderBy('startedAt', 'desc')
    .orderBy(sql`coalesce(flagged = 'late_open', false)`, 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()) ?? null

export type Spell = NonNullable<Awaited<ReturnType<typeof spellBefore>>>

/** The first spell that began after an instant. */
export const spellAfter = async (db: TenantDb, userId: string, at: string): Promise<Spell | null> =>
  (await spells(db, userId).where('startedAt', '>', at).orderBy('startedAt').orderBy('id').executeTakeFirst()) ?? null

export const isUnended = (spell: Pick<Spell, 'flagged'>): boolean => spell.flagged === 'late_open'

/** Nobody said when it ended: a later word takes the place of the guess. */
export const isGuessed = (spell: Pick<Spell, 'flagged'>): boolean => spell.flagged === 'forgotten'

/** What came in late and waits for an end that `at` can be. */
export const findUnended = async (db: TenantDb, userId: string, at: string): Promise<Spell | null> => {
  const from = new Date(Date.parse(at) - forgottenAfterHours * 3600_000).toISOString()
  const query = spells(db, userId).where('flagged', '=', 'late_open').where('startedAt', '<=', at)
  return (await query.where('startedAt', '>=', from).orderBy('startedAt', 'desc').executeTakeFirst()) ?? null
}

type New = Pick<Spell, 'kind' | 'startedAt' | 'endedAt' | 'crewId'> & { flagged: EntryFlag | null }

export const insertSpell = async (db: TenantDb, event: LateEvent, spell: New): Promise<string> => {
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('timeEntries')
    .values({
      businessId: db.businessId,
      id,
      userId: event.userId,
      ...spell,
      skewSeconds: event.skewSeconds,
      commandId: event.commandId,
      note: event.by ?? '',
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await publishChange(db, 'timeclock', [event.userId])
  return id
}

export const changeSpell = async (
  db: TenantDb,
  { id, userId }: Pick<Spell, 'id' | 'userId'>,
  set: Partial<Pick<Spell, 'kind' | 'startedAt' | 'endedAt'>> & { flagged: EntryFlag | null },
): Promise<void> => {
  await db
    .updateTable('timeEntries')
    .set({ ...set, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  await publishChange(db, 'timeclock', [userId])
}

/** A beginning that waits for its end. @returns its id @throws LockedWeek */
export const beginLateTx = async (
  db: TenantDb,
  event: LateEvent,
  kind: EntryKind,
  crewId = event.crewId,
): Promise<string> => {
  await requireOpenWeekTx(db, event.userId, event.at, event.timeZone)
  return insertSpell(db, event, { kind, startedAt: event.at, endedAt: event.at, crewId, flagged: 'late_open' })
}

/** Everything of a person that may cover a span, beside one spell. What still runs covers up to now. */
const takenBy = async (db: TenantDb, spell: Spell, until: string): Promise<[number, number][]> => {
  const others = spells(db, spell.userId).where('id', '!=', spell.id).where('startedAt', '<', until)
  // Nobody's spell is longer: the task that ends a forgotten one sees to it. What runs has an index of its own.
  const from = new Date(Date.parse(spell.startedAt) - 2 * forgottenAfterHours * 3600_000).toISOString()
  const rows = await others
    .where('startedAt', '>=', from)
    .where('endedAt', '>', spell.startedAt)
    .unionAll(others.where('endedAt', 'is', null))
    .execute()
  return rows.map((row) => {
    const from = Date.parse(row.startedAt)
    return [
      from,
      row.endedAt ? Date.parse(row.endedAt) : Math.min(clock.nowMs(), from + forgottenAfterHours * 3600_000),
    ]
  })
}

/**
 * Gives what waited for its end its end: the parts of the span that nothing else covers. As it was said it stands in the trail of the week.
 * @throws LockedWeek when the week of a part is
 */
export const endLateTx = async (
  db: TenantDb,
  spell: Spell,
  { at, event, flagged = 'late' }: { at: string; event: LateEvent; flagged?: EntryFlag },
): Promise<void> => {
  const span = [Date.parse(spell.startedAt), Date.parse(at)] as const
  const parts = freeParts(span, await takenBy(db, spell, at)).map(
    ([from, to]) => [new Date(from).toISOString(), new Date(to).toISOString()] as const,
  )
  const { timeZone, userId } = event
  const weekOf = (instant: string) => weekAt(instant, timeZone)
  const starts = new Map([spell.startedAt, ...parts.map(([from]) => from)].map((from) => [weekOf(from), from]))
  for (const week of starts.keys()) if (await isLocked(db, week)) throw new LockedWeek(week)
  for (const from of starts.values()) await requireOpenWeekTx(db, userId, from, timeZone)
  const [first, ...others] = parts
  if (first) await changeSpell(db, spell, { startedAt: first[0], endedAt: first[1], flagged })
  else await db.deleteFrom('timeEntries').where('businessId', '=', db.businessId).where('id', '=', spell.id).execute()
  for (const [startedAt, endedAt] of others)
    await insertSpell(db, event, { kind: spell.kind, crewId: spell.crewId, startedAt, endedAt, flagged })
  await noteLateTx(db, event, { kind: spell.kind, startedAt: spell.startedAt, endedAt: at })
}

/** What a phone said late, in the trail of its week. */
export const noteLateTx = (
  db: TenantDb,
  { userId, timeZone, by }: LateEvent,
  after: { kind: EntryKind; startedAt: string; endedAt: string | null },
): Promise<void> =>
  noteChangeTx(db, {
    userId,
    week: weekAt(after.startedAt, timeZone),
    action: 'late',
    by: by ? null : userId,
    ...(by ? { reason: by } : {}),
    after,
  })

/** A word that came late gives a spell that ended by a guess its end. @throws LockedWeek */
export const endGuessedTx = async (
  db: TenantDb,
  spell: Spell,
  { at, event, flagged = 'late' }: { at: string; event: LateEvent; flagged?: EntryFlag },
): Promise<void> => {
  await requireOpenWeekTx(db, event.userId, spell.startedAt, event.timeZone)
  await changeSpell(db, spell, { endedAt: at, flagged })
  await noteLateTx(db, event, { kind: spell.kind, startedAt: spell.startedAt, endedAt: at })
}

/**
 * From an instant on a spell that is over was something else. What the office typed stays; the trail says it. Up to an end that was guessed the rest
 * goes on as guessed: no second of it is lost, and the office looks at it.
 * @throws LockedWeek
 */
export const splitLateTx = async (
  db: TenantDb,
  spell: Spell,
  { kind, crewId, event }: { kind: EntryKind; crewId: string | null; event: LateEvent },
): Promise<void> => {
  const { at, userId, timeZone } = event
  await requireOpenWeekTx(db, userId, spell.startedAt, timeZone)
  if (weekAt(at, timeZone) !== weekAt(spell.startedAt, timeZone)) await requireOpenWeekTx(db, userId, at, timeZone)
  const [first, rest]: (EntryFlag | null)[] = isGuessed(spell)
    ? ['late', 'forgotten']
    : [spell.flagged as EntryFlag | null, 'late']
  if (spell.source === 'clock') {
    if (Date.parse(spell.startedAt) === Date.parse(at)) await changeSpell(db, spell, { kind, flagged: rest ?? null })
    else {
      await changeSpell(db, spell, { endedAt: at, flagged: first ?? null })
      await insertSpell(db, event, { kind, startedAt: at, endedAt: spell.endedAt, crewId, flagged: rest ?? null })
    }
  }
  await noteLateTx(db, event, { kind, startedAt: at, endedAt: spell.source === 'clock' ? spell.endedAt : null })
}
