import { sql } from 'kysely'
import type { z } from 'zod'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { billingPlansApi, ChangePreview, PlanLine, PlanPreview } from '../contract.ts'
import {
  addGroups,
  billDay,
  countedCents,
  type Group,
  type Month,
  monthGroups,
  monthOf,
  monthsBetween,
  monthsLeft,
  monthsProblem,
  seasonProblem,
  spread,
  sumOf,
} from '../rules.ts'
import { type Payer, reachOf, readPayer, totalsOf } from './papers.ts'
import { type LockedPlan, listLines, listMonths, readPlan, type Settled, sumPlans } from './rows.ts'
import { type CoverableLine, listCoverable, sharesOf } from './work.ts'

type Wish = z.output<(typeof billingPlansApi)['preview']['body']>

/** What a settled plan of a customer left for the next one, as long as none has taken it over. */
export const findCarry = async (
  db: TenantDb,
  customerId: string,
): Promise<{ id: string; name: string; groups: Group[] } | null> => {
  const { rows } = await sql<{ id: string; name: string; settlement: Settled }>`
    select p.id, p.name, p.settlement from billing_plans p where p.business_id = ${db.businessId} and p.customer_id = ${customerId}
      and p.status = 'settled' and p.settlement ->> 'choice' = 'carry'
      and not exists (select from billing_plans n where n.business_id = p.business_id and n.carried_from = p.id)
    order by p.settled_on, p.id limit 1`.execute(db)
  const [row] = rows
  return row ? { id: row.id, name: row.name, groups: row.settlement.groups } : null
}

export const shownLine = ({ taxCategory: _, ...line }: CoverableLine, covered: boolean): PlanLine => ({
  ...line,
  covered,
})

/** Months with their sums and tax, each as it will be billed. */
const pricedMonths = (
  payer: Payer,
  shares: readonly Group[],
  months: readonly { month: Month; billOn: Day; cents: number }[],
  before: readonly Group[] = [],
): PlanPreview['months'] => {
  let billed: readonly Group[] = before
  return months.map((month) => {
    const groups = monthGroups(month.cents, shares, billed)
    billed = addGroups(billed, groups)
    const totals = totalsOf(
      payer,
      groups.map((group) => ({ ...group, description: '' })),
    )
    return { ...month, taxCents: totals.taxCents, totalCents: totals.totalCents }
  })
}

/** The months that a wish means: those that were chosen, else those of the season from this month on. */
const wishedMonths = (wish: Wish, today: Day): Month[] => {
  const own = wish.months ?? monthsBetween(wish.startsOn < today ? today : wish.startsOn, wish.endsOn)
  const sorted = [...own].sort()
  return wish.kind === 'prepaid' && !wish.months ? sorted.slice(0, 1) : sorted
}

/** What a plan would cover and bill, and what is wrong with it. */
export const planWish = async (db: TenantDb, wish: Wish) => {
  const today = await todayOf(db)
  const payer = await readPayer(db, wish.customerId)
  const season = seasonProblem(wish.startsOn, wish.endsOn, today)
  const coverable = season ? [] : await listCoverable(db, wish.customerId, wish, null)
  const wanted = wish.lineIds ? new Set(wish.lineIds) : null
  const lines = coverable.map((line) => ({
    ...line,
    covered: line.refusal === null && (wanted ? wanted.has(line.lineId) : line.visits > 0),
  }))
  const covered = lines.filter((line) => line.covered)
  const foreign = wish.lineIds?.find((id) => !covered.some(({ lineId }) => lineId === id))
  const listCents = sumOf(covered)
  const carried = await findCarry(db, wish.customerId)
  const carry = carried?.groups ?? []
  const seasonCents = wish.seasonCents ?? listCents
  const chosen = wishedMonths(wish, today)
  const monthsWrong = season ? null : monthsProblem(chosen, { kind: wish.kind, today, startsOn: wish.startsOn })
  const total = seasonCents + sumOf(carry)
  const amounts = spread(Math.max(0, total), chosen.length)
  const months = chosen.map((month, at) => ({ month, billOn: billDay(month, wish.billDay), cents: amounts[at] ?? 0 }))
  const problems = [
    ...(season ? [{ path: 'endsOn', message: season }] : []),
    ...(foreign && !season
      ? [{ path: 'lineIds', message: 'Some of this work cannot be covered any more. Look at the list again.' }]
      : []),
    ...(listCents === 0 && !season
      ? [{ path: 'lineIds', message: 'The work that is ticked comes to nothing in this season.' }]
      : []),
    ...(monthsWrong ? [{ path: 'months', message: monthsWrong }] : []),
    ...(total <= 0 && listCents > 0
      ? [{ path: 'seasonCents', message: `With ${formatCents(sumOf(carry))} carried over nothing is left to bill.` }]
      : []),
    ...(total > 0 && months.length > total
      ? [{ path: 'months', message: 'So many months are less than a cent each.' }]
      : []),
  ]
  return { today, payer, lines, covered, listCents, carried, carry, seasonCents, months, problems }
}

