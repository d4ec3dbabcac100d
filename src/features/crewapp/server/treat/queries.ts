import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, instantAt } from '../../../../shared/dates.ts'
import { asSkill } from '../../../../shared/skills.ts'
import { listApplicators, listKeepOff, listRecordStates } from '../../../chemicals/records/server/queries.ts'
import { defaultSkill } from '../../../chemicals/rules.ts'
import { getChemicalRules, listMixes, listProducts } from '../../../chemicals/server/queries.ts'
import { listAreaSizes } from '../../../customers/areas/server/queries.ts'
import { listConditions } from '../../../weather/server/queries.ts'
import type { CrewChemicals, StopTreatment } from '../../treat/contract.ts'

/** What a person needs on the phone to write applications down; nothing where the business has no mixes. */
export const findChemicals = async (
  db: TenantDb,
  actor: Actor,
  { from, treats }: { from: Day; treats: boolean },
): Promise<CrewChemicals | null> => {
  if (!treats) return null
  const mixes = (await listMixes(db)).filter(({ archivedAt }) => archivedAt === null)
  if (mixes.length === 0) return null
  const products = await listProducts(db, [
    ...new Set(mixes.flatMap((mix) => mix.products.map(({ productId }) => productId))),
  ])
  const asked = new Set(products.map(({ licenseSkill }) => asSkill(licenseSkill || defaultSkill)))
  const to = addDays(from, 2)
  const { rows } = await sql<{ id: string; onCrew: boolean }>`
    select u.id, bool_or(p.on_crew) as "onCrew" from (
      select user_id, true as on_crew from crew_members where business_id = ${db.businessId}
        and crew_id in (select crew_id from crew_members where business_id = ${db.businessId} and user_id = ${actor.userId}
          and valid_from <= ${to} and (valid_to is null or valid_to >= ${from}))
        and valid_from <= ${to} and (valid_to is null or valid_to >= ${from})
      union all select user_id, false from licenses where business_id = ${db.businessId} and deleted_at is null and expires_on >= ${from}
        and lower(btrim(skill)) = any(${sql.val([...asked])}::text[])) p
    join users u on u.business_id = ${db.businessId} and u.id = p.user_id and u.status <> 'disabled'
    group by u.id order by "onCrew" desc, u.id limit 100`.execute(db)
  const onCrew = new Set([actor.userId, ...rows.filter((row) => row.onCrew).map(({ id }) => id)])
  const isAsked = ({ skill, expiresOn }: { skill: string; expiresOn: Day }) =>
    expiresOn >= from && asked.has(asSkill(skill))
  // Of who is not on the crew the phone has the licenses under which they may supervise, and no others.
  const people = (await listApplicators(db, [...new Set([...onCrew, ...rows.map(({ id }) => id)])])).map((one) => ({
    ...one,
    licenses: onCrew.has(one.id) ? one.licenses : one.licenses.filter(isAsked),
  }))
  const { rows: places } = await sql<{ latitude: number | null; longitude: number | null }>`
    select coalesce(c.depot_latitude, b.latitude) as latitude, coalesce(c.depot_longitude, b.longitude) as longitude
    from businesses b
    left join crew_members m on m.business_id = b.business_id and m.user_id = ${actor.userId} and m.valid_from <= ${from}
      and (m.valid_to is null or m.valid_to >= ${from})
    left join crews c on c.business_id = m.business_id and c.id = m.crew_id
    where b.business_id = ${db.businessId} order by c.id limit 1`.execute(db)
  const [place] = places
  const hours =
    place && place.latitude !== null && place.longitude !== null
      ? await listConditions(
          db,
          { latitude: place.latitude, longitude: place.longitude },
          instantAt(from, 0, actor.timeZone),
          instantAt(addDays(from, 3), 0, actor.timeZone),
        )
      : []
  return {
    mixes: mixes.map((mix) => ({
      id: mix.id,
      name: mix.name,
      carrierGallons: mix.carrierGallons,
      target: mix.target,
      method: mix.method,
      equipment: mix.equipment,
      products: mix.products.flatMap(({ productId, rate }) => {
        const product = products.find(({ id }) => id === productId)
        if (!product) return []
        const { name, unit, epaNumber, licenseSkill, restricted, reentryHours } = product
        return [{ productId, name, unit, rate, epaNumber, licenseSkill, restricted, reentryHours }]
      }),
    })),
    people,
    hours,
  }
}

/** What stops say of treatments, by visit. */
export const findTreatments = async (
  db: TenantDb,
  visits: readonly {
    id: string
    propertyId: string
    treats: boolean
    squareFeet: number | null
  }[],
): Promise<Map<string, StopTreatment>> => {
  const treated = visits.filter(({ treats }) => treats).map(({ id }) => id)
  const areas = await listAreaSizes(
    db,
    visits.flatMap(({ treats, propertyId }) => (treats ? propertyId : [])),
  )
  const [states, closed, { blockFinish }] = [
    await listRecordStates(db, treated),
    await listKeepOff(
      db,
      visits.map(({ propertyId }) => propertyId),
    ),
    await getChemicalRules(db),
  ]
  return new Map(
    visits.flatMap(({ id, propertyId, treats, squareFeet }) => {
      const keepOffUntil = closed.get(propertyId) ?? null
      if (!treats && !keepOffUntil) return []
      const { records, complete } = states.get(id) ?? { records: 0, complete: false }
      const own = (treats && areas.get(propertyId)) || []
      const needed = treats && blockFinish && !complete
      const areasOf = own.length > 0 ? { areas: own } : {}
      return [[id, { treats, squareFeet, records, needed, keepOffUntil, ...areasOf }]]
    }),
  )
}
