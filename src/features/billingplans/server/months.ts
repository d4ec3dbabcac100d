import type { SystemActor, Who } from '../../../platform/actor.ts'
import { userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { nextNumber } from '../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { log } from '../../../platform/log.ts'
import { enqueue } from '../../../platform/tasks/task.ts'
import { forEach } from '../../../platform/tasks/walk.ts'
import { minuteOfDay } from '../../../shared/dates.ts'
import { AppError } from '../../../shared/errors.ts'
import { linkTo } from '../../../shared/links.ts'
import { timeZoneOf, todayOf } from '../../businesses/server/queries.ts'
import { remindFromMinute, remindToMinute } from '../../invoices/reminders/rules.ts'
import { insertInvoicesTx, issueInvoicesTx, sendInvoiceTask } from '../../invoices/server/commands.ts'
import { isReached } from '../../messages/paperways/rules.ts'
import { getPaperReach } from '../../messages/paperways/server/queries.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import { addGroups, groupKeyOf, heldMessage, kindLabel, monthGroups, monthLabel, monthOf } from '../rules.ts'
import { draftOf, type PaperLine, readPayer, whyHeld } from './papers.ts'
import { deliverTx, type LockedPlan, listLines, listMonths, setPlanTx, sumPlans } from './rows.ts'
import { sharesOf } from './work.ts'

/** The services of a plan by place and category, as its invoices name them. */
export const workNames = async (db: TenantDb, planId: string): Promise<Map<string, string>> => {
  const rows = await db
    .selectFrom('billingPlanLines as c')
    .innerJoin('jobLines as l', (x) => x.onRef('l.businessId', '=', 'c.businessId').onRef('l.id', '=', 'c.jobLineId'))
    .innerJoin('services as s', (x) => x.onRef('s.businessId', '=', 'l.businessId').onRef('s.id', '=', 'l.serviceId'))
    .where('c.businessId', '=', db.businessId)
    .where('c.planId', '=', planId)
    .select(['c.propertyId', 'c.taxCategory', 's.name'])
    .orderBy('s.name')
    .execute()
  return new Map(
    [...Map.groupBy(rows, groupKeyOf)].map(([key, list]) => {
      const names = [...new Set(list.map(({ name }) => name))]
      return [key, names.length > 3 ? `${names.slice(0, 3).join(', ')} and more` : names.join(', ')]
    }),
  )
}

/** What a month bills, line by line. */
export const monthLines = async (
  db: TenantDb,
  plan: LockedPlan,
  month: { month: string; cents: number },
  which: { at: number; of: number },
): Promise<PaperLine[]> => {
  const shares = addGroups(
    sharesOf((await listLines(db, plan.id)).map((line) => ({ ...line, cents: line.listCents }))),
    plan.carry,
  )
  const billed = (await sumPlans(db, [plan.id])).get(plan.id)?.billed ?? []
  const names = await workNames(db, plan.id)
  const title =
    plan.kind === 'prepaid'
      ? `${plan.name}, paid ahead`
      : `${kindLabel.budget}, ${monthLabel(monthOf(month.month))} (${which.at} of ${which.of})`
  return monthGroups(month.cents, shares, billed).map((group) => ({
    ...group,
    description: [title, names.get(groupKeyOf(group))].filter(Boolean).join(': ').slice(0, 300),
  }))
}

/**
 * Bills the months of a plan whose day has come: each an invoice of its own, issued and mailed, once by the month's own row under the plan's lock.
 * @returns how many were made
 * @throws state_conflict where today is in a closed month
 */
export const billMonthsTx = async (db: TenantDb, who: Who, planId: string): Promise<number> => {
  const plan = await deliverTx(db, planId)
  const today = await todayOf(db)
  const all = await listMonths(db, planId)
  const due = plan.status === 'active' ? all.filter((one) => one.status === 'planned' && one.billOn <= today) : []
  if (due.length === 0) return 0
  const payer = await readPayer(db, plan.customerId)
  const held = await whyHeld(db, plan, payer)
  if (held) throw new AppError('state_conflict', held)
  // a month that was stopped, or that a change made nothing of, is no invoice of the row
  const counted = all.filter(({ status, cents }) => status !== 'stopped' && cents > 0)
  let made = 0
  for (const month of due) {
    const set = (change: { status: 'billed' | 'stopped'; invoiceId: string | null }) =>
      db
        .updateTable('billingPlanMonths')
        .set(change)
        .where('businessId', '=', db.businessId)
        .where('id', '=', month.id)
        .execute()
    if (month.cents === 0) {
      await set({ status: 'stopped', invoiceId: null })
      continue
    }
    const lines = await monthLines(db, plan, month, { at: counted.indexOf(month) + 1, of: counted.length })
    const number = await nextNumber(db, 'invoice')
    const [invoiceId = ''] = await insertInvoicesTx(db, userIdOf(who), [draftOf(payer, number, lines)])
    await set({ status: 'billed', invoiceId })
    await issueInvoicesTx(db, [invoiceId])
    const reach = await getPaperReach(db, plan.customerId)
    if (isReached(reach))
      await enqueue(db, sendInvoiceTask, { invoiceId, reason: 'sent' }, { key: `${invoiceId}:sent` })
    else
      await notifyOffice(db, {
        type: 'invoice',
        title: `${payer.customer.name} has a new invoice of ${plan.name} that reaches them in no way`,
        content: 'Print it, or add an e-mail or a mobile phone to the customer and send it.',
        customerId: plan.customerId,
        path: linkTo.invoice(invoiceId),
        dedupeKey: `billing-plan:${month.id}`,
      })
    await audit(
      db,
      who,
      'billingPlan.month',
      { type: 'invoice', id: invoiceId },
      { after: { plan: plan.name, month: monthOf(month.month) } },
    )
    await publishChange(db, 'invoices', [invoiceId])
    made += 1
  }
  await setPlanTx(db, planId, { heldSince: null })
  await publishChange(db, 'invoices', [planId])
  return made
}

/** Notes that a month could not be billed, and tells the office once why. */
const holdTx = async (db: TenantDb, planId: string, why: string): Promise<void> => {
  const due = await db
    .selectFrom('billingPlanMonths as m')
    .innerJoin('billingPlans as p', (x) => x.onRef('p.businessId', '=', 'm.businessId').onRef('p.id', '=', 'm.planId'))
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'p.businessId').onRef('c.id', '=', 'p.customerId'))
    .where('m.businessId', '=', db.businessId)
    .where('m.planId', '=', planId)
    .where('m.status', '=', 'planned')
    .select(['m.id', 'm.billOn', 'p.name', 'p.customerId', 'c.name as customer'])
    .orderBy('m.billOn')
    .executeTakeFirst()
  if (!due) return
  await setPlanTx(db, planId, { heldSince: due.billOn })
  await notifyOffice(db, {
    type: 'invoice',
    title: `${due.customer}, ${heldMessage(due.name, due.billOn)}`,
    content: `${why} It is tried again every hour.`,
    customerId: due.customerId,
    path: linkTo.billingPlan(planId),
    dedupeKey: `billing-plan-held:${due.id}`,
  })
}

