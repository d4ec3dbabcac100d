import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor, SystemActor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, type TenantScope, withTenant } from '../../../platform/db/tenant.ts'
import { geocoder } from '../../../platform/geo/engines.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { log } from '../../../platform/log.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import type { Address } from '../../../shared/places.ts'
import { listAddressesWanted, placePropertiesTx, wantPlacesTx } from '../../customers/server/commands.ts'
import type { Verdict } from '../rules.ts'
import { findPlaces, roughly } from './find.ts'
import { countWaiting } from './queries.ts'

export const FindTask = z.object({})

/** Looks up what waits; the work stands in `tasks.ts`. All businesses stand in one line, for the service knows only one of us. */
export const findTask = taskName({ name: 'geocoding.find', payload: FindTask, queue: () => 'geocoding' })

/** Asks for the look-up of what waits. */
export const wakeFinder = (db: TenantDb): Promise<void> => enqueue(db, findTask, {}, { key: 'find' })

/** A person waits for the answer: who is not served by then gets the middle of the ZIP code. */
const personMs = 6_000

/** Where an address is, for a form: at once and without keeping a place. */
export const lookUp = async (actor: TenantScope, address: Address): Promise<Verdict> => {
  await countUse(`lookup:${actor.businessId}`, 60, 60)
  const signal = AbortSignal.timeout(personMs)
  try {
    const [verdict] = await findPlaces(actor, [address], { signal, patienceMs: 3_000 })
    if (verdict) return verdict
  } catch (error) {
    log.warn({ err: error }, 'an address could not be looked up')
  }
  const rough = roughly(address)
  return { ...rough, note: rough.note || 'The address service does not answer right now.' }
}

/** Looks again at every address without a good place; what a person set stays. */
export const lookAgain = async (actor: Actor): Promise<{ waiting: number }> =>
  withTenant(actor, async (db) => {
    const wanted = await wantPlacesTx(db)
    if (wanted > 0) {
      await wakeFinder(db)
      await audit(
        db,
        actor,
        'geocoding.again',
        { type: 'business', id: db.businessId },
        { after: { properties: wanted } },
      )
    }
    return { waiting: await countWaiting(db) }
  })

/** Addresses of one transaction. */
const chunk = 500
/** One business does not hold up the others longer than that. */
const turnMs = 30_000

/**
 * Places what waits: first roughly, so that an import is on the map at once, then by the service.
 * @returns true when something is left for another turn
 * @throws when the service does not answer; the rough places stay, and the task tries again later
 */
export const placeWaiting = async (actor: SystemActor): Promise<boolean> => {
  const signal = AbortSignal.timeout(turnMs)
  const service = geocoder()
  for (let after = ''; ; ) {
    const some = await withTenant(actor, (db) => listAddressesWanted(db, { after, limit: 2_000 }))
    if (some.length === 0) break
    const update = some
      .filter((one) => !service || one.latitude === null)
      .map((one) => ({ ...one, ...roughly(one), done: !service }))
    await withTenant(actor, (db) => placePropertiesTx(db, update))
    after = some.at(-1)!.id
  }
  if (!service) return false
  for (let after = ''; !signal.aborted; ) {
    const size = Math.min(service.batch, Math.max(chunk, service.batch))
    const some = await withTenant(actor, (db) =>
      listAddressesWanted(db, { after, limit: service.batch === 1 ? 25 : size }),
    )
    if (some.length === 0) return false
    const verdicts = await findPlaces(actor, some, { signal, patienceMs: turnMs })
    const update = some.flatMap((one, i) => (verdicts[i] ? [{ ...one, ...verdicts[i], done: true }] : []))
    await withTenant(actor, (db) => placePropertiesTx(db, update))
    if (update.length < some.length) return true
    after = some.at(-1)!.id
  }
  return true
}

/** Forgets answers that are too old to be used. */
export const tidyAddresses = async (db: TenantDb): Promise<void> => {
  const days = geocoder()?.keepDays ?? 30
  const before = new Date(clock.nowMs() - days * 86_400_000).toISOString().slice(0, 10)
  await sql`delete from geocoded_addresses where business_id = ${db.businessId} and asked_on < ${before}::date`.execute(
    db,
  )
  if ((await countWaiting(db)) > 0) await wakeFinder(db)
}
