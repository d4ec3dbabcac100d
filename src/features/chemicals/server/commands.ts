import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { listServiceIds } from '../../services/server/queries.ts'
import type {
  ChemicalMix,
  ChemicalProduct,
  ChemicalSettings,
  chemicalsApi,
  MixDraft,
  ProductDraft,
} from '../contract.ts'
import { plainNumber, rateProblem } from '../rules.ts'
import { getChemicalRules, getMix, getProduct, listProducts, mostOfEach } from './queries.ts'

/** Products, mixes and the rules of one business are written one after the other: names are compared, and there are few of them. */
const lockCatalog = (db: TenantDb) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`chemicals:${db.businessId}`}, 0))`.execute(db)

type Kind = 'chemicalProducts' | 'chemicalMixes'
const words = { chemicalProducts: 'product', chemicalMixes: 'mix' } as const

const requireName = async (db: TenantDb, kind: Kind, name: string, ownId: string): Promise<void> => {
  const other = await db
    .selectFrom(kind)
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .where('id', '<>', ownId)
    .where(sql<string>`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()
  if (other) throw invalid([{ path: 'name', message: `There is a ${words[kind]} of this name already.` }])
}

const requireRange = (low: number | null, high: number | null): void => {
  if (low !== null && high !== null && low > high)
    throw invalid([{ path: 'labelHigh', message: 'The most is less than the least. Type both as the label has them.' }])
}

const requireRoom = async (db: TenantDb, kind: Kind): Promise<void> => {
  const { n } = await db
    .selectFrom(kind)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  if (Number(n) >= mostOfEach)
    throw conflict(`There are ${mostOfEach} already, archived ones too. Change one of them instead. Nothing was added.`)
}