const mostPerRun = 500

/** Plans with a month that is due, the oldest first. */
const listDue = async (db: TenantDb): Promise<string[]> => {
  const rows = await db
    .selectFrom('billingPlanMonths as m')
    .innerJoin('billingPlans as p', (x) => x.onRef('p.businessId', '=', 'm.businessId').onRef('p.id', '=', 'm.planId'))
    .where('m.businessId', '=', db.businessId)
    .where('m.status', '=', 'planned')
    .where('m.billOn', '<=', await todayOf(db))
    .where('p.status', '=', 'active')
    .groupBy('p.id')
    .select(['p.id'])
    .orderBy((eb) => eb.fn.min('m.billOn'))
    .orderBy('p.id')
    .limit(mostPerRun)
    .execute()
  return rows.map(({ id }) => id)
}

/** Bills what is due in the business's day, each plan in a transaction of its own: one that cannot be billed keeps no other. */
export const billDueMonths = async (actor: SystemActor): Promise<void> => {
  const zone = await withTenant(actor, timeZoneOf)
  const minute = minuteOfDay(clock.now(), zone)
  if (minute < remindFromMinute || minute >= remindToMinute) return
  await forEach(
    'billing a plan',
    await withTenant(actor, listDue),
    (planId) => ({ planId }),
    async (planId) => {
      try {
        await withTenant(actor, (db) => billMonthsTx(db, actor, planId))
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error
        log.info({ planId, reason: error.message }, 'a month of a billing plan is held')
        await withTenant(actor, (db) => holdTx(db, planId, error.message))
      }
    },
  )
}
