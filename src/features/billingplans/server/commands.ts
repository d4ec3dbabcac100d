import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor, SystemActor, Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { forEach } from '../../../platform/tasks/walk.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict, invalid } from '../../../shared/errors.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import type { billingPlansApi, Plan } from '../contract.ts'
import { countedCents, monthOf, planRefusals, sumOf } from '../rules.ts'
import { tellCustomerTx } from './letters.ts'
import { billMonthsTx } from './months.ts'
import { monthsOf, monthsToCome, planChange, planWish } from './preview.ts'
import { getPlan, planFacts } from './queries.ts'
import {
  deliverTx,
  type Kept,
  type LockedPlan,
  listLines,
  listMonths,
  lockCustomerPlansTx,
  readPlan,
  releaseTx,
  setPlanTx,
} from './rows.ts'
import { type CoverableLine, listCoverable } from './work.ts'

export { billDueMonths } from './months.ts'
export { settlePlan, undoSettlement } from './settle.ts'

type Body<Name extends 'create' | 'change' | 'undoChange'> = z.output<(typeof billingPlansApi)[Name]['body']>

const setLinesTx = async (db: TenantDb, planId: string, lines: Kept['lines']): Promise<void> => {
  await db.deleteFrom('billingPlanLines').where('businessId', '=', db.businessId).where('planId', '=', planId).execute()
  await db
    .insertInto('billingPlanLines')
    .values(lines.map((line) => ({ businessId: db.businessId, planId, ...line })))
    .execute()
}

const keptLines = (lines: readonly CoverableLine[]): Kept['lines'] =>
  lines.map(({ lineId, propertyId, taxCategory, cents, visits }) => ({
    jobLineId: lineId,
    propertyId,
    taxCategory,
    listCents: cents,
    visits,
  }))

const workChanged = (listCents: number) =>
  conflict(
    `The work comes to ${formatCents(listCents)} by now, because a job or its visits were changed. Nothing was made. Look it over and press again.`,
  )

