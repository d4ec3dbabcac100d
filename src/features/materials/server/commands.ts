import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { listProducts } from '../../chemicals/server/queries.ts'
import type { Material, MaterialDraft, MaterialSettings, materialsApi } from '../contract.ts'
import { type MaterialAction, materialRefusals, mostMaterials, movedProblem, shortProblem, unitsOf } from '../rules.ts'
import { moveTx } from './moves.ts'
import { getMaterial, getMaterialSettings, readMaterial } from './queries.ts'
import { settleWantsTx } from './wants.ts'

export const entity = (id: string) => ({ type: 'material', id })

/** The names of one business are compared one after the other, and what is planned of a material is not changed meanwhile. */
export const lockMaterials = (db: TenantDb) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`materials:${db.businessId}`}, 0))`.execute(db)

/** @throws AppError not_found, version_conflict, state_conflict */
export const lockMaterial = async (db: TenantDb, id: string, action: MaterialAction, version?: number) => {
  const locked = await db
    .selectFrom('materials')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw notFound('material')
  const row = await readMaterial(db, id)
  requireVersion(row, version, 'this material')
  refuse(materialRefusals[action](row))
  return row
}

/** Who does not see a cost cannot say one: the right one would be told by the answer. */
const requireMoney = (actor: Actor, costCents: number | null | undefined, isNew: boolean): void => {
  if (!hasPermission(actor, 'money') && (isNew ? costCents !== null : costCents !== undefined))
    throw new AppError(
      'forbidden',
      'What a material costs needs the permission for money. Ask the owner. Nothing was saved.',
    )
}

const requireName = async (db: TenantDb, name: string, ownId: string): Promise<void> => {
  const other = await db
    .selectFrom('materials')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .where('id', '<>', ownId)
    .where(sql<string>`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()
  if (other) throw invalid([{ path: 'name', message: 'There is a material of this name already.' }])
}

type Made = Pick<Material, 'kind' | 'unit' | 'productId' | 'nitrogenPercent' | 'phosphatePercent'>

/**
 * A material is measured as its kind is calculated, and as its label has it.
 * @param before one that was kept before phosphate and product were asked for is not held up by other changes
 */
const requireWhole = async (
  db: TenantDb,
  { kind, unit, productId, nitrogenPercent, phosphatePercent }: Made,
  before?: Made,
): Promise<void> => {
  if (!unitsOf[kind].includes(unit))
    throw invalid([{ path: 'unit', message: `This kind is measured in ${unitsOf[kind].join(' or ')}.` }])
  if (kind === 'fertilizer' && nitrogenPercent === null)
    throw invalid([
      { path: 'nitrogenPercent', message: 'Type the first of the three numbers on the bag, 0 if it is 0.' },
    ])
  const was = before?.kind === kind ? before : null
  if (kind === 'fertilizer' && phosphatePercent === null && (!was || was.phosphatePercent !== null))
    throw invalid([
      { path: 'phosphatePercent', message: 'Type the second of the three numbers on the bag, 0 if it is 0.' },
    ])
  if (kind === 'herbicide' && productId === null && (!was || was.productId !== null))
    throw invalid([
      { path: 'productId', message: 'Choose its product: a rate comes only from a label of your library.' },
    ])
  if (productId === null) return
  if (kind !== 'herbicide')
    throw invalid([{ path: 'productId', message: 'Only a tank mix goes by a product’s label.' }])
  const [product] = await listProducts(db, [productId])
  if (!product) throw notFound('product')
  if (product.unit !== unit)
    throw invalid([
      {
        path: 'unit',
        message: `The label of ${product.name} is in ${product.unit}: say the package in ${product.unit} too.`,
      },
    ])
}

