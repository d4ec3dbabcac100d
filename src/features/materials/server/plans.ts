import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import type { Day } from '../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { QuoteContent } from '../../quotes/contract.ts'
import { addQuoteLineTx, createQuoteTx } from '../../quotes/server/commands.ts'
import { budgetMinutesFor } from '../../services/rules.ts'
import { getServices } from '../../services/server/queries.ts'
import type { Choice } from '../calculation/contract.ts'
import { type Calculation, calculate } from '../calculation/rules.ts'
import type { Material, materialsApi, PlannedMaterial } from '../contract.ts'
import { amountText, packagesText, quantityFor } from '../rules.ts'
import { lockMaterials, takeTx } from './commands.ts'
import { countAhead, mostPlans, openStatuses } from './loads.ts'
import { getMaterial, getMaterialSettings, readMaterial } from './queries.ts'

type Asked = { materialId: string; choice: Choice }

/** The calculation anew, by what the material is and what holds today: nothing of it comes from a browser. @throws validation_failed, not_found */
const calculateAnew = async (
  db: TenantDb,
  actor: Actor,
  { materialId, choice }: Asked,
): Promise<{ material: Awaited<ReturnType<typeof readMaterial>>; found: Calculation }> => {
  const material = await readMaterial(db, materialId)
  if (material.archived) throw conflict('This material was put away. Bring it back first. Nothing was saved.')
  const { lawsOff } = await getMaterialSettings(db, actor)
  const found = calculate(choice, material, lawsOff)
  if (found.problem) throw invalid([{ path: `choice.${found.problem.path}`, message: found.problem.message }])
  return { material, found }
}

type VisitRow = {
  id: string
  jobId: string
  day: Day | null
  crewId: string | null
  propertyId: string
  state: string
  place: string
}

/** @throws not_found; state_conflict for a visit that is over */
const getOpenVisit = async (db: TenantDb, id: string): Promise<VisitRow> => {
  const { rows } = await sql<VisitRow & { status: string }>`
    select v.id, v.job_id as "jobId", v.day, v.crew_id as "crewId", v.property_id as "propertyId", v.status, p.state,
      left(concat_ws(', ', c.name, p.street), 300) as place
    from visits v
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = p.business_id and c.id = p.customer_id
    where v.business_id = ${db.businessId} and v.id = ${id}`.execute(db)
  const [visit] = rows
  if (!visit) throw notFound('visit')
  if (!openStatuses.includes(visit.status))
    throw conflict('This visit is over. Choose one that is still to come. Nothing was saved.')
  return visit
}

const tellOf = async (
  db: TenantDb,
  materialId: string,
  visit: { id: string; day: Day | null; crewId: string | null } | null,
): Promise<void> => {
  await publishChange(db, 'materials', [materialId])
  if (visit) await publishChange(db, 'visits', [visit.id], { days: [visit.day], crewIds: [visit.crewId] })
}

/**
 * What a law or a label allows is for one time: a second fertilizer, or the same product again, would go over it together.
 * @throws state_conflict
 */
