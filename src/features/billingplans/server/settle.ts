import type { z } from 'zod'
import type { Actor, SystemActor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { nextNumber } from '../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { directly, type Once } from '../../../platform/http/idempotency.ts'
import { enqueue } from '../../../platform/tasks/task.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict } from '../../../shared/errors.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { getContact } from '../../customers/server/queries.ts'
import {
  endOpenPages,
  insertInvoicesTx,
  issueInvoicesTx,
  sendInvoiceTask,
  voidTx,
} from '../../invoices/server/commands.ts'
import { isReached } from '../../messages/paperways/rules.ts'
import { getPaperReach } from '../../messages/paperways/server/queries.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import { reversePaymentTx } from '../../payments/corrections/server/commands.ts'
import { creditExcessTx } from '../../payments/settlements/server/commands.ts'
import type { billingPlansApi, Plan } from '../contract.ts'
import { planRefusals } from '../rules.ts'
import { tellCustomerTx } from './letters.ts'
import { draftOf, readPayer } from './papers.ts'
import { getPlan, planFacts } from './queries.ts'
import {
  deliverTx,
  type LockedPlan,
  listMonths,
  lockCustomerPlansTx,
  lockPlanTx,
  readPlan,
  type Settled,
  setPlanTx,
} from './rows.ts'
import { lockMonthsTx, type Reckoning, reckon } from './settlement.ts'

type Body = z.output<(typeof billingPlansApi)['settle']['body']>

const lastInvoiceTx = async (
  db: TenantDb,
  actor: Actor,
  plan: LockedPlan,
  { lines, totals }: Reckoning,
  send: boolean,
): Promise<string> => {
  const payer = await readPayer(db, plan.customerId)
  const draft = draftOf(payer, await nextNumber(db, 'invoice'), lines)
  // its lines say what was done and billed before; its tax is that of the difference
  const [id = ''] = await insertInvoicesTx(db, actor.userId, [
    { ...draft, totals: { ...totals, lines: draft.totals.lines } },
  ])
  // issued as the plan's, so that what was paid ahead for its work is taken off
  await setPlanTx(db, plan.id, { settleInvoiceId: id })
  // voided, it stays the plan's when another settlement takes its place
  await db
    .insertInto('billingPlanLastInvoices')
    .values({ businessId: db.businessId, invoiceId: id, planId: plan.id })
    .execute()
  await issueInvoicesTx(db, [id])
  const reach = await getPaperReach(db, plan.customerId)
  if (send && isReached(reach))
    await enqueue(db, sendInvoiceTask, { invoiceId: id, reason: 'sent' }, { key: `${id}:sent` })
  return id
}

/**
 * Ends a plan, once: what was delivered more is billed on one last invoice, what was billed more is credited or goes back, or the next season
 * takes it over. Months that are left are stopped; work that is finished later is billed by the visit.
 * Once more after its last invoice was voided.
 * @throws AppError state_conflict when the sum is not the one that was seen, or the plan is settled already
 */
export const settlePlan = (actor: Actor, id: string, body: Body): Promise<Plan> =>
  withTenant(actor, async (db) => {
    await lockCustomerPlansTx(db, (await readPlan(db, id)).customerId)
    const plan = await deliverTx(db, id)
    refuse(planRefusals.settle(await planFacts(db, plan)))
    // locked before it is reckoned: a credit note or a void in another tab is either seen here, or waits
    await lockMonthsTx(db, id)
    const found = await reckon(db, plan, body)
    const { totalCents, netCents, taxCents, choices } = found.settlement
    if (totalCents !== body.expectedTotalCents)
      throw conflict(
        `What is left is ${formatCents(totalCents)} by now, because work or money came in. Nothing was settled. Look it over and press again.`,
      )
    if (!choices.includes(body.choice))
      throw conflict('This cannot be done with what is left any more. Nothing was settled: look again.')
    const reason = body.reason || `${plan.name} was settled`
    const { choice, atFullPrice } = body
    const invoiceId = choice === 'bill' ? await lastInvoiceTx(db, actor, plan, found, body.send) : null
    const credit =
      choice === 'credit' || choice === 'refund'
        ? await creditExcessTx(
            db,
            actor,
            {
              customerId: plan.customerId,
              invoiceIds: found.invoiceIds,
              netCents: -netCents,
              taxCents: -taxCents,
              reason,
            },
            choice === 'refund' ? { method: body.refundMethod } : null,
          )
        : null
    const stopped = await db
      .updateTable('billingPlanMonths')
      .set({ status: 'stopped' })
      .where('businessId', '=', db.businessId)
      .where('planId', '=', id)
      .where('status', '=', 'planned')
      .returning('id')
      .execute()
    const sent = body.send && isReached(found.settlement.reach) && (invoiceId !== null || credit !== null)
    const settled: Settled = {
      choice,
      totalCents,
      reason: body.reason,
      sent,
      refundedCents: credit?.refundedCents ?? 0,
      atFullPrice,
      groups: choice === 'carry' ? found.groups.filter(({ cents }) => cents !== 0) : [],
      // taken back later, it goes on with the months that a settlement before stopped, too
      stopped: [
        ...((plan.settlement as unknown as Settled | null)?.stopped ?? []),
        ...stopped.map((month) => month.id),
      ],
    }
    await setPlanTx(
      db,
      id,
      {
        status: 'settled',
        settledOn: await todayOf(db),
        settledBy: actor.userId,
        settlement: JSON.stringify(settled),
        settleInvoiceId: invoiceId,
        settlePaymentId: credit?.paymentId ?? null,
        heldSince: null,
        unsettledOn: null,
      },
      { version: true },
    )
    if (sent && credit)
      await tellCustomerTx(
        db,
        actor,
        plan,
        { kind: 'credited', totalCents: -totalCents, refundedCents: credit.refundedCents, netCents },
        `settled:${plan.version}`,
      )
    await audit(
      db,
      actor,
      'billingPlan.settle',
      { type: 'customer', id: plan.customerId },
      { after: { plan: plan.name, choice, totalCents, reason: body.reason } },
    )
    await publishChange(db, 'invoices', [id, ...(invoiceId ? [invoiceId] : [])])
    await publishChange(db, 'customers', [plan.customerId])
    return getPlan(db, actor, id)
  })

/**
 * The last invoice of a settlement was voided: what it billed is billed by nothing, so the plan waits to be settled anew and the office is told.
 * The months that were stopped stay so.
 */
export const unsettle = (actor: SystemActor, invoiceId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const plan = await db
      .updateTable('billingPlans')
      .set({ unsettledOn: await todayOf(db) })
      .where('businessId', '=', db.businessId)
      .where('settleInvoiceId', '=', invoiceId)
      .where('status', '=', 'settled')
      .where('unsettledOn', 'is', null)
      .returning(['id', 'name', 'customerId'])
      .executeTakeFirst()
    if (!plan) return
    const { name } = await getContact(db, plan.customerId)
    await notifyOffice(db, {
      type: 'invoice',
      title: `The settlement of ${plan.name} of ${name} was voided`,
      content: 'What it billed is on no invoice now. Settle the plan again, or take its settlement back.',
      customerId: plan.customerId,
      path: linkTo.billingPlan(plan.id),
      dedupeKey: `billing-plan-unsettled:${invoiceId}`,
    })
    await publishChange(db, 'invoices', [plan.id])
  })

