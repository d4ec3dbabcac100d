import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import type { RouteTotals } from '../../contract.ts'
import { addTotals, laborOnRoadCents, mileageCents, shiftPercent } from '../../rules.ts'
import { inBookedOrder, type Orders, type PlanningContext } from '../day/planning-context.ts'
import { type SequencedRoute, sequenceRoute } from './sequence.ts'

/** What routes add up to. */

/** Totals as a person may see them: what hours and miles cost is for who may see payroll. */
export const totalsFor = (actor: Actor, totals: RouteTotals): RouteTotals =>
  hasPermission(actor, 'payroll') ? totals : { ...totals, laborCents: null, mileageCents: null }

export const totalsOf = (context: PlanningContext, route: SequencedRoute): RouteTotals => ({
  stops: route.stops.length,
  driveSeconds: route.driveSeconds,
  driveMeters: route.driveMeters,
  workSeconds: Math.round(route.workSeconds),
  shiftPercent: shiftPercent(Math.round(route.workSeconds) + route.driveSeconds, {
    startMinute: route.crew.shiftStartMinute,
    endMinute: route.crew.shiftEndMinute,
    breakMinutes: route.crew.breakMinutes,
  }),
  laborCents: laborOnRoadCents(route.driveSeconds, route.crew.costCentsPerHour),
  mileageCents: mileageCents(route.driveMeters, context.data.business.mileCostCents),
  endMinute: route.endMinute,
})

/** A crew's open stops in the order in which they were booked. */
export const bookedOrder = (context: PlanningContext, openIds: readonly string[]): string[] =>
  openIds
    .flatMap((id) => context.byId.get(id) ?? [])
    .sort(inBookedOrder)
    .map((v) => v.id)

/** What some crews' day adds up to in an order of its stops. */
export const sumOf = (context: PlanningContext, orders: Orders, crewIds: readonly string[]): RouteTotals =>
  addTotals(
    context.data.crews
      .filter((crew) => crewIds.includes(crew.id))
      .map((crew) => totalsOf(context, sequenceRoute(context, crew, orders.get(crew.id) ?? []))),
  )

/** The same stops of each crew in the order in which they were booked. */
export const inBookedOrders = (context: PlanningContext, orders: Orders): Orders =>
  new Map([...orders].map(([crewId, ids]) => [crewId, bookedOrder(context, ids)]))
