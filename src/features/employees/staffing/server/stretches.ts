import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { emit } from '../../../../platform/events/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { covers, type Day, formatDay } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { common, differing, type Span, type Stretch, withDays, within } from '../rules.ts'

/** Memberships as they are written: always by person, with that person's row held, so that nobody is on two crews. */

const stretchesOf = async (db: TenantDb, userId: string): Promise<(Stretch & { id: string })[]> =>
  db
    .selectFrom('crewMembers')
    .select(['id', 'crewId', 'validFrom as from', 'validTo as to'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .orderBy('validFrom')
    .orderBy('id')
    .execute()

const bare = ({ crewId, from, to }: Stretch): Stretch => ({ crewId, from, to })

const write = async (
  db: TenantDb,
  userId: string,
  rows: readonly (Stretch & { id: string })[],
  after: readonly Stretch[],
): Promise<void> => {
  const left = [...after]
  for (const row of rows) {
    const at = left.findIndex((one) => one.crewId === row.crewId && one.from === row.from)
    if (at < 0) {
      await db.deleteFrom('crewMembers').where('businessId', '=', db.businessId).where('id', '=', row.id).execute()
      continue
    }
    const [same] = left.splice(at, 1)
    if (same && same.to !== row.to)
      await db
        .updateTable('crewMembers')
        .set({ validTo: same.to })
        .where('businessId', '=', db.businessId)
        .where('id', '=', row.id)
        .execute()
  }
  if (left.length > 0)
    await db
      .insertInto('crewMembers')
      .values(
        left.map(({ crewId, from, to }) => ({
          businessId: db.businessId,
          id: newId(),
          crewId,
          userId,
          validFrom: from,
          validTo: to,
          createdAt: clock.iso(),
        })),
      )
      .execute()
}

/**
 * Holds the crews of a business as they are. Crews are held before people, always: who changes or puts away a crew holds it and then its people, so
 * who changes a person's crews asks this first, and the two wait for each other.
 */
export const holdCrews = async (db: TenantDb): Promise<void> => {
  await db
    .selectFrom('crews')
    .select('id')
    .where('businessId', '=', db.businessId)
    .orderBy('id')
    .forKeyShare()
    .execute()
}

/** Holds a person, so that two who change the same one wait for each other. @throws AppError not_found */
export const holdPerson = async (db: TenantDb, userId: string): Promise<void> => {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .where('archivedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('person')
}

const read = async (db: TenantDb, userId: string) => {
  await holdPerson(db, userId)
  return stretchesOf(db, userId)
}

/**
 * What was stays as it was: who mowed on a day does not change afterwards, and a crew that was put away gets nobody.
 * @throws AppError state_conflict
 */
const refuseRewrite = async (db: TenantDb, { from }: Span, days: readonly Stretch[]): Promise<void> => {
  if (from < (await todayOf(db)))
    throw conflict(`${formatDay(from)} is over: who was on a crew that day stays as it was. Begin today or later.`)
  if (days.length === 0) return
  const gone = await db
    .selectFrom('crews')
    .select('name')
    .where('businessId', '=', db.businessId)
    .where(
      'id',
      'in',
      days.map((one) => one.crewId),
    )
    .where('archivedAt', 'is not', null)
    .executeTakeFirst()
  if (gone) throw conflict(`${gone.name} was put away. Nothing was changed; pick another crew.`)
}

/** Says which crews have other people on which days. */
const tellStaffed = (db: TenantDb, { from, to }: Span, ...lists: readonly (readonly Stretch[])[]): Promise<void> =>
  emit(db, 'crew.staffed', { from, to, crewIds: [...new Set(lists.flat().map((one) => one.crewId))] })

type Kept = { id: string; userId: string; before: Stretch[]; after: Stretch[] }

/** What was changed of the crews of people and not taken back, the newest first. */
export const listChanges = async (db: TenantDb, userIds: readonly string[]): Promise<Kept[]> =>
  userIds.length === 0
    ? []
    : ((await db
        .selectFrom('crewChanges')
        .select(['id', 'userId', 'before', 'after'])
        .where('businessId', '=', db.businessId)
        .where('undoneAt', 'is', null)
        .where('userId', 'in', [...userIds])
        .orderBy('id', 'desc')
        .execute()) as Kept[])

/** Whether a change put somebody on a crew for one day. */
export const isStandIn = ({ before, after }: Pick<Kept, 'before' | 'after'>, crewId: string, day: Day): boolean => {
  const span = differing(before, after)
  return span?.from === day && span.to === day && after.some((one) => one.crewId === crewId && covers(one, day))
}

/** The change that put a person on a crew for one day, as long as none came after it for that day. */
export const standInOf = (
  changes: readonly Kept[],
  { userId, crewId, day }: { userId: string; crewId: string; day: Day },
): string | null => {
  const newest = changes.find((one) => {
    const span = one.userId === userId ? differing(one.before, one.after) : null
    return span && covers(span, day)
  })
  return newest && isStandIn(newest, crewId, day) ? newest.id : null
}

/** What changed: the days it is about as they were and as they are. */
export type StretchesChange = { id: string | null; before: Stretch[]; after: Stretch[] }

/**
 * Changes when a person is on which crew.
 * @returns the change with its id for Undo; null when nothing was to be changed
 * @throws AppError not_found, 409 for days that are over
 */
export const changeStretchesTx = async (
  db: TenantDb,
  actor: Actor,
  userId: string,
  change: (all: Stretch[]) => Stretch[],
): Promise<StretchesChange> => {
  const rows = await read(db, userId)
  const all = rows.map(bare)
  const changed = change(all)
  const span = differing(all, changed)
  if (!span) return { id: null, before: [], after: [] }
  const [before, after] = [within(all, span), within(changed, span)]
  await refuseRewrite(db, span, after)
  await write(db, userId, rows, changed)
  const id = newId()
  await db
    .insertInto('crewChanges')
    .values({
      businessId: db.businessId,
      id,
      userId,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      madeBy: actor.userId,
      madeAt: clock.iso(),
    })
    .execute()
  await tellStaffed(db, span, before, after)
  return { id, before, after }
}

/**
 * Puts back what a change found on its days. A second time it says the same.
 * @param of the one crew and day that it has to be about
 * @throws AppError not_found, 409 once those days were changed since, are over, or the change is not of that crew and day
 */
export const undoStretchesTx = async (
  db: TenantDb,
  userId: string,
  changeId: string,
  of?: { crewId: string; day: Day },
): Promise<Stretch[]> => {
  const rows = await read(db, userId)
  const all = rows.map(bare)
  const change = await db
    .selectFrom('crewChanges')
    .select(['before', 'after', 'undoneAt'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('id', '=', changeId)
    .executeTakeFirst()
  if (!change) throw notFound('change')
  const { before, after } = { before: change.before as Stretch[], after: change.after as Stretch[] }
  const span = differing(before, after)
  if (of && !isStandIn({ before, after }, of.crewId, of.day))
    throw conflict(
      `This is more than one day on this crew. Nothing was changed; set the crew in the person’s panel instead.`,
    )
  if (change.undoneAt !== null || !span) return within(all, span ?? { from: await todayOf(db), to: null })
  const newer = (await listChanges(db, [userId])).filter((one) => one.id > changeId)
  const since = newer.some((one) => {
    const days = differing(one.before, one.after)
    return days && common(days, span)
  })
  if (since || differing(within(all, span), within(after, span)))
    throw conflict('Somebody changed the crews of this person since. Nothing was changed; look at them again.')
  const days = within(before, span)
  await refuseRewrite(db, span, days)
  await write(db, userId, rows, withDays(all, span, days))
  await db
    .updateTable('crewChanges')
    .set({ undoneAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', changeId)
    .execute()
  await tellStaffed(db, span, days, after)
  return days
}

/** When a person is and was on which crew, by day. */
export const listStretches = async (db: TenantDb, userId: string): Promise<Stretch[]> =>
  (await stretchesOf(db, userId)).map(bare)
