import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { measureOf, type Sizes } from '../../../services/measures/rules.ts'
import { priceFor } from '../../../services/rules.ts'
import { getServices, listServices, type PricedService } from '../../../services/server/queries.ts'
import { type SellDay, saleMinutes } from '../rules.ts'

type Place = Sizes & { difficulty: number }

/** What one unit of a service costs at a place today, by the price book; null where it does not say. */
export const unitCentsAt = (service: Pick<PricedService, 'priceRule' | 'measuredBy'>, place: Place): number | null =>
  priceFor(service.priceRule, { ...measureOf(service, place), difficulty: place.difficulty, frequency: 'once' }).cents

/** The services that crews may sell; twenty at most. */
export const listSellable = async (db: TenantDb): Promise<PricedService[]> => {
  const rows = await db
    .selectFrom('services')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('soldAtDoor', '=', true)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .limit(20)
    .execute()
  if (rows.length === 0) return []
  const ids = new Set(rows.map(({ id }) => id))
  return (await listServices(db)).filter(({ id }) => ids.has(id))
}

export type SaleStop = Place & {
  visitId: string
  customerId: string
  street: string
  name: string
  language: 'en' | 'es'
  reached: boolean
}

/** Where work may be sold, and to whom. */
export const listSaleStops = async (db: TenantDb, visitIds: readonly string[]): Promise<SaleStop[]> => {
  if (visitIds.length === 0) return []
  const { rows } = await sql<SaleStop>`
    select v.id as "visitId", v.customer_id as "customerId", p.street, p.lawn_square_feet as "lawnSquareFeet",
      ${bedSquareFeetOf('p')} as "bedSquareFeet", ${edgeFeetOf('p')} as "edgeFeet", p.difficulty, b.name,
      case when c.language = 'es' then 'es' else 'en' end as language, (c.phone is not null or c.email is not null) as reached
    from visits v
    join businesses b on b.business_id = v.business_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    where v.business_id = ${db.businessId} and v.id = any(${sql.val([...visitIds])}::uuid[])`.execute(db)
  return rows
}

/** Labor minutes of sold work at the place of a visit. */
export const saleMinutesAt = async (
  db: TenantDb,
  { visitId, serviceId, quantity }: { visitId: string; serviceId: string; quantity: number },
): Promise<number> => {
  const [stop] = await listSaleStops(db, [visitId])
  const [service] = await getServices(db, [serviceId])
  return stop && service
    ? saleMinutes(service, { ...measureOf(service, stop), difficulty: stop.difficulty, quantity })
    : 0
}

export type AskedSale = {
  id: string
  state: string
  title: string
  priceCents: number
  planned: SellDay
  business: string
  color: string
  phone: string | null
  street: string
  language: 'en' | 'es'
  visitId: string
  /** What the customer said, if anything: what the office does with it is no word of theirs. */
  answer: 'yes' | 'no' | null
  /** Nobody answers after this. */
  over: boolean
}

/** So long a question is open, from when it was sent: the phone that asked it may have been away. */
const openDays = 7

/** What a customer is asked by a link; null where nothing was asked. */
export const findAskedSale = async (db: TenantDb, id: string): Promise<AskedSale | null> => {
  const { rows } = await sql<Omit<AskedSale, 'over'> & { at: string }>`
    select x.id, x.state, case when c.language = 'es' and x.title_es <> '' then x.title_es else x.title end as title, x.shown_cents as "priceCents", x.planned, b.name as business, b.brand_color as color, b.phone, p.street,
      case when c.language = 'es' then 'es' else 'en' end as language, v.id as "visitId", k.answer, x.created_at as at
    from visit_extras x
    left join extra_consents k on k.business_id = x.business_id and k.extra_id = x.id
    join visits v on v.business_id = x.business_id and v.id = x.visit_id
    join businesses b on b.business_id = x.business_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    where x.business_id = ${db.businessId} and x.id = ${id} and x.kind = 'sold' and x.shown_cents is not null`.execute(
    db,
  )
  const [row] = rows
  if (!row) return null
  const { at, ...asked } = row
  return { ...asked, over: clock.nowMs() - Date.parse(at) > openDays * 86_400_000 }
}
