import { windowsOn } from './compile-windows.ts'
import type { Problem, Reason } from './problem.ts'
import { scheduleRoute } from './schedule.ts'

/** What the fixed stops of a crew-day alone already use, so that the search may keep but not worsen it. */
export type Relief = {
  frozen: boolean
  breakLate: boolean
  stops: number
  driveSeconds: number
  endSeconds: number
  load: number[]
}
export type Skeletons = {
  orders: number[][]
  fixed: Uint8Array
  lockedBefore: Uint8Array
  /** Start of fixed visits that are late by the hand order itself, by visit. */
  lateStarts: Map<number, number>
  relief: Relief[]
}

/** Fixed visits (pins with an order) per crew-day, in their order, equal numbers in the order of the problem. */
export function fixedOrder(problem: Problem, crewDayId: string, excluded?: Map<number, Reason>): number[] {
  const list: { u: number; order: number }[] = []
  for (const [u, visit] of problem.visits.entries())
    if (visit.pin?.crewDayId === crewDayId && visit.pin.order !== undefined && !excluded?.has(u))
      list.push({ u, order: visit.pin.order })
  return list.sort((a, b) => a.order - b.order || a.u - b.u).map((item) => item.u)
}

/** Times every crew-day's fixed stops alone and notes which limits they break by themselves. */
export function pinnedSkeletons(problem: Problem, excluded: Map<number, Reason>): Skeletons {
  const fixed = new Uint8Array(problem.visits.length)
  const lockedBefore = new Uint8Array(problem.visits.length)
  const lateStarts = new Map<number, number>()
  const orders: number[][] = []
  const relief = problem.crewDays.map((crewDay): Relief => {
    const order = fixedOrder(problem, crewDay.id, excluded)
    orders.push(order)
    const visits = order.map((u) => problem.visits[u]!)
    const load: number[] = []
    if (order.length === 0)
      return { frozen: false, breakLate: false, stops: 0, driveSeconds: 0, endSeconds: -1e8, load }
    const times = scheduleRoute(problem, crewDay, visits)
    let drive = times.home.seconds
    let reachable = times.home.reachable
    for (const [i, u] of order.entries()) {
      const stop = times.stops[i]!
      fixed[u] = 1
      if (visits[i]!.pin!.lockGapBefore) lockedBefore[u] = 1
      if (stop.late > 0 || windowsOn(visits[i]!.windows, crewDay.day ?? 0)?.length === 0) lateStarts.set(u, stop.start)
      drive += stop.leg.seconds
      reachable &&= stop.leg.reachable
      for (const [d, q] of (visits[i]!.demand ?? []).entries()) load[d] = (load[d] ?? 0) + q
    }
    return {
      // With no room for the break the search's clock would differ from the crew's: nothing is added to such a day.
      frozen: !reachable || times.breakLate > 0,
      breakLate: times.breakLate > 0,
      stops: order.length,
      driveSeconds: drive,
      endSeconds: times.end,
      load,
    }
  })
  return { orders, fixed, lockedBefore, lateStarts, relief }
}
