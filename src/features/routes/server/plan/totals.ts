import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import type { RouteTotals } from '../../contract.ts'
import { addTotals, labourOnRoadCents, mileageCents, shiftPercent } from '../../rules.ts'
import { type Ground, inBookedOrder, type Orders } from '../day/planning-context.ts'
import { type LaidRoute, layOut } from './lay-out.ts'

/** What routes add up to. */

/** Totals as a person may see them: what hours and miles cost is for who may see payroll. */
export const totalsFor = (actor: Actor, totals: RouteTotals): RouteTotals =>
  hasPermission(actor, 'payroll') ? totals : { ...totals, labourCents: null, mileageCents: null }

export const totalsOf = (ground: Ground, route: LaidRoute): RouteTotals => ({
  stops: route.stops.length,
  driveSeconds: route.driveSeconds,
  driveMetres: route.driveMetres,
  workSeconds: Math.round(route.workSeconds),
  shiftPercent: shiftPercent(route.endMinute, {
    startMinute: route.crew.shiftStartMinute,
    endMinute: route.crew.shiftEndMinute,
  }),
  labourCents: labourOnRoadCents(route.driveSeconds, route.crew.costCentsPerHour),
  mileageCents: mileageCents(route.driveMetres, ground.data.business.mileCostCents),
  endMinute: route.endMinute,
})

/** A crew's open stops in the order in which they were booked. */
export const bookedOrder = (ground: Ground, openIds: readonly string[]): string[] =>
  openIds
    .flatMap((id) => ground.byId.get(id) ?? [])
    .sort(inBookedOrder)
    .map((v) => v.id)

/** What some crews' day adds up to in an order of its stops. */
export const sumOf = (ground: Ground, orders: Orders, crewIds: readonly string[]): RouteTotals =>
  addTotals(
    ground.data.crews
      .filter((crew) => crewIds.includes(crew.id))
      .map((crew) => totalsOf(ground, layOut(ground, crew, orders.get(crew.id) ?? []))),
  )

/** The same stops of each crew in the order in which they were booked. */
export const inBookedOrders = (ground: Ground, orders: Orders): Orders =>
  new Map([...orders].map(([crewId, ids]) => [crewId, bookedOrder(ground, ids)]))
