import { sql } from 'kysely'
import { todayOf } from '../features/businesses/server/queries.ts'
import type { ChemicalProduct } from '../features/chemicals/contract.ts'
import { addNeighbor } from '../features/chemicals/neighbors/server/commands.ts'
import { draftOfFacts } from '../features/chemicals/records/rules.ts'
import { amendRecord, recordTx } from '../features/chemicals/records/server/commands.ts'
import { getRecord, getTreatment } from '../features/chemicals/records/server/queries.ts'
import { amountFor, carrierFor, winds } from '../features/chemicals/rules.ts'
import { addMix, addProduct } from '../features/chemicals/server/commands.ts'
import { addLicense } from '../features/employees/licenses/server/commands.ts'
import { listServiceNames } from '../features/services/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays } from '../shared/dates.ts'

const products = [
  {
    name: 'Trimec Classic',
    epaNumber: '2217-543',
    formulation: 'Liquid concentrate',
    signalWord: 'danger',
    licenseSkill: 'applicator',
    reentryHours: 24,
    unit: 'fl oz',
    // as the label has it for southern lawns
    labelLow: 1.1,
    labelHigh: 1.5,
  },
  {
    name: 'Barricade 4FL',
    epaNumber: '100-1139',
    formulation: 'Flowable',
    signalWord: 'caution',
    licenseSkill: 'applicator',
    reentryHours: 12,
    unit: 'fl oz',
    labelLow: 0.23,
    labelHigh: 0.83,
  },
  {
    name: 'Fertilizer 24-0-11',
    epaNumber: '',
    formulation: 'Granular',
    signalWord: '',
    licenseSkill: '',
    reentryHours: 0,
    unit: 'lb',
    labelLow: null,
    labelHigh: null,
  },
] as const

const mixes = [
  {
    name: 'Broadleaf weeds',
    usedFor: /weed/i,
    products: [[0, 1.2]],
    carrierGallons: 1.5,
    target: 'Dollarweed, clover',
    method: 'Broadcast spray',
    equipment: 'Z-Spray 1',
  },
  {
    name: 'Pre-emergent',
    usedFor: /pre-?emerg/i,
    products: [[1, 0.46]],
    carrierGallons: 2,
    target: 'Crabgrass',
    method: 'Broadcast spray',
    equipment: 'Z-Spray 1',
  },
  {
    name: 'Fertilizer',
    usedFor: /fertili/i,
    products: [[2, 4.17]],
    carrierGallons: null,
    target: 'Nutrition',
    method: 'Spread',
    equipment: 'Spreader 2',
  },
] as const

/** So many days of treatments are on record. */
const daysBack = 30
const minuteMs = 60_000

type Done = { id: string; startedAt: string; finishedAt: string; squareFeet: number }

