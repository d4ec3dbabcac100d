import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { type Address, isFixed, type PlaceQuality } from '../../../shared/places.ts'

/** The places of properties as look-ups give and take them. */

export type WantedAddress = Address & { id: string; latitude: number | null; wantedAt: string }

/** Properties whose address waits to be looked up, by id. */
export const listAddressesWanted = async (
  db: TenantDb,
  page: { after: string; limit: number },
): Promise<WantedAddress[]> => {
  const rows = await db
    .selectFrom('properties')
    .select(['id', 'street', 'city', 'state', 'zip', 'latitude', 'geocodeWantedAt'])
    .where('businessId', '=', db.businessId)
    .where('geocodeWantedAt', 'is not', null)
    .$if(page.after !== '', (query) => query.where('id', '>', page.after))
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return rows.map(({ geocodeWantedAt, ...row }) => ({ ...row, wantedAt: geocodeWantedAt as string }))
}

export type Placed = {
  id: string
  wantedAt: string
  point: { lat: number; lng: number } | null
  quality: PlaceQuality
  note: string
  /** False: a rough place for now, the look-up still comes. */
  done: boolean
}

/**
 * Puts properties where a look-up found them. A pin that a person set and an address that was changed since are left alone. The version stays: who has the form
 * open changes other fields.
 */
export const placePropertiesTx = async (db: TenantDb, placed: readonly Placed[]): Promise<void> => {
  if (placed.length === 0) return
  const rows = placed.map(({ id, wantedAt, point, quality, note, done }) => ({
    id,
    wanted_at: wantedAt,
    lat: point?.lat ?? null,
    lng: point?.lng ?? null,
    quality: point ? quality : 'none',
    note,
    done,
  }))
  const changed = await sql<{ customerId: string }>`
    update properties p set latitude = x.lat, longitude = x.lng, geocode_quality = x.quality, geocode_note = x.note,
      geocode_wanted_at = case when x.done then null else p.geocode_wanted_at end, updated_at = ${clock.iso()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as x(id uuid, wanted_at timestamptz, lat double precision, lng double precision, quality text, note text, done boolean)
    where p.business_id = ${db.businessId} and p.id = x.id and p.geocode_wanted_at = x.wanted_at
      and p.geocode_quality not in ('manual', 'exact')
    returning p.customer_id as "customerId"`.execute(db)
  await publishChange(
    db,
    'customers',
    changed.rows.map((row) => row.customerId),
  )
  await publishChange(db, 'visits')
}

/** Marks every property without a good place to be looked up again. Returns how many are marked now. */
export const wantPlacesTx = async (db: TenantDb): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('properties')
    .set({ geocodeWantedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('geocodeQuality', 'in', ['none', 'zip', 'county', 'approximate'])
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await publishChange(db, 'customers')
  return Number(numUpdatedRows)
}

/** What a change of the address does to the place: looked up anew, but a pin set by hand stays unless the person lets it go. */
export const placeAfter = (
  row: Address & { geocodeQuality: string },
  changes: Partial<Address>,
  relocate: boolean,
): { wanted: boolean; values: Record<string, unknown> } => {
  const moved = (['street', 'city', 'state', 'zip'] as const).some(
    (field) => changes[field] !== undefined && changes[field] !== row[field],
  )
  const wanted = relocate || (moved && !isFixed(row.geocodeQuality as PlaceQuality))
  return {
    wanted,
    values: wanted
      ? {
          latitude: null,
          longitude: null,
          geocodeQuality: 'none',
          geocodeNote: '',
          geocodeWantedAt: clock.iso(),
        }
      : {},
  }
}
