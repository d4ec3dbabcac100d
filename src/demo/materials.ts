import { sql } from 'kysely'
import { MaterialDraft } from '../features/materials/contract.ts'
import { addMaterial, countMaterial, receiveMaterial, takeMaterial } from '../features/materials/server/commands.ts'
import { planMaterial } from '../features/materials/server/plans.ts'
import { want } from '../features/materials/server/wants.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'

const bag = { package: 'bag', packageSize: 50, unit: 'lb' } as const
const yard = { package: 'yard', packageSize: 1, unit: 'yd' } as const

const bought: readonly (Pick<MaterialDraft, 'kind' | 'name' | 'package' | 'packageSize' | 'unit'> &
  Partial<MaterialDraft>)[] = [
  {
    kind: 'fertilizer',
    name: 'Fertilizer 24-0-11',
    ...bag,
    nitrogenPercent: 24,
    phosphatePercent: 0,
    potashPercent: 11,
    slowPercent: 50,
    costCents: 3850,
    onHand: 42,
    reorderAt: 20,
  },
  {
    kind: 'fertilizer',
    name: 'Starter 18-24-12',
    ...bag,
    nitrogenPercent: 18,
    phosphatePercent: 24,
    potashPercent: 12,
    costCents: 4400,
    onHand: 6,
    reorderAt: 4,
  },
  {
    kind: 'fertilizer',
    name: 'Winterizer 10-0-20',
    ...bag,
    nitrogenPercent: 10,
    phosphatePercent: 0,
    potashPercent: 20,
    costCents: 3600,
    onHand: 15,
  },
  {
    kind: 'seed',
    name: 'Turf-type tall fescue',
    ...bag,
    purityPercent: 98,
    germinationPercent: 85,
    costCents: 11_900,
    onHand: 3,
    reorderAt: 4,
  },
  { kind: 'seed', name: 'Hulled bermudagrass', ...bag, packageSize: 25, costCents: 14_500, onHand: 5, reorderAt: 2 },
  { kind: 'lime', name: 'Pelletized lime', ...bag, packageSize: 40, costCents: 640, onHand: 60, reorderAt: 20 },
  { kind: 'mulch', name: 'Hardwood mulch', ...yard, costCents: 3400, onHand: 12, reorderAt: 6 },
  {
    kind: 'mulch',
    name: 'Pine bark, bagged',
    package: 'bag',
    packageSize: 2,
    unit: 'cu ft',
    costCents: 425,
    onHand: 30,
  },
  { kind: 'topsoil', name: 'Screened topsoil', ...yard, costCents: 2900, onHand: 8 },
  { kind: 'compost', name: 'Screened compost', ...yard, costCents: 3200, onHand: 5 },
  { kind: 'gravel', name: 'Pea gravel', ...yard, costCents: 5200, onHand: 4 },
  { kind: 'sod', name: 'TifTuf bermuda sod', package: 'pallet', packageSize: 450, unit: 'sq ft', costCents: 21_500 },
]

/** A dozen materials with counts, one of them low, deliveries and use of the last days, and a calculation on tomorrow's load list. */
export const stockShop = async (owner: Actor): Promise<void> => {
  const made = new Map<string, string>()
  for (const one of bought) made.set(one.name, (await addMaterial(owner, MaterialDraft.parse(one))).id)
  const idOf = (name: string) => made.get(name) ?? ''
  const { trimec, visit } = await withTenant(owner, async (db) => {
    const product = await db
      .selectFrom('chemicalProducts')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('name', '=', 'Trimec Classic')
      .executeTakeFirst()
    const { rows } = await sql<{ id: string; squareFeet: number; state: string }>`
      select v.id, p.lawn_square_feet as "squareFeet", p.state from visits v
      join properties p on p.business_id = v.business_id and p.id = v.property_id
      where v.business_id = ${db.businessId} and v.status = 'scheduled' and v.crew_id is not null and p.lawn_square_feet > 0
        and v.day > (select (now() at time zone time_zone)::date from businesses where business_id = ${db.businessId})
      order by v.day, v.id limit 1`.execute(db)
    return { trimec: product?.id ?? null, visit: rows[0] ?? null }
  })
  if (trimec)
    await addMaterial(
      owner,
      MaterialDraft.parse({
        kind: 'herbicide',
        name: 'Trimec Classic, 2.5 gal',
        package: 'jug',
        packageSize: 320,
        unit: 'fl oz',
        productId: trimec,
        costCents: 15_900,
        onHand: 2,
        reorderAt: 1,
      }),
    )
  await receiveMaterial(owner, idOf('Fertilizer 24-0-11'), { packages: 40, note: 'SiteOne, Pooler' })
  await takeMaterial(owner, idOf('Fertilizer 24-0-11'), { packages: 31, note: 'Round 3, North' })
  await countMaterial(owner, idOf('Fertilizer 24-0-11'), { onHand: 50, note: 'One bag was torn' })
  await want(owner, { materialId: idOf('TifTuf bermuda sod'), packages: 2, note: 'Repair after the drain' })
  if (visit)
    await planMaterial(owner, {
      materialId: idOf('Fertilizer 24-0-11'),
      visitId: visit.id,
      choice: {
        kind: 'fertilizer',
        squareFeet: visit.squareFeet,
        targetPounds: 0.9,
        state: visit.state || null,
        on: '2026-01-01',
        phosphorusAsked: false,
      },
    })
}