/** Three mixes and a month of records by the one who holds the license; one came two days late, one was put right. A neighbor wants to be told. */
export const treatLawns = async (owner: Actor): Promise<void> => {
  const made: ChemicalProduct[] = []
  for (const product of products) made.push(await addProduct(owner, { ...product, restricted: false, labelUrl: '' }))
  const services = await withTenant(owner, (db) => listServiceNames(db))
  const idsOf = (wanted: RegExp) =>
    services.flatMap(({ id, name, category }) => (category === 'treat' && wanted.test(name) ? [id] : []))
  for (const { products: lines, usedFor, ...mix } of mixes)
    await addMix(owner, {
      ...mix,
      serviceIds: idsOf(usedFor),
      products: lines.map(([at, rate]) => ({ productId: made[at]?.id ?? '', rate })),
    })
  const { today, sprayer, visits, next } = await withTenant(owner, async (db) => {
    const day = await todayOf(db)
    const { rows: people } = await sql<{ id: string; name: string }>`
      select u.id, u.name from licenses l join users u on u.business_id = l.business_id and u.id = l.user_id
      where l.business_id = ${db.businessId} and l.skill = 'applicator' limit 1`.execute(db)
    const treated = sql`exists (select 1 from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
      where l.business_id = v.business_id and l.visit_id = v.id and s.category = 'treat')`
    const { rows: done } = await sql<Done>`
      select v.id, v.started_at as "startedAt", v.finished_at as "finishedAt", coalesce(p.lawn_square_feet, 6000) as "squareFeet"
      from visits v join properties p on p.business_id = v.business_id and p.id = v.property_id
      where v.business_id = ${db.businessId} and v.status = 'completed' and v.day >= ${addDays(day, -daysBack)} and v.started_at is not null
        and v.finished_at is not null and ${treated}
      order by v.finished_at limit 80`.execute(db)
    const { rows: ahead } = await sql<{ propertyId: string }>`
      select v.property_id as "propertyId" from visits v
      where v.business_id = ${db.businessId} and v.status = 'scheduled' and v.day > ${day} and ${treated} order by v.day, v.id limit 1`.execute(
      db,
    )
    return { today: day, sprayer: people[0], visits: done, next: ahead[0] }
  })
  if (!sprayer) return
  await addLicense(owner, sprayer.id, {
    skill: 'applicator',
    number: 'GA-24-3318',
    state: 'GA',
    validFrom: addDays(today, -300),
    expiresOn: addDays(today, 430),
  })
  const crew: Actor = { ...owner, userId: sprayer.id, name: sprayer.name, role: 'Employee', permissions: [] }
  const ids: string[] = []
  await withTenant(owner, async (db) => {
    for (const [at, visit] of visits.entries()) {
      const mix = mixes[at % mixes.length] ?? mixes[0]
      const id = newId()
      ids.push(id)
      // What was forgotten on a Thursday is typed on a Saturday.
      const delayMs = at === Math.floor(visits.length / 2) ? 2 * 1440 * minuteMs : 4 * minuteMs
      await recordTx(db, crew, await getTreatment(db, visit.id), {
        id,
        fromPhone: true,
        enteredAt: new Date(Date.parse(visit.finishedAt) + delayMs).toISOString(),
        draft: {
          mix: mix.name,
          areaName: 'Lawn',
          areaSquareFeet: visit.squareFeet,
          startedAt: visit.startedAt,
          endedAt: visit.finishedAt,
          products: mix.products.map(([which, rate]) => ({
            productId: made[which]?.id ?? '',
            rate,
            amount: amountFor(rate, visit.squareFeet),
          })),
          carrierGallons: carrierFor(mix.carrierGallons, visit.squareFeet),
          target: mix.target,
          method: mix.method,
          equipment: mix.equipment,
          weather: {
            windMph: 2 + ((at * 5) % 7),
            windFrom: winds[1 + ((at * 3) % 8)] ?? 'S',
            temperatureF: 66 + ((at * 7) % 17),
            sky: at % 4 === 1 ? 'Cloudy' : 'Clear',
            source: 'forecast',
          },
          soil: at % 5 === 2 ? 'Moist' : 'Dry',
          applicatorId: sprayer.id,
          supervisorId: null,
          signPosted: mix.products[0][0] !== 2,
          noticeLeft: 'Door hanger',
          neighborsTold: '',
          incident: '',
          disposal: '',
          signature: sprayer.name,
        },
      })
    }
  })
  const wrong = ids.at(-3)
  if (wrong) {
    const { facts } = await withTenant(owner, (db) => getRecord(db, owner, wrong))
    await amendRecord(owner, wrong, {
      ...draftOfFacts(facts),
      products: facts.products.map(({ productId, rate, amount }) => ({
        productId,
        rate,
        amount: Math.round(amount * 50) / 100,
      })),
      areaName: 'Front lawn only',
      areaSquareFeet: Math.round(facts.areaSquareFeet / 2),
      reason: 'Only the front was sprayed: the back was too wet',
      seen: 0,
    })
  }
  if (next)
    await addNeighbor(owner, next.propertyId, {
      name: 'Marian Teague',
      contact: '(912) 555-0188',
      note: 'Keeps bees',
      askedOn: addDays(today, -40),
    })
}
