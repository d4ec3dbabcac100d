import { type Actor, userIdOf } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { movePropertyPlansTx } from '../../../billingplans/server/merging/commands.ts'
import {
  listApplicationIdsTx,
  movePropertyApplicationsTx,
  movePropertyNeighborsTx,
} from '../../../chemicals/server/merging/commands.ts'
import { lockPlacesTx, setMergedPlaceTx, swapAreasTx } from '../../../customers/server/merging/commands.ts'
import { movePropertyCardsTx } from '../../../doorcards/server/merging/commands.ts'
import { movePropertyJobsTx } from '../../../jobs/server/merging/commands.ts'
import { movePropertyLeadsTx } from '../../../leads/server/merging/commands.ts'
import { movePropertyRequestsTx } from '../../../portal/server/merging/commands.ts'
import { movePropertyQuotesTx } from '../../../quotes/server/merging/commands.ts'
import { listVisitIdsOfJobsTx, movePropertyVisitsTx } from '../../../visits/server/merging/commands.ts'
import { measureFields, mergedPlace, placeRefusal } from '../rules.ts'

/** What hangs on a property, each by the command of whose table it is. Invoices that were issued keep the property that they name. */
const movers = {
  jobs: movePropertyJobsTx,
  visits: movePropertyVisitsTx,
  quotes: movePropertyQuotesTx,
  leads: movePropertyLeadsTx,
  requests: movePropertyRequestsTx,
  applications: movePropertyApplicationsTx,
  neighbors: movePropertyNeighborsTx,
  cards: movePropertyCardsTx,
} as const
type Kind = keyof typeof movers
type Moved = Record<Kind, string[]>

const move = async (db: TenantDb, fromId: string, toId: string, only?: Moved): Promise<Moved> => {
  const moved = {} as Moved
  for (const kind of Object.keys(movers) as Kind[])
    moved[kind] = await movers[kind](db, fromId, toId, ...(only ? [only[kind]] : []))
  await movePropertyPlansTx(db, toId, moved)
  return moved
}

const asRow = <T extends { custom: unknown }>(row: T) => ({ ...row, custom: row.custom as Record<string, unknown> })
const stored = (values: Record<string, unknown>) =>
  values.custom === undefined ? values : { ...values, custom: JSON.stringify(values.custom) }
const pick = (row: object, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, row[key as keyof typeof row]]))

/** Two properties of a customer at one address become one, in one transaction; the other is archived, with the measurements that do not stand. */
export const mergePlaces = (
  who: Actor,
  keptId: string,
  input: { goneId: string; version: number; goneVersion: number; measures: 'kept' | 'gone' },
): Promise<{ mergeId: string }> =>
  withTenant(who, async (db) => {
    const { goneId, measures } = input
    const { kept, gone } = await lockPlacesTx(db, keptId, goneId)
    requireVersion(kept, input.version, 'this property')
    requireVersion(gone, input.goneVersion, 'the other property')
    refuse(placeRefusal(kept, gone))
    const values = mergedPlace(asRow(kept), asRow(gone), measures)
    const before = pick(kept, Object.keys(values))
    const swapped = measures === 'gone'
    if (swapped) await swapAreasTx(db, keptId, goneId)
    const moved = await move(db, goneId, keptId)
    const keptVersion = await setMergedPlaceTx(db, kept, stored(values))
    await setMergedPlaceTx(db, gone, {
      ...(swapped ? pick(kept, measureFields) : {}),
      archivedAt: clock.iso(),
    })
    const mergeId = newId()
    await db
      .insertInto('propertyMerges')
      .values({
        businessId: db.businessId,
        id: mergeId,
        keptId,
        goneId,
        moved: JSON.stringify(moved),
        before: JSON.stringify(before),
        swapped,
        keptVersion,
        at: clock.iso(),
        byUserId: userIdOf(who),
      })
      .execute()
    const counts = Object.fromEntries(Object.entries(moved).map(([kind, ids]) => [kind, ids.length]))
    // a gate code is nobody's to read in a log
    const told = Object.fromEntries(Object.entries(values).filter(([key]) => key !== 'gateCodeCipher'))
    await audit(
      db,
      who,
      'property.merge',
      { type: 'property', id: keptId },
      { after: { ...told, goneId, moved: counts } },
    )
    return { mergeId }
  })

/** What goes back: what moved, and what came of it since. The work of a job stands where the job does, and what was applied where the visit was. */
const withSince = async (db: TenantDb, keptId: string, moved: Moved): Promise<Moved> => {
  const visits = new Set([...moved.visits, ...(await listVisitIdsOfJobsTx(db, keptId, moved.jobs))])
  const applications = new Set([...moved.applications, ...(await listApplicationIdsTx(db, keptId, [...visits]))])
  return { ...moved, visits: [...visits], applications: [...applications] }
}

const isMergedAgain = async (db: TenantDb, merge: { id: string; keptId: string; goneId: string; at: string }) =>
  (await db
    .selectFrom('propertyMerges')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '<>', merge.id)
    .where('undoneAt', 'is', null)
    .where('at', '>=', merge.at)
    .where((eb) => {
      const both = [merge.keptId, merge.goneId]
      return eb.or([eb('keptId', 'in', both), eb('goneId', 'in', both)])
    })
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Takes it back: what moved goes back, the other property is there again; fields go back as long as nobody changed the kept one since. */
export const undoPlaceMerge = (who: Actor, id: string): Promise<{ fieldsBack: boolean }> =>
  withTenant(who, async (db) => {
    const merge = await db
      .selectFrom('propertyMerges')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!merge) throw notFound('merge')
    if (merge.undoneAt) throw conflict('This was taken back already. Nothing was changed.')
    const { keptId, goneId } = merge
    const { kept, gone } = await lockPlacesTx(db, keptId, goneId)
    if (kept.customerId !== gone.customerId)
      throw conflict(
        'These properties belong to two customers by now, so this cannot be taken back. Nothing was changed.',
      )
    if (await isMergedAgain(db, merge))
      throw conflict('One of these properties was merged again since. Take that back first. Nothing was changed.')
    await move(db, keptId, goneId, await withSince(db, keptId, merge.moved as Moved))
    const fieldsBack = kept.version === merge.keptVersion
    const swapBack = fieldsBack && merge.swapped
    if (swapBack) await swapAreasTx(db, keptId, goneId)
    await setMergedPlaceTx(db, kept, fieldsBack ? stored(merge.before as Record<string, unknown>) : {})
    await setMergedPlaceTx(db, gone, { ...(swapBack ? pick(kept, measureFields) : {}), archivedAt: null })
    await db
      .updateTable('propertyMerges')
      .set({ undoneAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, who, 'property.unmerge', { type: 'property', id: keptId }, { after: { goneId, fieldsBack } })
    return { fieldsBack }
  })
