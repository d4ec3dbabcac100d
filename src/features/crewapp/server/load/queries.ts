import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { amountFor, carrierFor } from '../../../chemicals/rules.ts'
import { listUsualMixes } from '../../../chemicals/server/queries.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { listPlannedAmounts } from '../../../materials/server/queries.ts'
import { type MeasuredBy, measureOf, type Sizes, treatedSquareFeet } from '../../../services/measures/rules.ts'
import type { StopLoad } from '../../load/contract.ts'

type Line = {
  visitId: string
  serviceId: string
  name: string
  unit: string
  treats: boolean
  quantity: number
  measuredBy: MeasuredBy
} & Sizes

const rounded = (value: number): number => Math.round(value * 100) / 100

/** What each stop takes along, by visit, and the mixes that its services are usually done with. A stop that takes nothing is not in it. */
export const findLoads = async (
  db: TenantDb,
  visitIds: readonly string[],
): Promise<Map<string, { load: StopLoad; mixIds: string[] }>> => {
  const { rows } = await sql<Line>`
    select l.visit_id as "visitId", s.id as "serviceId", s.name, s.unit, s.category = 'treat' as treats, l.quantity::float8 as quantity,
      s.measured_by as "measuredBy", p.lawn_square_feet as "lawnSquareFeet", ${bedSquareFeetOf('p')} as "bedSquareFeet", ${edgeFeetOf('p')} as "edgeFeet"
    from visit_lines l
    join services s on s.business_id = l.business_id and s.id = l.service_id
    join visits v on v.business_id = l.business_id and v.id = l.visit_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    where l.business_id = ${db.businessId} and l.visit_id = any(${sql.val([...visitIds])}::uuid[])
      and (s.category = 'treat' or s.unit in ('yard', 'each'))
    order by l.visit_id, l.position, l.id`.execute(db)
  const planned = await listPlannedAmounts(db, visitIds)
  if (rows.length === 0 && planned.length === 0) return new Map()
  const mixes = await listUsualMixes(db, [...new Set(rows.flatMap((one) => (one.treats ? one.serviceId : [])))])
  const found = new Map<string, { load: StopLoad; mixIds: string[] }>()
  for (const row of rows) {
    const { visitId, serviceId, name, unit, treats, quantity } = row
    const squareFeet = treatedSquareFeet([measureOf(row, row)])
    const one = found.get(visitId) ?? { load: [], mixIds: [] }
    found.set(visitId, one)
    if (unit === 'yard' || unit === 'each') one.load.push({ kind: 'material', name, unit, amount: rounded(quantity) })
    if (!treats) continue
    const usual = mixes.get(serviceId) ?? []
    if (usual.length === 0) one.load.push({ kind: 'unset', name, unit: '', amount: null })
    for (const mix of usual) {
      // two services of a stop that are done with one mix are one walk over the lawn
      if (one.mixIds.includes(mix.id)) continue
      one.mixIds.push(mix.id)
      const area = squareFeet === null || squareFeet <= 0 ? null : squareFeet
      for (const product of mix.products) {
        const amount = area === null ? null : amountFor(product.rate, area)
        one.load.push({ kind: 'product', name: product.name, unit: product.unit, amount })
      }
      if (mix.carrierGallons !== null) {
        const amount = area === null ? null : carrierFor(mix.carrierGallons, area)
        one.load.push({ kind: 'water', name: '', unit: 'gal', amount })
      }
    }
  }
  // what the office reckoned for the stop stands beside what its services usually take
  for (const { visitId, name, unit, amount, pack } of planned) {
    const one = found.get(visitId) ?? { load: [], mixIds: [] }
    found.set(visitId, one)
    one.load.push({ kind: 'material', name, unit, amount: rounded(amount), pack })
  }
  return found
}