/** The months of a wish with their sums, each as it will be billed. */
export const monthsOf = ({ payer, covered, carry, listCents, months }: Awaited<ReturnType<typeof planWish>>) =>
  listCents > 0
    ? pricedMonths(payer, addGroups(sharesOf(covered), carry), months)
    : months.map((month) => ({ ...month, taxCents: 0, totalCents: month.cents }))

export const previewPlan = async (db: TenantDb, wish: Wish): Promise<PlanPreview> => {
  const plan = await planWish(db, wish)
  const priced = monthsOf(plan)
  return {
    customerName: plan.payer.customer.name,
    reach: await reachOf(db, wish.customerId),
    today: plan.today,
    lines: plan.lines.map(({ covered, ...line }) => shownLine(line, covered)),
    listCents: plan.listCents,
    seasonCents: plan.seasonCents,
    carryCents: sumOf(plan.carry),
    carriedFrom: plan.carried && { id: plan.carried.id, name: plan.carried.name },
    months: priced,
    taxCents: priced.reduce((sum, { taxCents }) => sum + taxCents, 0),
    totalCents: priced.reduce((sum, { totalCents }) => sum + totalCents, 0),
    problems: plan.problems,
  }
}

/** The months of a plan that are still to come, with their tax. */
export const monthsToCome = async (db: TenantDb, planId: string): Promise<PlanPreview['months']> => {
  const plan = await readPlan(db, planId)
  const shares = sharesOf((await listLines(db, planId)).map((line) => ({ ...line, cents: line.listCents })))
  const left = (await listMonths(db, planId)).filter(({ status, cents }) => status === 'planned' && cents > 0)
  return pricedMonths(
    await readPayer(db, plan.customerId),
    addGroups(shares, plan.carry),
    left.map(({ month, billOn, cents }) => ({ month: monthOf(month), billOn, cents })),
    (await sumPlans(db, [planId])).get(planId)?.billed,
  )
}

type ChangeWish = { lineIds?: readonly string[] | undefined; seasonCents?: number | undefined }

/** What a change would make of a plan: the work it covers, the new total, and the months that are left. */
export const planChange = async (db: TenantDb, plan: LockedPlan, wish: ChangeWish) => {
  const covered = new Set(wish.lineIds ?? (await listLines(db, plan.id)).map(({ jobLineId }) => jobLineId))
  const coverable = await listCoverable(db, plan.customerId, plan, plan.id)
  const lines = coverable.map((line) => ({ ...line, covered: line.refusal === null && covered.has(line.lineId) }))
  const own = lines.filter((line) => line.covered)
  const listCents = sumOf(own)
  const seasonCents = wish.seasonCents ?? countedCents(listCents, plan)
  const months = await listMonths(db, plan.id)
  const left = months.filter(({ status }) => status === 'planned')
  const billedCents = (await sumPlans(db, [plan.id])).get(plan.id)?.billedCents ?? 0
  const total = seasonCents + sumOf(plan.carry)
  const amounts = monthsLeft(total, billedCents, left)
  const problem =
    own.length === 0 || listCents === 0
      ? 'The work that is ticked comes to nothing. Settle the plan instead.'
      : seasonCents <= 0
        ? 'A total of nothing is no plan. Settle it instead.'
        : left.length === 0
          ? 'No month is left to change. Settle the plan when its season is over.'
          : amounts === null
            ? `${formatCents(billedCents)} is billed already, more than that total. Settle the plan instead.`
            : null
  return {
    lines,
    own,
    listCents,
    seasonCents,
    left,
    amounts: amounts ?? left.map(({ cents }) => cents),
    billedCents,
    problem,
  }
}

export const previewPlanChange = async (db: TenantDb, plan: LockedPlan, wish: ChangeWish): Promise<ChangePreview> => {
  const { lines, listCents, seasonCents, left, amounts, billedCents, problem } = await planChange(db, plan, wish)
  return {
    lines: lines.map(({ covered, ...line }) => shownLine(line, covered)),
    listCents,
    beforeCents: plan.seasonCents,
    seasonCents,
    carryCents: sumOf(plan.carry),
    billedCents,
    months: left.map(({ month, billOn, cents }, at) => ({
      month: monthOf(month),
      billOn,
      beforeCents: cents,
      cents: amounts[at] ?? 0,
    })),
    problem,
    reach: await reachOf(db, plan.customerId),
  }
}
