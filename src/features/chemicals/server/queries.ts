import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { admits } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { type ChemicalMix, type ChemicalProduct, type ChemicalSettings, chemicalsApi } from '../contract.ts'

/** So many products and mixes are read at once: nobody has more on the truck. */
export const mostOfEach = 500

type Stored<T> = Omit<T, 'can'>

type UsualMix = {
  id: string
  carrierGallons: number | null
  products: { name: string; unit: string; rate: number }[]
}

const mayChange = (actor: Actor) => ({ update: admits(actor, chemicalsApi.updateProduct) })

/** How the business works with chemicals; without a row as it begins. */
export const getChemicalRules = async (db: TenantDb): Promise<Stored<ChemicalSettings>> =>
  (await db
    .selectFrom('chemicalSettings')
    .select(['blockFinish', 'tellCustomers', 'version'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()) ?? { blockFinish: false, tellCustomers: true, version: 0 }

export const listProducts = async (db: TenantDb, ids?: readonly string[]): Promise<Stored<ChemicalProduct>[]> => {
  let found = db
    .selectFrom('chemicalProducts')
    .select([
      'id',
      'name',
      'epaNumber',
      'formulation',
      'signalWord',
      'restricted',
      'licenseSkill',
      'reentryHours',
      'unit',
      'labelUrl',
      sql<number | null>`label_low::float8`.as('labelLow'),
      sql<number | null>`label_high::float8`.as('labelHigh'),
      'archivedAt',
      'version',
    ])
    .where('businessId', '=', db.businessId)
  if (ids) found = found.where(sql<boolean>`id = any(${sql.val([...ids])}::uuid[])`)
  return found.orderBy(sql`archived_at is not null`).orderBy(sql`lower(name)`).orderBy('id').limit(mostOfEach).execute()
}

export const listMixes = async (db: TenantDb, id?: string): Promise<Stored<ChemicalMix>[]> => {
  const { rows } = await sql<Stored<ChemicalMix>>`
    select m.id, m.name, m.carrier_gallons::float8 as "carrierGallons", m.target, m.method, m.equipment, m.archived_at as "archivedAt", m.version,
      coalesce((select jsonb_agg(jsonb_build_object('productId', p.product_id, 'rate', p.rate) order by p.position)
        from chemical_mix_products p where p.business_id = m.business_id and p.mix_id = m.id), '[]') as products,
      array(select s.service_id from chemical_mix_services s where s.business_id = m.business_id and s.mix_id = m.id order by s.service_id) as "serviceIds"
    from chemical_mixes m where m.business_id = ${db.businessId} and ${id ? sql`m.id = ${id}` : sql`true`}
    order by m.archived_at is not null, lower(m.name), m.id limit ${mostOfEach}`.execute(db)
  return rows
}

/** What services are usually done with: mixes in use with their products, by service. */
export const listUsualMixes = async (db: TenantDb, serviceIds: readonly string[]): Promise<Map<string, UsualMix[]>> => {
  if (serviceIds.length === 0) return new Map()
  const { rows } = await sql<UsualMix & { serviceId: string }>`
    select s.service_id as "serviceId", m.id, m.carrier_gallons::float8 as "carrierGallons",
      (select jsonb_agg(jsonb_build_object('name', c.name, 'unit', c.unit, 'rate', p.rate) order by p.position)
        from chemical_mix_products p join chemical_products c on c.business_id = p.business_id and c.id = p.product_id
        where p.business_id = m.business_id and p.mix_id = m.id) as products
    from chemical_mix_services s join chemical_mixes m on m.business_id = s.business_id and m.id = s.mix_id
    where s.business_id = ${db.businessId} and s.service_id = any(${sql.val([...serviceIds])}::uuid[]) and m.archived_at is null
    order by lower(m.name), m.id limit ${mostOfEach}`.execute(db)
  const found = new Map<string, UsualMix[]>()
  for (const { serviceId, ...mix } of rows) found.set(serviceId, [...(found.get(serviceId) ?? []), mix])
  return found
}

export const getCatalog = async (db: TenantDb, actor: Actor) => {
  const can = mayChange(actor)
  const [settings, products, mixes] = [await getChemicalRules(db), await listProducts(db), await listMixes(db)]
  return {
    settings: { ...settings, can },
    products: products.map((one) => ({ ...one, can })),
    mixes: mixes.map((one) => ({ ...one, can })),
    more: products.length === mostOfEach || mixes.length === mostOfEach,
  }
}

export const getProduct = async (db: TenantDb, actor: Actor, id: string): Promise<ChemicalProduct> => {
  const [product] = await listProducts(db, [id])
  if (!product) throw notFound('product')
  return { ...product, can: mayChange(actor) }
}

export const getMix = async (db: TenantDb, actor: Actor, id: string): Promise<ChemicalMix> => {
  const [mix] = await listMixes(db, id)
  if (!mix) throw notFound('mix')
  return { ...mix, can: mayChange(actor) }
}