/** Starts a plan as it was shown. What is finished already and on no invoice counts against it, and a month whose day has come is billed. */
export const createPlan = (
  actor: Actor,
  { expectedListCents, tell, name, reason, ...wish }: Body<'create'>,
): Promise<Plan> =>
  withTenant(actor, async (db) => {
    await lockCustomerPlansTx(db, wish.customerId)
    const plan = await planWish(db, wish)
    if (plan.problems.length > 0) throw invalid(plan.problems)
    if (plan.listCents !== expectedListCents) throw workChanged(plan.listCents)
    if (plan.seasonCents !== plan.listCents && reason === '')
      throw invalid([
        {
          path: 'reason',
          message: `The work comes to ${formatCents(plan.listCents)}: say why you agreed on another total.`,
        },
      ])
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('billingPlans')
      .values({
        businessId: db.businessId,
        id,
        customerId: wish.customerId,
        kind: wish.kind,
        name,
        startsOn: wish.startsOn,
        endsOn: wish.endsOn,
        billDay: wish.billDay,
        listCents: plan.listCents,
        seasonCents: plan.seasonCents,
        reason,
        carry: JSON.stringify(plan.carry),
        carriedFrom: plan.carried?.id ?? null,
        expectedListCents: plan.listCents,
        createdBy: actor.userId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await setLinesTx(db, id, keptLines(plan.covered))
    await db
      .insertInto('billingPlanMonths')
      .values(
        plan.months.map(({ month, billOn, cents }) => ({
          businessId: db.businessId,
          id: newId(),
          planId: id,
          month: `${month}-01`,
          billOn,
          cents,
        })),
      )
      .execute()
    await deliverTx(db, id)
    if (tell) {
      const today = await todayOf(db)
      // a month whose day has come is billed with the start
      const months = monthsOf(plan).map((one) => (one.billOn < today ? { ...one, billOn: today } : one))
      await tellCustomerTx(
        db,
        actor,
        { id, name, customerId: wish.customerId },
        { kind: 'started', prepaid: wish.kind === 'prepaid', startsOn: wish.startsOn, endsOn: wish.endsOn, months },
        'started',
      )
    }
    await billMonthsTx(db, actor, id)
    await audit(
      db,
      actor,
      'billingPlan.create',
      { type: 'customer', id: wish.customerId },
      { after: { plan: name, seasonCents: plan.seasonCents, listCents: plan.listCents, reason } },
    )
    await publishChange(db, 'invoices', [id])
    await publishChange(db, 'customers', [wish.customerId])
    return getPlan(db, actor, id)
  })

const lockForChange = async (db: TenantDb, id: string): Promise<LockedPlan> => {
  await lockCustomerPlansTx(db, (await readPlan(db, id)).customerId)
  return deliverTx(db, id)
}

const keptOf = async (db: TenantDb, plan: LockedPlan): Promise<Kept> => ({
  seasonCents: plan.seasonCents,
  listCents: plan.listCents,
  months: (await listMonths(db, plan.id))
    .filter(({ status }) => status === 'planned')
    .map(({ id, cents }) => ({ id, cents })),
  lines: (await listLines(db, plan.id)).map(({ businessId: _b, planId: _p, ...line }) => line),
})

/** Puts totals, covered lines and the months that are left of a plan to what is given. */
const putTx = async (db: TenantDb, plan: LockedPlan, to: Kept): Promise<void> => {
  await setLinesTx(db, plan.id, to.lines)
  await sql`
    update billing_plan_months m set cents = r.cents from jsonb_to_recordset(${JSON.stringify(to.months)}::jsonb) as r(id uuid, cents bigint)
    where m.business_id = ${db.businessId} and m.plan_id = ${plan.id} and m.id = r.id and m.status = 'planned'`.execute(
    db,
  )
  const { seasonCents, listCents } = to
  await setPlanTx(db, plan.id, { seasonCents, listCents, expectedListCents: listCents }, { version: true })
  await deliverTx(db, plan.id)
  await publishChange(db, 'invoices', [plan.id])
}

/** Another total, or other work, for the months that are left; what was billed stays, and the customer is told where asked for. */
export const changePlan = (actor: Actor, id: string, body: Body<'change'>): Promise<Plan> =>
  withTenant(actor, async (db) => {
    const plan = await lockForChange(db, id)
    refuse(planRefusals.change(await planFacts(db, plan)))
    requireVersion(plan, body.version, plan.name)
    const found = await planChange(db, plan, body)
    if (found.own.length !== body.lineIds.length)
      throw invalid([
        { path: 'lineIds', message: 'Some of this work cannot be covered any more. Look at the list again.' },
      ])
    if (found.problem) throw invalid([{ path: 'seasonCents', message: found.problem }])
    if (found.listCents !== body.expectedListCents) throw workChanged(found.listCents)
    const before = await keptOf(db, plan)
    const after: Kept = {
      seasonCents: found.seasonCents,
      listCents: found.listCents,
      months: found.left.map((month, at) => ({ id: month.id, cents: found.amounts[at] ?? 0 })),
      lines: keptLines(found.own),
    }
    await putTx(db, plan, after)
    const changeId = newId()
    const months = await monthsToCome(db, id)
    const told = body.tell
      ? await tellCustomerTx(db, actor, plan, { kind: 'changed', reason: body.reason, months }, `changed:${changeId}`)
      : false
    await db
      .insertInto('billingPlanChanges')
      .values({
        businessId: db.businessId,
        id: changeId,
        planId: id,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        reason: body.reason,
        told,
        onDay: await todayOf(db),
        createdBy: actor.userId,
        createdAt: clock.iso(),
      })
      .execute()
    await audit(
      db,
      actor,
      'billingPlan.change',
      { type: 'customer', id: plan.customerId },
      {
        before: { plan: plan.name, seasonCents: before.seasonCents },
        after: { seasonCents: after.seasonCents, reason: body.reason },
      },
    )
    return getPlan(db, actor, id)
  })

/** Takes the newest change back; a customer who was told of it is told again. */
export const undoChange = (actor: Actor, id: string, { version }: Body<'undoChange'>): Promise<Plan> =>
  withTenant(actor, async (db) => {
    const plan = await lockForChange(db, id)
    refuse(planRefusals.undoChange(await planFacts(db, plan)))
    requireVersion(plan, version, plan.name)
    const last = await db
      .selectFrom('billingPlanChanges')
      .select(['id', 'before', 'told'])
      .where('businessId', '=', db.businessId)
      .where('planId', '=', id)
      .where('undoneOn', 'is', null)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const before = last.before as unknown as Kept
    await putTx(db, plan, before)
    await db
      .updateTable('billingPlanChanges')
      .set({ undoneOn: await todayOf(db) })
      .where('businessId', '=', db.businessId)
      .where('id', '=', last.id)
      .execute()
    if (last.told) {
      const months = await monthsToCome(db, id)
      await tellCustomerTx(
        db,
        actor,
        plan,
        { kind: 'changed', reason: 'the change that we wrote of was taken back.', months },
        `undone:${last.id}`,
      )
    }
    await audit(
      db,
      actor,
      'billingPlan.undoChange',
      { type: 'customer', id: plan.customerId },
      { after: { plan: plan.name, seasonCents: before.seasonCents } },
    )
    return getPlan(db, actor, id)
  })

/** Takes back a plan of which nothing was billed: its visits are billed one by one, and what it took over waits for the next plan again. */
export const discardPlan = (actor: Actor, id: string): Promise<Plan> =>
  withTenant(actor, async (db) => {
    const plan = await lockForChange(db, id)
    refuse(planRefusals.discard(await planFacts(db, plan)))
    await db
      .updateTable('billingPlanMonths')
      .set({ status: 'stopped' })
      .where('businessId', '=', db.businessId)
      .where('planId', '=', id)
      .where('status', '=', 'planned')
      .execute()
    await releaseTx(db, id)
    await setPlanTx(
      db,
      id,
      { status: 'discarded', carriedFrom: null, heldSince: null, deliveredListCents: 0 },
      { version: true },
    )
    await audit(
      db,
      actor,
      'billingPlan.discard',
      { type: 'customer', id: plan.customerId },
      { after: { plan: plan.name } },
    )
    await publishChange(db, 'invoices', [id])
    await publishChange(db, 'customers', [plan.customerId])
    return getPlan(db, actor, id)
  })

/** Brings one plan in step with its work, and tells the office once when the work comes to something else than was agreed on. */
export const checkPlanTx = async (db: TenantDb, _who: Who, id: string): Promise<void> => {
  const plan = await deliverTx(db, id)
  if (plan.status !== 'active') return
  const own = new Set((await listLines(db, id)).map(({ jobLineId }) => jobLineId))
  const listCents = sumOf((await listCoverable(db, plan.customerId, plan, id)).filter(({ lineId }) => own.has(lineId)))
  if (listCents === plan.expectedListCents) return
  await setPlanTx(db, id, { expectedListCents: listCents })
  await publishChange(db, 'invoices', [id])
  const change = countedCents(listCents, plan) - plan.seasonCents
  if (change === 0) return
  const customer = await db
    .selectFrom('customers')
    .select('name')
    .where('businessId', '=', db.businessId)
    .where('id', '=', plan.customerId)
    .executeTakeFirstOrThrow()
  await notifyOffice(db, {
    type: 'invoice',
    title: `${customer.name}: the work of ${plan.name} now comes to ${formatCents(countedCents(listCents, plan))}`,
    content: `Its months were agreed on ${formatCents(plan.seasonCents)}. Look at the plan to change the months that are left, or settle it at the end.`,
    customerId: plan.customerId,
    path: linkTo.billingPlan(id),
    dedupeKey: `billing-plan-changed:${id}:${monthOf(await todayOf(db))}`,
  })
}

/** Every night: running plans, each on its own. */
export const checkPlans = async (actor: SystemActor): Promise<void> => {
  const ids = await withTenant(actor, (db) =>
    db
      .selectFrom('billingPlans')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('status', '=', 'active')
      .orderBy('id')
      .execute(),
  )
  await forEach(
    'looking at a billing plan',
    ids,
    ({ id }) => ({ planId: id }),
    ({ id }) => withTenant(actor, (db) => checkPlanTx(db, actor, id)),
  )
}

/** Brings the running plans of a visit in step with it. */
export const countVisit = (who: Who, visitId: string): Promise<void> =>
  withTenant(who, async (db) => {
    const { rows } = await sql<{ id: string }>`
      select distinct p.id from billing_plans p where p.business_id = ${db.businessId} and p.status = 'active' and (
        exists (select from billing_plan_deliveries d where d.business_id = p.business_id and d.plan_id = p.id and d.visit_id = ${visitId}::uuid)
        or exists (select from billing_plan_lines c join visit_lines l on l.business_id = c.business_id and l.job_line_id = c.job_line_id
          where c.business_id = p.business_id and c.plan_id = p.id and l.visit_id = ${visitId}::uuid)) order by p.id`.execute(
      db,
    )
    for (const { id } of rows) await deliverTx(db, id)
  })
