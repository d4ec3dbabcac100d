import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import { inPieces } from '../../../platform/db/rows.ts'
import { type TenantDb, type TenantScope, withTenant } from '../../../platform/db/tenant.ts'
import { patiently } from '../../../platform/geo/ask-service.ts'
import { geocoder } from '../../../platform/geo/engines.ts'
import type { FoundAddress, Geocoder } from '../../../platform/geo/geocoder.ts'
import { takeTurn } from '../../../platform/geo/turns.ts'
import { type Address, zip5 } from '../../../shared/places.ts'
import { addressKeyOf, type Found, isFindable, judge, type Verdict, withoutService } from '../rules.ts'
import { surroundingsOf } from './zip-centers.ts'

/** Finds where addresses are: what a service said before, what it says now, and without one the middle of the ZIP code. */

const daysAgo = (days: number): string => new Date(clock.nowMs() - days * 86_400_000).toISOString().slice(0, 10)

/** An address that was not found may be built or mapped by then. */
const unknownDays = 30

type Kept = { key: string; found: Found | null }

const readStored = async (db: TenantDb, service: Geocoder, keys: readonly string[]): Promise<Kept[]> => {
  const rows = await db
    .selectFrom('geocodedAddresses')
    .select(['addressKey', 'latitude', 'longitude', 'quality', 'several', 'label'])
    .where('businessId', '=', db.businessId)
    .where('service', '=', service.id)
    .where('addressKey', 'in', [...keys])
    .where((eb) =>
      eb.or([
        eb.and([eb('quality', '!=', 'none'), eb('askedOn', '>=', daysAgo(service.keepDays))]),
        eb('askedOn', '>=', daysAgo(unknownDays)),
      ]),
    )
    .execute()
  return rows.map(({ addressKey, latitude, longitude, quality, several, label }) => ({
    key: addressKey,
    found:
      latitude === null || longitude === null
        ? null
        : { lat: latitude, lng: longitude, quality: quality as Found['quality'], several, label },
  }))
}

const store = async (db: TenantDb, service: Geocoder, answers: readonly Kept[]): Promise<void> => {
  const business = db.businessId
  const askedOn = clock.iso().slice(0, 10)
  // in one order everywhere: two who store the same do not wait for each other
  const rows = answers.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  for (const some of inPieces(rows))
    await sql`
      insert into geocoded_addresses (business_id, service, address_key, latitude, longitude, quality, several, label, asked_on)
      values ${sql.join(
        some.map(
          ({ key, found }) =>
            sql`(${business}::uuid, ${service.id}, ${key}, ${found?.lat ?? null}::float8, ${found?.lng ?? null}::float8, ${found?.quality ?? 'none'},
              ${found?.several ?? false}::boolean, ${found?.label ?? ''}, ${askedOn}::date)`,
        ),
      )}
      on conflict (business_id, service, address_key) do update set latitude = excluded.latitude, longitude = excluded.longitude,
        quality = excluded.quality, several = excluded.several, label = excluded.label, asked_on = excluded.asked_on`.execute(
      db,
    )
}

/** Where addresses are without asking anybody. */
export const roughly = (address: Address): Verdict => withoutService(address, surroundingsOf(zip5(address.zip)))

const tries = 3

type Options = {
  signal: AbortSignal /** Longest wait for a turn; who waits longer gets a rough answer. */
  patienceMs: number
}

/** What the service says to each key. Keys that nobody had time for are missing. */
const ask = async (
  scope: TenantScope,
  service: Geocoder,
  wanted: ReadonlyMap<string, Address>,
  { signal, patienceMs }: Options,
): Promise<Map<string, Found | null>> => {
  const answers = new Map<string, Found | null>()
  const keys = [...wanted.keys()]
  const kept = keys.length ? await withTenant(scope, (db) => readStored(db, service, keys)) : []
  for (const { key, found } of kept) answers.set(key, found)
  const missing = keys.filter((key) => !answers.has(key))
  for (let at = 0; at < missing.length && !signal.aborted; at += service.batch) {
    const some = missing.slice(at, at + service.batch)
    const waitMs = await takeTurn(`geocoder:${service.id}`, service.everyMs, patienceMs)
    if (waitMs === null) return answers
    await sleep(waitMs)
    const found: (FoundAddress | null)[] = await patiently(tries, signal, () =>
      service.find(
        some.map((key) => wanted.get(key) as Address),
        signal,
      ),
    )
    const fresh = some.map((key, i) => ({ key, found: found[i] ?? null }))
    await withTenant(scope, (db) => store(db, service, fresh))
    for (const { key, found: one } of fresh) answers.set(key, one)
  }
  return answers
}

/** The verdict on each address, or null for one that the service had no time for; its rough place is known by `roughly`. */
export const findPlaces = async (
  scope: TenantScope,
  addresses: readonly Address[],
  options: Options,
): Promise<(Verdict | null)[]> => {
  const service = geocoder()
  if (!service) return addresses.map(roughly)
  const wanted = new Map(addresses.filter(isFindable).map((address) => [addressKeyOf(address), address]))
  const answers = await ask(scope, service, wanted, options)
  return addresses.map((address) => {
    if (!isFindable(address)) return roughly(address)
    const found = answers.get(addressKeyOf(address))
    return found === undefined ? null : judge(address, found, surroundingsOf(zip5(address.zip)))
  })
}
