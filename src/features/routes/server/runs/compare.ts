import { setImmediate } from 'node:timers/promises'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, daysBetween } from '../../../../shared/dates.ts'
import { invalid } from '../../../../shared/errors.ts'
import type { PlanChange, PlanVariant, RouteTotals } from '../../contract.ts'
import { addTotals } from '../../rules.ts'
import { type DayVisit, isBegun, type Orders, ordersOf, type PlanningContext } from '../day/planning-context.ts'
import { readPlanningContexts } from '../day/read-day.ts'
import { inBookedOrders, sumOf, totalsFor } from '../plan/totals.ts'
import { changesBetween, notifyCount } from './proposal.ts'
import { daysOf, getRunRow, proposedOrders } from './run-rows.ts'

/** Plans of the same days beside each other. */

const mostChanges = 500

/** Open stops as their crews were sent them. */
const publishedOrders = (context: PlanningContext): Orders => {
  const orders: Orders = new Map(context.data.crews.map((crew) => [crew.id, []]))
  const sent = [...context.byId.values()]
    .filter((v) => !isBegun(v) && v.publishedDay === context.data.day && v.publishedCrewId !== null)
    .sort((a, b) => (a.publishedPosition ?? 0) - (b.publishedPosition ?? 0))
  for (const visit of sent) orders.get(visit.publishedCrewId as string)?.push(visit.id)
  return orders
}

type Plans = Map<Day, Orders>

export const compareDays = async (
  db: TenantDb,
  actor: Actor,
  range: { day: Day; lastDay?: Day | undefined; runId?: string | undefined },
): Promise<{
  firstDay: Day
  lastDay: Day
  variants: PlanVariant[]
  changes: PlanChange[]
  changeCount: number
  customersToNotify: number
}> => {
  const run = range.runId === undefined ? null : await getRunRow(db, range.runId)
  const [firstDay, lastDay] = run ? [run.firstDay, run.lastDay] : [range.day, range.lastDay ?? range.day]
  const count = daysBetween(firstDay, lastDay)
  if (count < 0 || count > 20) throw invalid([{ path: 'lastDay', message: 'At most three weeks can be compared.' }])
  const contexts = await readPlanningContexts(db, daysOf(firstDay, lastDay))
  const crewIds = contexts[0]?.data.crews.map((crew) => crew.id) ?? []
  const seen = (totals: RouteTotals) => totalsFor(actor, totals)
  const plansOf = (make: (context: PlanningContext) => Orders): Plans =>
    new Map(contexts.map((g) => [g.data.day, make(g)]))
  const open = (v: DayVisit) => !isBegun(v)
  const skipped = new Set(run?.plan?.skipped ?? [])
  const variantOf = async (key: PlanVariant['key'], plans: Plans): Promise<PlanVariant> => {
    const days: PlanVariant['days'] = []
    for (const context of contexts) {
      days.push({
        day: context.data.day,
        totals: seen(sumOf(context, plans.get(context.data.day) ?? new Map(), crewIds)),
      })
      await setImmediate()
    }
    const has = new Set([...plans.values()].flatMap((orders) => [...orders.values()].flat()))
    const unplaced = contexts
      .flatMap((g) => g.data.visits)
      .filter((v) => open(v) && !has.has(v.id) && !(key === 'proposal' && skipped.has(v.id)))
    return { key, totals: addTotals(days.map((d) => d.totals)), unplaced: unplaced.length, days }
  }
  const now = plansOf(ordersOf)
  const sent = plansOf(publishedOrders)
  const wasSent = [...sent.values()].some((orders) => [...orders.values()].some((ids) => ids.length > 0))
  const proposal = run?.plan?.days ? proposedOrders(contexts, run.plan) : null
  const variants = [
    await variantOf('booked', new Map(contexts.map((g) => [g.data.day, inBookedOrders(g, ordersOf(g))]))),
    ...(wasSent ? [await variantOf('published', sent)] : []),
    await variantOf('now', now),
    ...(proposal ? [await variantOf('proposal', proposal)] : []),
  ]
  const changes = proposal
    ? await changesBetween(contexts, now, proposal, skipped)
    : wasSent
      ? await changesBetween(contexts, sent, now)
      : []
  return {
    firstDay,
    lastDay,
    variants,
    changes: changes.slice(0, mostChanges),
    changeCount: changes.length,
    customersToNotify: notifyCount(changes),
  }
}