const refuseTwice = async (
  db: TenantDb,
  { kind, productId }: { kind: Material['kind']; productId: string | null },
  visitId: string,
): Promise<void> => {
  if (kind !== 'fertilizer' && productId === null) return
  const other = await db
    .selectFrom('materialPlans as l')
    .innerJoin('materials as m', (join) =>
      join.onRef('m.businessId', '=', 'l.businessId').onRef('m.id', '=', 'l.materialId'),
    )
    .select(['m.name', 'l.usedAt'])
    .where('l.businessId', '=', db.businessId)
    .where('l.visitId', '=', visitId)
    .where((eb) => (kind === 'fertilizer' ? eb('m.kind', '=', 'fertilizer') : eb('m.productId', '=', productId)))
    .orderBy('l.usedAt', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
  if (!other) return
  const [again, limit] =
    kind === 'fertilizer' ? ['A second fertilizer', 'the law allows'] : ['The same product again', 'its label allows']
  throw conflict(
    other.usedAt
      ? `${other.name} was used on this visit already. ${again} could be more than ${limit} at once. Nothing was saved.`
      : `${other.name} is on the load list of this visit already. ${again} could be more than ${limit} at once: take it off there first. Nothing was saved.`,
  )
}

/** Puts what was calculated on the load list of a visit. A fertilizer goes by the state of the place and the day of the visit. */
export const planMaterial = (
  actor: Actor,
  { materialId, choice, visitId }: z.output<typeof materialsApi.plan.body>,
): Promise<PlannedMaterial> =>
  withTenant(actor, async (db) => {
    // two people who plan for one visit, and who changes what is planned, come one after the other
    await lockMaterials(db)
    const visit = await getOpenVisit(db, visitId)
    const there =
      choice.kind === 'fertilizer' ? { ...choice, state: visit.state || null, on: visit.day ?? choice.on } : choice
    const { material, found } = await calculateAnew(db, actor, { materialId, choice: there })
    await refuseTwice(db, material, visitId)
    if ((await countAhead(db)) >= mostPlans)
      throw conflict(
        `The load lists hold up to ${mostPlans} calculations. Take off first what nobody loads. Nothing was saved.`,
      )
    const id = newId()
    const amount = Math.ceil(found.amount * 1000 - 1e-6) / 1000
    await db
      .insertInto('materialPlans')
      .values({
        businessId: db.businessId,
        id,
        materialId,
        visitId,
        place: visit.place,
        amount,
        choice: JSON.stringify(there),
        userId: actor.userId,
        createdAt: clock.iso(),
      })
      .execute()
    await audit(db, actor, 'material.plan', { type: 'material', id: materialId }, { after: { visitId, amount } })
    await tellOf(db, materialId, visit)
    return {
      id,
      materialId,
      place: visit.place,
      visitId,
      jobId: visit.jobId,
      day: visit.day,
      amount,
      by: actor.name,
      problem: null,
    }
  })

const lockPlan = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('materialPlans')
    .select(['id', 'materialId', 'visitId', 'place', 'usedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('calculation')
  if (row.usedAt) throw conflict('This was used already. Nothing was changed.')
  const visit = row.visitId
    ? await db
        .selectFrom('visits')
        .select(['id', 'day', 'crewId'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', row.visitId)
        .executeTakeFirst()
    : null
  return { ...row, visit: visit ?? null }
}

export const unplanMaterial = (actor: Actor, id: string): Promise<{ id: string }> =>
  withTenant(actor, async (db) => {
    const { materialId, visit, place } = await lockPlan(db, id)
    await db.deleteFrom('materialPlans').where('businessId', '=', db.businessId).where('id', '=', id).execute()
    await audit(db, actor, 'material.unplan', { type: 'material', id: materialId }, { before: { place } })
    await tellOf(db, materialId, visit)
    return { id }
  })

/** What was loaded is used: it leaves what there is, and the load list. */
export const takePlan = (
  actor: Actor,
  id: string,
  { packages }: z.output<typeof materialsApi.usePlan.body>,
): Promise<Material> =>
  withTenant(actor, async (db) => {
    const { materialId, visit, place } = await lockPlan(db, id)
    await takeTx(db, actor, materialId, { packages, note: place, visitId: visit?.id ?? null })
    await db
      .updateTable('materialPlans')
      .set({ usedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await tellOf(db, materialId, visit)
    return getMaterial(db, actor, materialId)
  })

/** A line on a draft for a property, or on a new one: what the customer pays is typed, what the material costs is calculated. */
export const putOnQuote = (
  actor: Actor,
  { materialId, choice, propertyId, quoteId, serviceId, priceCents }: z.output<typeof materialsApi.quoteLine.body>,
): Promise<{ quoteId: string; number: number }> =>
  withTenant(actor, async (db) => {
    const place = await db
      .selectFrom('properties')
      .select(['state', 'difficulty'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', propertyId)
      .executeTakeFirst()
    if (!place) throw notFound('property')
    const there = choice.kind === 'fertilizer' ? { ...choice, state: place.state || null } : choice
    const { material, found } = await calculateAnew(db, actor, { materialId, choice: there })
    const [service] = await getServices(db, [serviceId])
    if (!service) throw notFound('service')
    const quantity = quantityFor(service.unit, found, material)
    const size = service.measuredBy === 'edges' ? null : Math.round(choice.squareFeet)
    const line = {
      id: newId(),
      serviceId,
      name: `${service.name}: ${material.name}`.slice(0, 160),
      description: `${packagesText(found.packages, material.package)} for ${amountText(choice.squareFeet)} sq ft`,
      quantity,
      unit: service.unit,
      unitPriceCents: priceCents,
      // of one of them: the quote multiplies
      costCents: Math.round((found.costCents ?? 0) / quantity),
      minutes: budgetMinutesFor(service, {
        measuredBy: service.measuredBy,
        size,
        difficulty: place.difficulty,
        quantity,
      }),
      taxCategory: service.taxCategory,
    }
    if (quoteId) return { quoteId, number: await addQuoteLineTx(db, actor, quoteId, propertyId, line) }
    const made = await createQuoteTx(db, actor, {
      propertyId,
      title: '',
      content: QuoteContent.parse({ lines: [line] }),
      note: '',
      source: '',
      templateId: null,
    })
    const { number } = await db
      .selectFrom('quotes')
      .select('number')
      .where('businessId', '=', db.businessId)
      .where('id', '=', made)
      .executeTakeFirstOrThrow()
    return { quoteId: made, number }
  })
