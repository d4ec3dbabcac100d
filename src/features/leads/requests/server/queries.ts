import type { BusinessId, TenantDb } from '../../../../platform/db/tenant.ts'
import { findBusinessBySlug } from '../../../businesses/server/queries.ts'
import type { Corner } from '../../../customers/areas/rules.ts'
import { priceNeedsSize } from '../../../services/rules.ts'
import { listServices, type PricedService } from '../../../services/server/queries.ts'
import type { LeadSettings } from '../contract.ts'
import { consentLine, offersLine, pricedAfterLook, type RewardTerms, type ServiceArea, usualReply } from '../rules.ts'

type Kept = Pick<
  LeadSettings,
  'formOn' | 'replyOn' | 'replyText' | 'areaKind' | 'areaZips' | 'areaRing' | 'pricesOn' | 'serviceIds' | 'version'
> &
  Pick<LeadSettings, 'bookOn' | 'bookServiceIds' | 'bookDaysAhead' | 'bookMostDaily' | 'bookAsks'> &
  RewardTerms

const usual: Kept = {
  formOn: true,
  replyOn: true,
  replyText: usualReply,
  areaKind: 'anywhere',
  areaZips: [],
  areaRing: null,
  pricesOn: true,
  serviceIds: [],
  bookOn: false,
  bookServiceIds: [],
  bookDaysAhead: 14,
  bookMostDaily: 3,
  bookAsks: false,
  referralOn: false,
  referralGiverCents: 2500,
  referralFriendCents: 0,
  version: 0,
}

/** What holds for requests; a business that said nothing takes them from anywhere. */
export const getKept = async (db: TenantDb): Promise<Kept> => {
  const row = await db.selectFrom('leadSettings').selectAll().where('businessId', '=', db.businessId).executeTakeFirst()
  return row ? { ...row, areaRing: row.areaRing as [number, number][] | null } : usual
}

export const areaOf = ({ areaKind, areaZips, areaRing }: Kept): ServiceArea => ({
  kind: areaKind,
  zips: areaZips,
  ring: areaRing as Corner[] | null,
})

const businessOf = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['name', 'slug', 'publicPage', 'brandColor', 'phone', 'closedAt'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

/** Where the business starts in the morning: the middle of its first crew's day. */
const homeOf = async (db: TenantDb): Promise<LeadSettings['home']> => {
  const crew = await db
    .selectFrom('crews')
    .select(['depotLatitude', 'depotLongitude'])
    .where('businessId', '=', db.businessId)
    .where('depotLatitude', 'is not', null)
    .where('depotLongitude', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return crew?.depotLatitude != null && crew.depotLongitude != null
    ? { lat: crew.depotLatitude, lon: crew.depotLongitude }
    : null
}

const hasCrew = async (db: TenantDb): Promise<boolean> =>
  (await db
    .selectFrom('crews')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const getLeadSettings = async (db: TenantDb): Promise<LeadSettings> => {
  const kept = await getKept(db)
  const { slug, name, publicPage } = await businessOf(db)
  return {
    ...kept,
    slug,
    businessName: name,
    publicPage,
    home: await homeOf(db),
    hasCrew: await hasCrew(db),
    services: (await listServices(db)).map(({ id, name: of, category }) => ({
      id,
      name: of,
      mows: category === 'mow',
    })),
  }
}

export type Door = {
  businessId: BusinessId
  name: string
  color: string
  phone: string | null
  open: boolean
  page: boolean
}

/** The business behind an address that strangers have, or null. */
export const findDoor = async (
  slug: string,
  within: <T>(scope: { businessId: BusinessId }, work: (db: TenantDb) => Promise<T>) => Promise<T>,
): Promise<Door | null> => {
  const businessId = await findBusinessBySlug(slug)
  if (!businessId) return null
  return within({ businessId }, async (db) => {
    const { name, brandColor, phone, closedAt, publicPage } = await businessOf(db)
    const { formOn } = await getKept(db)
    return { businessId, name, color: brandColor, phone, open: formOn && closedAt === null, page: publicPage }
  })
}

/** What the page names a price for: what the owner chose, else all that mows. */
export const listOffered = async (db: TenantDb): Promise<PricedService[]> => {
  const { pricesOn, serviceIds } = await getKept(db)
  if (!pricesOn) return []
  return (await listServices(db)).filter(({ id, category }) =>
    serviceIds.length > 0 ? serviceIds.includes(id) : category === 'mow',
  )
}

/** What of it can be booked into a day by a visitor. */
export const listBookable = async (db: TenantDb): Promise<PricedService[]> => {
  const { bookOn, bookServiceIds } = await getKept(db)
  return bookOn
    ? (await listOffered(db)).filter((service) => bookServiceIds.includes(service.id) && !pricedAfterLook(service))
    : []
}

export const getOffer = async (db: TenantDb, door: Door) => {
  const bookable = new Set((await listBookable(db)).map(({ id }) => id))
  return {
    open: door.open && door.page,
    consent: consentLine(door.name),
    offers: offersLine(door.name),
    services: (await listOffered(db)).map(({ id, name, category, priceRule, measuredBy }) => ({
      id,
      name,
      frequencies: category === 'mow' ? (['weekly', 'biweekly', 'once'] as const).slice() : (['once'] as const).slice(),
      needsSize: priceNeedsSize(priceRule) && measuredBy === 'lawn',
      afterLook: pricedAfterLook({ measuredBy, priceRule }),
      bookable: bookable.has(id),
    })),
  }
}
