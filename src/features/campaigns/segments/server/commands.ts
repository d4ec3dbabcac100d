import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import type { Segment, segmentsApi } from '../contract.ts'
import { mostSegments } from '../rules.ts'
import { getSegment, listSegments, requireMoneyFor } from './queries.ts'

/** Names tell audiences apart in the list; one at a time, so that two of one name are never made at once. */
const checkRoom = async (db: TenantDb, name: string, except: string | null): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`segments:${db.businessId}`}, 0))`.execute(db)
  const others = (await listSegments(db)).filter(({ id }) => id !== except)
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw invalid([{ path: 'name', message: 'Another audience has this name. Give this one another.' }])
  if (others.length >= mostSegments)
    throw conflict(`There are ${mostSegments} audiences already. Archive one first. Nothing was saved.`)
}

const tell = async (db: TenantDb, actor: Actor, id: string, after: Record<string, unknown>): Promise<void> => {
  await audit(db, actor, 'segment.change', { type: 'segment', id }, { after })
  await publishChange(db, 'campaigns')
}

export const createSegment = (
  actor: Actor,
  { name, conditions }: z.output<typeof segmentsApi.create.body>,
): Promise<Segment> =>
  withTenant(actor, async (db) => {
    requireMoneyFor(actor, conditions)
    await checkRoom(db, name, null)
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('segments')
      .values({
        businessId: db.businessId,
        id,
        name,
        conditions: JSON.stringify(conditions),
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await tell(db, actor, id, { name, conditions })
    return getSegment(db, id)
  })

const lock = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('segments')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('audience')
  return row
}

/** @throws not_found, version_conflict, state_conflict */
export const updateSegment = (
  actor: Actor,
  id: string,
  { version, name, conditions }: z.output<typeof segmentsApi.update.body>,
): Promise<Segment> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, id)
    requireVersion(row, version, 'this audience')
    if (row.archivedAt) throw conflict('This audience was archived meanwhile. Nothing was saved.')
    if (conditions) requireMoneyFor(actor, conditions)
    if (name !== undefined) await checkRoom(db, name, id)
    await db
      .updateTable('segments')
      .set({
        ...(name === undefined ? {} : { name }),
        ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
        version: row.version + 1,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await tell(db, actor, id, { name, conditions })
    return getSegment(db, id)
  })

/** Again is the same. @throws not_found */
export const archiveSegment = (actor: Actor, id: string): Promise<{ items: Segment[] }> =>
  withTenant(actor, async (db) => {
    const row = await lock(db, id)
    if (!row.archivedAt) {
      await db
        .updateTable('segments')
        .set({ archivedAt: clock.iso(), version: row.version + 1, updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .execute()
      await tell(db, actor, id, { archived: true })
    }
    return { items: await listSegments(db) }
  })
