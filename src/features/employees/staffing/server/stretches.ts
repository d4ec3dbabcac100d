import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { type Stretch, sameStretches } from '../rules.ts'

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

/** Holds a person, so that two who change the same one wait for each other. @throws AppError not_found */
export const holdPerson = async (db: TenantDb, userId: string): Promise<void> => {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .where('archivedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('person')
}

const read = async (db: TenantDb, userId: string) => {
  await holdPerson(db, userId)
  return stretchesOf(db, userId)
}

export type StretchesChange = { id: string | null; before: Stretch[]; after: Stretch[] }

/**
 * Changes when a person is on which crew.
 * @returns the change with its id for Undo; null when nothing was to be changed
 * @throws AppError not_found
 */
export const changeStretchesTx = async (
  db: TenantDb,
  actor: Actor,
  userId: string,
  change: (all: Stretch[]) => Stretch[],
): Promise<StretchesChange> => {
  const rows = await read(db, userId)
  const before = rows.map(bare)
  const after = change(before)
  if (sameStretches(before, after)) return { id: null, before, after }
  await write(db, userId, rows, after)
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
  return { id, before, after }
}

/** Puts back what a change found. A second time it says the same. @throws AppError not_found, 409 once the person was put elsewhere since */
export const undoStretchesTx = async (db: TenantDb, userId: string, changeId: string): Promise<Stretch[]> => {
  const rows = await read(db, userId)
  const change = await db
    .selectFrom('crewChanges')
    .select(['before', 'after', 'undoneAt'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('id', '=', changeId)
    .executeTakeFirst()
  if (!change) throw notFound('change')
  const [before, after] = [change.before as Stretch[], change.after as Stretch[]]
  if (change.undoneAt !== null) return rows.map(bare)
  if (!sameStretches(rows.map(bare), after))
    throw conflict('Somebody changed the crews of this person since. Nothing was changed; look at them again.')
  await write(db, userId, rows, before)
  await db
    .updateTable('crewChanges')
    .set({ undoneAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', changeId)
    .execute()
  return before
}

/** When a person is and was on which crew, by day. */
export const listStretches = async (db: TenantDb, userId: string): Promise<Stretch[]> =>
  (await stretchesOf(db, userId)).map(bare)
