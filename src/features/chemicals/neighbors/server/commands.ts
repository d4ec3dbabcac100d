import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getTreatment } from '../../records/server/queries.ts'
import type { Neighbor, NeighborDraft } from '../contract.ts'
import { getNeighbor, mostNeighbors } from './queries.ts'

/** Somebody beside a property asked in writing. @throws AppError not_found, validation_failed */
export const addNeighbor = (
  actor: Actor,
  propertyId: string,
  draft: z.output<typeof NeighborDraft>,
): Promise<Neighbor> =>
  withTenant(actor, async (db) => {
    const property = await db
      .selectFrom('properties')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', '=', propertyId)
      .forUpdate()
      .executeTakeFirst()
    if (!property) throw notFound('property')
    if (draft.askedOn > (await todayOf(db))) throw invalid([{ path: 'askedOn', message: 'This day has not come yet.' }])
    const { n } = await db
      .selectFrom('chemicalNeighbors')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('businessId', '=', db.businessId)
      .where('propertyId', '=', propertyId)
      .where('removedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(n) >= mostNeighbors)
      throw conflict(`A property has ${mostNeighbors} neighbors at most. Nothing was added.`)
    const id = newId()
    await db
      .insertInto('chemicalNeighbors')
      .values({ businessId: db.businessId, id, propertyId, ...draft, createdAt: clock.iso(), updatedAt: clock.iso() })
      .execute()
    await audit(db, actor, 'neighbor.add', { type: 'neighbor', id }, { after: { propertyId, ...draft } })
    await publishChange(db, 'visits')
    return getNeighbor(db, id)
  })

/** Takes somebody off the list, or brings them back; what is so already stays. @throws AppError version_conflict */
export const keepNeighbor = (
  actor: Actor,
  id: string,
  { removed, version }: { removed: boolean; version: number },
): Promise<Neighbor> =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('chemicalNeighbors')
      .select(['id', 'version', 'removedAt'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('neighbor')
    requireVersion(row, version, 'this neighbor')
    if ((row.removedAt !== null) === removed) return getNeighbor(db, id)
    await db
      .updateTable('chemicalNeighbors')
      .set({ removedAt: removed ? clock.iso() : null, version: version + 1, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, removed ? 'neighbor.remove' : 'neighbor.restore', { type: 'neighbor', id }, {})
    await publishChange(db, 'visits')
    return getNeighbor(db, id)
  })

/** A neighbor was told of the day on which a visit stands; the first time counts. @throws AppError not_found, state_conflict */
export const tellNeighbor = (
  actor: Actor,
  visitId: string,
  { neighborId, how }: { neighborId: string; how: string },
): Promise<Neighbor> =>
  withTenant(actor, async (db) => {
    const visit = await getTreatment(db, visitId)
    const neighbor = await getNeighbor(db, neighborId, visit)
    if (neighbor.propertyId !== visit.propertyId) throw notFound('neighbor')
    if (!visit.day) throw conflict('This visit has no day yet: there is nothing to tell. Nothing was saved.')
    await db
      .insertInto('chemicalNeighborNotices')
      .values({
        businessId: db.businessId,
        id: newId(),
        neighborId,
        visitId,
        forDay: visit.day,
        how,
        toldAt: clock.iso(),
        toldBy: actor.userId,
      })
      .onConflict((c) => c.columns(['businessId', 'neighborId', 'visitId', 'forDay']).doNothing())
      .execute()
    await audit(
      db,
      actor,
      'neighbor.tell',
      { type: 'neighbor', id: neighborId },
      { after: { visitId, day: visit.day, how } },
    )
    await publishChange(db, 'visits', [visitId], { days: [visit.day], crewIds: [visit.crewId] })
    return getNeighbor(db, neighborId, visit)
  })
