import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { newId } from '../../../platform/ids.ts'
import type { Day } from '../../../shared/dates.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { addExpenseTx, assertOpenDays, categoryOf, expenseOf } from '../../expenses/server/commands.ts'
import type { EquipmentDetail } from '../contract.ts'
import { type Meter, mostPlans, pastReadingMessage, readingText } from '../rules.ts'
import { type BodyOf, entity, lock, tellOfTx } from './piece.ts'
import { getEquipment } from './queries.ts'
import { besideDay, readHere, readingBy } from './readings.ts'

type Then = { tenths: number; earlierTenths: number }

/**
 * What the meter read on a day that is over: as somebody says, which has to fit the readings around it, else by the last one until then.
 * @throws invalid for a reading that cannot be right
 */
const readThen = async (
  db: TenantDb,
  { id, meter }: { id: string; meter: Meter | null },
  day: Day,
  said: number | null,
  path: string,
): Promise<Then | null> => {
  if (meter === null) return null
  if (said === null) return readingBy(db, id, day)
  const { before, after } = await besideDay(db, id, day)
  const earlierTenths = ((await readingBy(db, id, day)) ?? before)?.earlierTenths ?? 0
  const reading = { tenths: said, earlierTenths, on: day }
  const message = pastReadingMessage(reading, meter, before, after)
  if (message) throw invalid([{ path, message }])
  return reading
}

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
    const one = await lock(db, id, 'service')
    assertEvery(plan, one.meter)
    const today = await todayOf(db)
    if (lastOn && lastOn > today) throw invalid([{ path: 'lastOn', message: 'This day has not come yet.' }])
    const { plans } = await getEquipment(db, actor, id)
    if (plans.length >= mostPlans) throw conflict(`A piece of equipment has up to ${mostPlans} service plans.`)
    const then = await readThen(db, one, lastOn ?? today, lastOn ? (lastTenths ?? null) : null, 'lastTenths')
    if (!lastOn && lastTenths !== undefined && one.meter && then && lastTenths > then.tenths)
      throw invalid([
        {
          path: 'lastTenths',
          message: `It reads ${readingText(then.tenths, one.meter)} now. Was it done at a higher reading? Nothing was saved.`,
        },
      ])
    await db
      .insertInto('equipmentPlans')
      .values({
        ...plan,
        businessId: db.businessId,
        id: newId(),
        equipmentId: id,
        fromOn: lastOn ?? today,
        fromTenths: (lastOn ? undefined : lastTenths) ?? then?.tenths ?? 0,
        fromEarlierTenths: then?.earlierTenths ?? 0,
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
  await assertOpenDays(db, expenseOf(expense.totalCents), [doneOn])
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
    if (body.tenths !== null && doneOn === today)
      await readHere(db, actor, one, {
        tenths: body.tenths,
        at: now,
        on: doneOn,
        source: 'service',
        path: 'tenths',
        newMeterFrom: null,
      })
    const then = await readThen(db, one, doneOn, doneOn === today ? null : body.tenths, 'tenths')
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
        tenths: then?.tenths ?? null,
        earlierTenths: then?.earlierTenths ?? 0,
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