/** Takes a settlement back while nothing of it was sent or used, or its invoice was voided: the plan goes on with the months that it stopped. */
export const undoSettlement = async (actor: Actor, id: string, once: Once = directly): Promise<Plan> => {
  const { settleInvoiceId } = await withTenant(actor, (db) => readPlan(db, id))
  // what was paid on its page a moment ago is money, and then it is used
  if (settleInvoiceId) await endOpenPages(actor.businessId, [settleInvoiceId])
  return once(() => takeBack(actor, id))
}

const takeBack = (actor: Actor, id: string): Promise<Plan> =>
  withTenant(actor, async (db) => {
    await lockCustomerPlansTx(db, (await readPlan(db, id)).customerId)
    const plan = await lockPlanTx(db, id)
    const facts = await planFacts(db, plan)
    refuse(planRefusals.undoSettlement(facts))
    const { stopped } = plan.settlement as unknown as Settled
    if (plan.settleInvoiceId && !facts.settled?.voided) await voidTx(db, actor, plan.settleInvoiceId)
    if (plan.settlePaymentId)
      await reversePaymentTx(db, actor, plan.settlePaymentId, {
        reason: `The settlement of ${plan.name} was taken back`,
      })
    for (const month of await listMonths(db, id))
      if (stopped.includes(month.id))
        await db
          .updateTable('billingPlanMonths')
          .set({ status: 'planned' })
          .where('businessId', '=', db.businessId)
          .where('id', '=', month.id)
          .execute()
    await setPlanTx(
      db,
      id,
      {
        status: 'active',
        settledOn: null,
        settledBy: null,
        settlement: null,
        settleInvoiceId: null,
        settlePaymentId: null,
        unsettledOn: null,
      },
      { version: true },
    )
    await deliverTx(db, id)
    await audit(
      db,
      actor,
      'billingPlan.undoSettlement',
      { type: 'customer', id: plan.customerId },
      { after: { plan: plan.name } },
    )
    await publishChange(db, 'invoices', [id])
    await publishChange(db, 'customers', [plan.customerId])
    return getPlan(db, actor, id)
  })
