import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { newId } from '../../../platform/ids.ts'
import { dayOf } from '../../../shared/dates.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { addExpenseTx, assertOpenDays, categoryOf } from '../../expenses/server/commands.ts'
import type { EquipmentDetail } from '../contract.ts'
import { type Meter, mostPlans } from '../rules.ts'
import { type BodyOf, entity, lock, tellOfTx } from './piece.ts'
import { getEquipment } from './queries.ts'
import { readHere } from './readings.ts'

const assertEvery = (
  { everyTenths, everyMonths }: Pick<BodyOf<'addPlan'>, 'everyTenths' | 'everyMonths'>,
  meter: Meter | null,
) => {
  if (everyTenths === null && everyMonths === null)
    throw invalid([{ path: meter ? 'everyTenths' : 'everyMonths', message: 'How often? Say it in at least one way.' }])
  if (everyTenths !== null && meter === null)
    throw invalid([{ path: 'everyTenths', message: 'It has no meter. Say the months, or give it a meter first.' }])
}

export const addPlan = (actor: Actor, id: string, { lastOn, lastTenths, ...plan }: BodyOf<'addPlan'>) =>
  withTenant(actor, async (db) => {
    const { meter } = await lock(db, id, 'service')
    assertEvery(plan, meter)
    const today = await todayOf(db)
    if (lastOn && lastOn > today) throw invalid([{ path: 'lastOn', message: 'This day has not come yet.' }])
    const { plans, reading } = await getEquipment(db, actor, id)
    if (plans.length >= mostPlans) throw conflict(`A piece of equipment has up to ${mostPlans} service plans.`)
    await db
      .insertInto('equipmentPlans')
      .values({
        ...plan,
        businessId: db.businessId,
        id: newId(),
        equipmentId: id,
        fromOn: lastOn ?? today,
        fromTenths: lastTenths ?? reading?.tenths ?? 0,
        createdAt: clock.iso(),
      })
      .execute()
    await audit(db, actor, 'equipment.addPlan', entity(id), { after: plan })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })

const lockPlan = async (db: TenantDb, equipmentId: string, planId: string) => {
  const row = await db
    .selectFrom('equipmentPlans')
    .select(['id', 'version'])
    .where('businessId', '=', db.businessId)
    .where('equipmentId', '=', equipmentId)
    .where('id', '=', planId)
    .where('archivedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('service plan')
  return row
}

const writePlan = (db: TenantDb, planId: string, change: Record<string, unknown>) =>
  db
    .updateTable('equipmentPlans')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', planId)
    .execute()

export const changePlan = (actor: Actor, id: string, { planId, version, ...plan }: BodyOf<'changePlan'>) =>
  withTenant(actor, async (db) => {
    const { meter } = await lock(db, id, 'service')
    requireVersion(await lockPlan(db, id, planId), version, 'this service plan')
    assertEvery(plan, meter)
    await writePlan(db, planId, plan)
    await audit(db, actor, 'equipment.changePlan', entity(id), { after: { planId, ...plan } })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })

export const removePlan = (actor: Actor, id: string, planId: string) =>
  withTenant(actor, async (db) => {
    await lock(db, id, 'service')
    await lockPlan(db, id, planId)
    await writePlan(db, planId, { archivedAt: clock.iso() })
    await audit(db, actor, 'equipment.removePlan', entity(id), { after: { planId } })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })

/** What it cost, for the crew and the truck that it was for. @throws AppError forbidden, state_conflict for a day of a closed month */
const bookCost = async (
  db: TenantDb,
  actor: Actor,
  one: { id: string; name: string },
  { what, doneOn, expense }: Pick<BodyOf<'service'>, 'what' | 'doneOn' | 'expense'>,
): Promise<string | null> => {
  if (!expense) return null
  if (!hasPermission(actor, 'money'))
    throw new AppError('forbidden', 'Expenses are not part of your role. Save it without the cost; nothing was saved.')
  await assertOpenDays(db, expense.totalCents, [doneOn])
  const { rows } = await sql<{ crewId: string }>`
    select crew_id as "crewId" from equipment_crews where business_id = ${db.businessId} and equipment_id = ${one.id}
      and valid_from <= ${doneOn}::date and (valid_to is null or valid_to >= ${doneOn}::date)`.execute(db)
  return addExpenseTx(db, actor, {
    ...expense,
    day: doneOn,
    categoryId: await categoryOf(db, 'repairs'),
    note: `${one.name}: ${what}`,
    taxCents: 0,
    paidByUserId: null,
    reimbursedOn: null,
    parts: [
      {
        amountCents: expense.totalCents,
        crewId: rows[0]?.crewId ?? null,
        vehicle: one.name,
        jobId: null,
        visitId: null,
      },
    ],
    source: 'office',
  })
}

export const serviceDone = (actor: Actor, id: string, body: BodyOf<'service'>): Promise<EquipmentDetail> =>
  withTenant(actor, async (db) => {
    const one = await lock(db, id, 'service')
    const { planId, what, doneOn, note } = body
    const today = await todayOf(db)
    if (doneOn > today) throw invalid([{ path: 'doneOn', message: 'This day has not come yet.' }])
    if (planId) await lockPlan(db, id, planId)
    const now = clock.iso()
    if (body.tenths !== null && doneOn === dayOf(now, actor.timeZone))
      await readHere(db, actor, one, { tenths: body.tenths, at: now, on: doneOn, source: 'service', path: 'tenths' })
    const { reading } = await getEquipment(db, actor, id)
    const expenseId = await bookCost(db, actor, one, body)
    await db
      .insertInto('equipmentWork')
      .values({
        businessId: db.businessId,
        id: newId(),
        equipmentId: id,
        planId,
        what,
        doneOn,
        tenths: one.meter === null ? null : (body.tenths ?? reading?.tenths ?? null),
        note,
        expenseId,
        userId: actor.userId,
        createdAt: now,
      })
      .execute()
    await audit(db, actor, 'equipment.service', entity(id), { after: { planId, what, doneOn, note, expenseId } })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })

export const removeWork = (actor: Actor, id: string, workId: string) =>
  withTenant(actor, async (db) => {
    await lock(db, id, 'service')
    const removed = await db
      .updateTable('equipmentWork')
      .set({ removedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('equipmentId', '=', id)
      .where('id', '=', workId)
      .where('removedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!removed) throw notFound('service')
    await audit(db, actor, 'equipment.removeWork', entity(id), { after: { workId } })
    await tellOfTx(db, id)
    return getEquipment(db, actor, id)
  })