const lockRow = async (db: TenantDb, kind: Kind, id: string, version: number) => {
  const row = await db
    .selectFrom(kind)
    .select(['id', 'name', 'version', 'archivedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound(words[kind])
  requireVersion(row, version, `this ${words[kind]}`)
  return row
}

/** When it is put away, from what is asked; what is so already stays. */
const archivedAtOf = (row: { archivedAt: string | null }, archived: boolean | undefined): string | null =>
  archived === undefined || archived === (row.archivedAt !== null) ? row.archivedAt : archived ? clock.iso() : null

const told = async (db: TenantDb, actor: Actor, action: string, id: string, after: object): Promise<void> => {
  await audit(db, actor, action, { type: 'chemical', id }, { after })
  await publishChange(db, 'services')
}

/** @throws AppError version_conflict */
export const setChemicalRules = (
  actor: Actor,
  { version, ...rules }: z.output<typeof chemicalsApi.setRules.body>,
): Promise<ChemicalSettings> =>
  withTenant(actor, async (db) => {
    await lockCatalog(db)
    requireVersion(await getChemicalRules(db), version, 'these rules')
    const row = { ...rules, version: version + 1, updatedAt: clock.iso() }
    await db
      .insertInto('chemicalSettings')
      .values({ businessId: db.businessId, ...row })
      .onConflict((c) => c.column('businessId').doUpdateSet(row))
      .execute()
    await told(db, actor, 'chemicals.rules', db.businessId, rules)
    return { ...(await getChemicalRules(db)), can: { update: true } }
  })

/** A product as the label has it. @throws AppError validation_failed for a name that is taken */
export const addProduct = (actor: Actor, draft: ProductDraft): Promise<ChemicalProduct> =>
  withTenant(actor, async (db) => {
    await lockCatalog(db)
    await requireRoom(db, 'chemicalProducts')
    requireRange(draft.labelLow, draft.labelHigh)
    const id = newId()
    await requireName(db, 'chemicalProducts', draft.name, id)
    await db
      .insertInto('chemicalProducts')
      .values({ businessId: db.businessId, id, ...draft, createdAt: clock.iso(), updatedAt: clock.iso() })
      .execute()
    await told(db, actor, 'chemicals.product', id, draft)
    return getProduct(db, actor, id)
  })

/** @throws AppError not_found, version_conflict, validation_failed */
export const changeProduct = (
  actor: Actor,
  id: string,
  { version, archived, ...fields }: z.output<typeof chemicalsApi.updateProduct.body>,
): Promise<ChemicalProduct> =>
  withTenant(actor, async (db) => {
    await lockCatalog(db)
    const row = await lockRow(db, 'chemicalProducts', id, version)
    const [kept] = await listProducts(db, [id])
    const { labelLow = kept?.labelLow ?? null, labelHigh = kept?.labelHigh ?? null } = fields
    requireRange(labelLow, labelHigh)
    if (kept && labelHigh !== kept.labelHigh) await refuseBelowMixes(db, { ...kept, labelHigh })
    const archivedAt = archivedAtOf(row, archived)
    if (archivedAt === null) await requireName(db, 'chemicalProducts', fields.name ?? row.name, id)
    else if (row.archivedAt === null) await refuseInUse(db, id)
    await db
      .updateTable('chemicalProducts')
      .set({ ...fields, archivedAt, version: version + 1, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await told(db, actor, 'chemicals.product', id, { ...fields, archived })
    return getProduct(db, actor, id)
  })

const refuseInUse = async (db: TenantDb, productId: string): Promise<void> => {
  const mix = await db
    .selectFrom('chemicalMixProducts as p')
    .innerJoin('chemicalMixes as m', (join) =>
      join.onRef('m.businessId', '=', 'p.businessId').onRef('m.id', '=', 'p.mixId'),
    )
    .select('m.name')
    .where('p.businessId', '=', db.businessId)
    .where('p.productId', '=', productId)
    .where('m.archivedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (mix)
    throw conflict(`It is in the mix “${mix.name}”. Take it out there, or archive the mix first. Nothing was changed.`)
}

/** A label's maximum never falls below what a mix in use puts down. @throws AppError state_conflict, naming the mixes */
const refuseBelowMixes = async (
  db: TenantDb,
  { id, labelHigh, unit }: Pick<ChemicalProduct, 'id' | 'labelHigh' | 'unit'>,
): Promise<void> => {
  if (labelHigh === null) return
  const above = await db
    .selectFrom('chemicalMixProducts as p')
    .innerJoin('chemicalMixes as m', (join) =>
      join.onRef('m.businessId', '=', 'p.businessId').onRef('m.id', '=', 'p.mixId'),
    )
    .select(['m.name', sql<number>`p.rate::float8`.as('rate')])
    .where('p.businessId', '=', db.businessId)
    .where('p.productId', '=', id)
    .where('m.archivedAt', 'is', null)
    .where(sql<boolean>`p.rate > ${labelHigh}`)
    .orderBy(sql`lower(m.name)`)
    .execute()
  if (above.length === 0) return
  const mixes = above.map(({ name, rate }) => `“${name}” (${plainNumber(rate)} ${unit})`).join(', ')
  throw conflict(
    `More than that is in ${above.length === 1 ? 'the mix' : 'the mixes'} ${mixes}. Lower the rate there first. Nothing was changed.`,
  )
}

const putProducts = async (db: TenantDb, mixId: string, products: MixDraft['products']): Promise<void> => {
  const known = await listProducts(
    db,
    products.map(({ productId }) => productId),
  )
  for (const [index, { productId, rate }] of products.entries()) {
    const product = known.find(({ id }) => id === productId)
    if (!product) throw notFound('product')
    const problem = rateProblem(product, rate)
    if (problem) throw invalid([{ path: `products.${index}.rate`, message: problem }])
    if (product.archivedAt)
      throw invalid([
        { path: `products.${index}.productId`, message: `${product.name} is archived. Restore it first.` },
      ])
  }
  await db
    .deleteFrom('chemicalMixProducts')
    .where('businessId', '=', db.businessId)
    .where('mixId', '=', mixId)
    .execute()
  await db
    .insertInto('chemicalMixProducts')
    .values(products.map((one, position) => ({ businessId: db.businessId, mixId, ...one, position })))
    .execute()
}

/** What it is used for, anew. @throws AppError not_found for a service that there is not */
const putServices = async (db: TenantDb, mixId: string, serviceIds: readonly string[]): Promise<void> => {
  const known = await listServiceIds(db, serviceIds)
  const wanted = [...new Set(serviceIds)]
  if (wanted.some((id) => !known.includes(id))) throw notFound('service')
  await db
    .deleteFrom('chemicalMixServices')
    .where('businessId', '=', db.businessId)
    .where('mixId', '=', mixId)
    .execute()
  if (wanted.length === 0) return
  await db
    .insertInto('chemicalMixServices')
    .values(wanted.map((serviceId) => ({ businessId: db.businessId, mixId, serviceId })))
    .execute()
}

/** @throws AppError validation_failed, not_found for a product or service that there is not */
export const addMix = (actor: Actor, { products, serviceIds, ...draft }: MixDraft): Promise<ChemicalMix> =>
  withTenant(actor, async (db) => {
    await lockCatalog(db)
    await requireRoom(db, 'chemicalMixes')
    const id = newId()
    await requireName(db, 'chemicalMixes', draft.name, id)
    await db
      .insertInto('chemicalMixes')
      .values({ businessId: db.businessId, id, ...draft, createdAt: clock.iso(), updatedAt: clock.iso() })
      .execute()
    await putProducts(db, id, products)
    await putServices(db, id, serviceIds)
    await told(db, actor, 'chemicals.mix', id, { ...draft, products, serviceIds })
    return getMix(db, actor, id)
  })

/** @throws AppError not_found, version_conflict, validation_failed */
export const changeMix = (
  actor: Actor,
  id: string,
  { version, archived, products, serviceIds, ...fields }: z.output<typeof chemicalsApi.updateMix.body>,
): Promise<ChemicalMix> =>
  withTenant(actor, async (db) => {
    await lockCatalog(db)
    const row = await lockRow(db, 'chemicalMixes', id, version)
    const archivedAt = archivedAtOf(row, archived)
    if (archivedAt === null) {
      await requireName(db, 'chemicalMixes', fields.name ?? row.name, id)
      const standing = products ?? (await getMix(db, actor, id)).products
      await putProducts(db, id, standing)
    } else if (products) await putProducts(db, id, products)
    if (serviceIds) await putServices(db, id, serviceIds)
    await db
      .updateTable('chemicalMixes')
      .set({ ...fields, archivedAt, version: version + 1, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await told(db, actor, 'chemicals.mix', id, {
      ...fields,
      archived,
      ...(products ? { products } : {}),
      ...(serviceIds ? { serviceIds } : {}),
    })
    return getMix(db, actor, id)
  })