export const addMaterial = (actor: Actor, { onHand, ...draft }: MaterialDraft): Promise<Material> =>
  withTenant(actor, async (db) => {
    requireMoney(actor, draft.costCents, true)
    await lockMaterials(db)
    const { n } = await db
      .selectFrom('materials')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('businessId', '=', db.businessId)
      .where('archivedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(n) >= mostMaterials)
      throw conflict(`The list holds up to ${mostMaterials}. Put away what you do not buy any more. Nothing was added.`)
    const [id, now] = [newId(), clock.iso()]
    await requireName(db, draft.name, id)
    await requireWhole(db, draft)
    await db
      .insertInto('materials')
      .values({ businessId: db.businessId, id, ...draft, createdAt: now, updatedAt: now })
      .execute()
    if (onHand > 0) await moveTx(db, actor, { materialId: id, kind: 'count', packages: onHand, note: 'First count' })
    await audit(db, actor, 'material.add', entity(id), { after: { ...draft, onHand } })
    await publishChange(db, 'materials', [id])
    return getMaterial(db, actor, id)
  })

export const changeMaterial = (
  actor: Actor,
  id: string,
  { version, ...change }: z.output<typeof materialsApi.update.body>,
): Promise<Material> =>
  withTenant(actor, async (db) => {
    requireMoney(actor, change.costCents, false)
    await lockMaterials(db)
    const row = await lockMaterial(db, id, 'update', version)
    await requireName(db, change.name ?? row.name, id)
    await requireWhole(db, { ...row, ...change }, row)
    if (ofPlans.some((field) => change[field] !== undefined && change[field] !== row[field]))
      await refusePlanned(db, id)
    await write(db, id, change)
    await audit(db, actor, 'material.change', entity(id), { after: change })
    await publishChange(db, 'materials', [id])
    return getMaterial(db, actor, id)
  })

/** What a plan was calculated with and tested by: its unit, its law, its label. */
const ofPlans = ['unit', 'kind', 'productId', 'nitrogenPercent', 'slowPercent', 'phosphatePercent'] as const

const refusePlanned = async (db: TenantDb, id: string): Promise<void> => {
  const planned = await db
    .selectFrom('materialPlans')
    .select('place')
    .where('businessId', '=', db.businessId)
    .where('materialId', '=', id)
    .where('usedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (planned)
    throw conflict(`It is on a load list for ${planned.place}. Take it off there first. Nothing was changed.`)
}

const write = (db: TenantDb, id: string, change: Record<string, unknown>) =>
  db
    .updateTable('materials')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()

/** Puts it away or brings it back; what there is of it and its moves stay. */
export const keepMaterial = (actor: Actor, id: string, version: number, keep: boolean): Promise<Material> =>
  withTenant(actor, async (db) => {
    await lockMaterials(db)
    const row = await lockMaterial(db, id, keep ? 'restore' : 'archive', version)
    if (keep) await requireName(db, row.name, id)
    else await refusePlanned(db, id)
    await write(db, id, { archivedAt: keep ? null : clock.iso() })
    await audit(db, actor, keep ? 'material.restore' : 'material.archive', entity(id))
    await publishChange(db, 'materials', [id])
    return getMaterial(db, actor, id)
  })

/** What is there by count: the difference is a move, also one of nothing, so that it is known that somebody looked. */
export const countMaterial = (
  actor: Actor,
  id: string,
  { onHand, seenOnHand, note }: z.output<typeof materialsApi.count.body>,
): Promise<Material> =>
  withTenant(actor, async (db) => {
    const row = await lockMaterial(db, id, 'count')
    refuse(movedProblem(seenOnHand, row.onHand))
    await moveTx(db, actor, { materialId: id, kind: 'count', packages: onHand - row.onHand, note })
    await audit(db, actor, 'material.count', entity(id), { before: { onHand: row.onHand }, after: { onHand, note } })
    return getMaterial(db, actor, id)
  })

export const receiveMaterial = (
  actor: Actor,
  id: string,
  { packages, seenOnHand, note }: z.output<typeof materialsApi.receive.body>,
): Promise<Material> =>
  withTenant(actor, async (db) => {
    const row = await lockMaterial(db, id, 'receive')
    refuse(movedProblem(seenOnHand, row.onHand))
    await moveTx(db, actor, { materialId: id, kind: 'received', packages, note })
    await settleWantsTx(db, id, packages)
    await audit(db, actor, 'material.receive', entity(id), { after: { packages, note } })
    return getMaterial(db, actor, id)
  })

/** Takes what was used from what there is. @throws AppError state_conflict for more than there is */
export const takeTx = async (
  db: TenantDb,
  actor: Actor,
  id: string,
  { packages, note, visitId = null }: { packages: number; note: string; visitId?: string | null },
): Promise<void> => {
  const row = await lockMaterial(db, id, 'use')
  refuse(shortProblem(packages, row.onHand))
  await moveTx(db, actor, { materialId: id, kind: 'used', packages: -packages, note, visitId })
  await audit(db, actor, 'material.use', entity(id), { after: { packages, note } })
}

export const takeMaterial = (
  actor: Actor,
  id: string,
  body: z.output<typeof materialsApi.use.body>,
): Promise<Material> =>
  withTenant(actor, async (db) => {
    await takeTx(db, actor, id, body)
    return getMaterial(db, actor, id)
  })

/** @throws AppError version_conflict */
export const saveMaterialSettings = (
  actor: Actor,
  { version, payloadPounds }: z.output<typeof materialsApi.saveSettings.body>,
): Promise<MaterialSettings> =>
  withTenant(actor, async (db) => {
    await lockMaterials(db)
    requireVersion(await getMaterialSettings(db, actor), version, 'these settings')
    const row = { payloadPounds, version: version + 1, updatedAt: clock.iso() }
    await db
      .insertInto('materialSettings')
      .values({ businessId: db.businessId, ...row })
      .onConflict((c) => c.column('businessId').doUpdateSet(row))
      .execute()
    await audit(db, actor, 'material.settings', entity(db.businessId), { after: { payloadPounds } })
    await publishChange(db, 'materials')
    return getMaterialSettings(db, actor)
  })

/** The limits of a state hold no more, with who said so and why; or hold again. */
export const setLaw = (
  actor: Actor,
  { state, reason }: z.output<typeof materialsApi.setLaw.body>,
): Promise<MaterialSettings> =>
  withTenant(actor, async (db) => {
    const off = { reason: reason ?? '', userId: actor.userId, createdAt: clock.iso() }
    if (reason === null)
      await db
        .deleteFrom('materialLawsOff')
        .where('businessId', '=', db.businessId)
        .where('state', '=', state)
        .execute()
    else
      await db
        .insertInto('materialLawsOff')
        .values({ businessId: db.businessId, state, ...off })
        .onConflict((c) => c.columns(['businessId', 'state']).doUpdateSet(off))
        .execute()
    await audit(db, actor, 'material.law', entity(db.businessId), { after: { state, reason } })
    await publishChange(db, 'materials')
    return getMaterialSettings(db, actor)
  })
