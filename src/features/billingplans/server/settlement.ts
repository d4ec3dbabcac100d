import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { Totals } from '../../invoices/rules.ts'
import { lockInvoicesTx } from '../../invoices/server/commands.ts'
import { listRefundable } from '../../payments/settlements/server/queries.ts'
import type { Settlement } from '../contract.ts'
import { addGroups, choicesFor, countedCents, type Group, groupKeyOf, negated, spreadOver, sumOf } from '../rules.ts'
import { workNames } from './months.ts'
import { type PaperLine, reachOf, readPayer } from './papers.ts'
import { type LockedPlan, listDelivered, listMonths, sumPlans } from './rows.ts'
import { totalsLeft } from './taxes.ts'

/** What is left to bill or to give back when a plan ends. */

/** Finished work as it counts, by place and category: as agreed, or at the full prices. */
export const countedGroups = (plan: LockedPlan, delivered: readonly Group[], atFullPrice: boolean): Group[] =>
  atFullPrice ? [...delivered] : spreadOver(countedCents(sumOf(delivered), plan), delivered)

/** The invoices of a plan's months, locked: until the end of the transaction nothing is paid, credited or voided on them. */
export const lockMonthsTx = async (db: TenantDb, planId: string): Promise<void> => {
  await lockInvoicesTx(
    db,
    (await invoicesOf(db, planId)).map(({ id }) => id),
  )
}

const invoicesOf = (db: TenantDb, planId: string) =>
  db
    .selectFrom('billingPlanMonths as m')
    .innerJoin('invoices as i', (x) => x.onRef('i.businessId', '=', 'm.businessId').onRef('i.id', '=', 'm.invoiceId'))
    .where('m.businessId', '=', db.businessId)
    .where('m.planId', '=', planId)
    .where('i.status', '!=', 'void')
    .orderBy('m.month')
    .select(['i.id', 'i.status', 'i.totalCents', 'i.paidCents'])
    .execute()

export type Reckoning = {
  settlement: Settlement
  /** What the last invoice says, where something is left to bill. */
  lines: PaperLine[]
  totals: Totals
  /** By place and category: delivered and carried over, less billed. */
  groups: Group[]
  invoiceIds: string[]
}

/** The whole of it, from what stands now. The sums of the screen, of the invoice and of the credit are these. */
export const reckon = async (db: TenantDb, plan: LockedPlan, options: { atFullPrice: boolean }): Promise<Reckoning> => {
  const list = await listDelivered(db, plan.id)
  const delivered = countedGroups(plan, list, options.atFullPrice)
  const sums = (await sumPlans(db, [plan.id])).get(plan.id)
  const billed = sums?.billed ?? []
  const groups = addGroups(delivered, plan.carry, negated(billed))
  const payer = await readPayer(db, plan.customerId)
  const names = await workNames(db, plan.id)
  const { rows } = await sql<{ visits: number }>`
    select count(distinct visit_id)::int as visits from billing_plan_deliveries
    where business_id = ${db.businessId} and plan_id = ${plan.id}`.execute(db)
  const visits = rows[0]?.visits ?? 0
  const named = (said: string) => (group: Group) => ({
    ...group,
    description: [said, names.get(groupKeyOf(group))].filter(Boolean).join(': ').slice(0, 300),
  })
  const lines = [
    ...delivered.map(named(`${plan.name}, work done`)),
    ...plan.carry.map(named(`${plan.name}, carried over`)),
    ...negated(billed).map(named(`${plan.name}, billed before`)),
  ].filter(({ cents }) => cents !== 0)
  const totals = await totalsLeft(db, payer, plan, groups)
  const invoices = await invoicesOf(db, plan.id)
  const invoiceIds = invoices.map(({ id }) => id)
  const left = (await listMonths(db, plan.id)).filter(({ status }) => status === 'planned')
  const tooMuch = Math.max(0, -totals.totalCents)
  // what was written off was never paid: it is credited before anybody gets credit or money for it
  const writtenOffCents = invoices.reduce(
    (sum, { status, totalCents, paidCents }) => (status === 'written_off' ? sum + totalCents - paidCents : sum),
    0,
  )
  const openCents = Math.min(tooMuch, writtenOffCents + (sums?.openCents ?? 0))
  let toRefund = tooMuch - openCents
  const refunds = (await listRefundable(db, invoiceIds)).flatMap(
    ({ paymentId, method, receivedOn, cents, byProvider }) => {
      const part = Math.min(cents, toRefund)
      toRefund -= part
      return part > 0 ? [{ paymentId, label: `${method} of ${receivedOn}`, cents: part, byProvider }] : []
    },
  )
  const refundableCents = sumOf(refunds)
  return {
    lines,
    totals,
    groups,
    invoiceIds,
    settlement: {
      planId: plan.id,
      listCents: plan.listCents,
      deliveredCents: sumOf(delivered),
      fullCents: sumOf(list),
      visits,
      carryCents: sumOf(plan.carry),
      billedCents: sumOf(billed),
      netCents: totals.subtotalCents,
      taxCents: totals.taxCents,
      totalCents: totals.totalCents,
      monthsLeft: { count: left.length, cents: sumOf(left) },
      openCents,
      refundableCents,
      refunds,
      choices: choicesFor(totals.totalCents, { isOver: plan.endsOn < (await todayOf(db)), refundableCents }),
      reach: await reachOf(db, plan.customerId),
    },
  }
}
