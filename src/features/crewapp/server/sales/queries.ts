import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { listSaleStops, listSellable, unitCentsAt } from '../../../extras/sales/server/queries.ts'
import type { CrewSales } from '../../sales/contract.ts'

/** What crews may sell at their stops; null where the business sells nothing at the door. */
export const findCrewSales = async (db: TenantDb, visitIds: readonly string[]): Promise<CrewSales | null> => {
  const services = await listSellable(db)
  if (services.length === 0) return null
  const stops = await listSaleStops(db, visitIds)
  const [first] = stops
  if (!first) return null
  return {
    business: first.name,
    services: services.map(({ id, name, nameEs, unit }) => ({ id, name, ...(nameEs ? { nameEs } : {}), unit })),
    stops: stops.map((stop) => ({
      visitId: stop.visitId,
      reached: stop.reached,
      units: Object.fromEntries(services.map((service) => [service.id, unitCentsAt(service, stop)])),
    })),
  }
}
