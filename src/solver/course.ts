import { type Archive, addRoutes, combineRoutes, createArchive } from './archive.ts'
import { crossed } from './crossing.ts'
import type { Exchange } from './islands.ts'
import { bestOrders, restart, type Search } from './search.ts'

/** How the steps of a search are spent. */
export type Shape = {
  /** Coolings from hot, each to a plan of its own. */
  coolings: number
  /** Share of the steps that they take together. */
  coolingShare: number
  /** After them: children of two of the plans found, each cooled from lukewarm. */
  children: number
}

export const COURSE = {
  /** Up to so many visits are a small problem. */
  mostVisits: 150,
  /** Fewer steps a visit leave no time for more than one cooling: a large problem, with good and bad places everywhere, must have many. */
  leastSteps: 100,
  leastStepsLarge: 2000,
  several: { coolings: 6, coolingShare: 0.5, children: 24 },
  one: { coolings: 1, coolingShare: 1, children: 0 },
  /** A large problem with others searching beside: each cools its own plan, then they cross them. */
  island: { coolings: 1, coolingShare: 0.8, children: 8 },
  /** Where a child begins to cool, against the start of a cooling. */
  lukewarm: 0.05,
  /** Plans that may become parents. */
  parents: 5,
}

/** The temperature falls to this part of where it began. */
const FALL = 100

type Parent = { cost: number; orders: number[][] }

export type Course = {
  shape: Shape
  hot: number
  phase: number
  parents: Parent[]
  exchange: Exchange | null
  archive: Archive | null
}

/** The best way to spend so many steps on so many visits. */
export function shapeFor(visits: number, steps: number, islands = false): Shape {
  const large = visits > COURSE.mostVisits
  if (large && islands) return COURSE.island
  return steps >= visits * (large ? COURSE.leastStepsLarge : COURSE.leastSteps) ? COURSE.several : COURSE.one
}

/** A course that has not begun. `hot` is the temperature at which a cooling starts. */
export function createCourse(shape: Shape, hot: number, exchange: Exchange | null = null): Course {
  return { shape, hot, phase: 0, parents: [], exchange, archive: null }
}

/** The temperature at a share of all steps, 0 to 1; where a cooling is over, the next one or a child takes the plan's place. */
export function temperatureAt(course: Course, search: Search, share: number): number {
  const { shape, hot } = course
  const { coolings, coolingShare, children } = shape
  const cooling = share < coolingShare || children === 0
  const at = cooling
    ? (share / coolingShare) * coolings
    : coolings + ((share - coolingShare) / (1 - coolingShare)) * children
  const phase = Math.min(Math.floor(at), coolings + children - 1)
  if (phase > course.phase) {
    course.phase = phase
    admit(course, search)
    if (phase === coolings) combine(course, search)
    if (phase >= coolings) {
      meet(course, search)
      restart(search, nextChild(course, search))
    }
  }
  const from = cooling ? hot : hot * COURSE.lukewarm
  return from * (hot / FALL / from) ** (at - phase)
}

/** Takes the plan at the end of a phase and the best one among the parents, and keeps their routes. */
function admit(course: Course, search: Search): void {
  course.archive ??= createArchive(search.s.c)
  addRoutes(course.archive, bestOrders(search, search.s.next), search.s.cost)
  addRoutes(course.archive, bestOrders(search), search.bestCosts)
  add(course, search.cost, () => bestOrders(search, search.s.next))
  add(course, search.bestCost, () => bestOrders(search))
}

/** One more parent, unless as many better ones or the same is there. */
function add(course: Course, cost: number, orders: () => number[][]): void {
  if (course.parents.some((parent) => Math.abs(parent.cost - cost) < 1e-6)) return
  course.parents.push({ cost, orders: orders() })
  course.parents.sort((a, b) => a.cost - b.cost)
  course.parents.length = Math.min(course.parents.length, COURSE.parents)
}

/** Tells the best plan to those who search beside, and takes theirs among the parents. */
function meet(course: Course, search: Search): void {
  const others = course.exchange?.({ cost: search.bestCost, orders: bestOrders(search) }) ?? []
  for (const { cost, orders } of others) add(course, cost, () => orders)
}

/** A better plan from the routes of all plans so far takes the place of the best one. */
function combine(course: Course, search: Search): void {
  const orders = course.archive && combineRoutes(course.archive, search.bestCost)
  if (!orders) return
  restart(search, orders, true)
  add(course, search.bestCost, () => bestOrders(search))
}

/** The last look at the routes of all plans. */
export function finish(course: Course, search: Search): void {
  if (course.phase === 0) return
  admit(course, search)
  combine(course, search)
}

/** The last meeting: everybody ends with the best plan of all. */
export function agree(course: Course, search: Search): void {
  meet(course, search)
  const best = course.parents[0]
  if (best && best.cost < search.bestCost - 1e-7) restart(search, best.orders)
}

function nextChild({ parents }: Course, { random, ruin, s }: Search): number[][] {
  const a = random.int(parents.length)
  if (parents.length === 1) return parents[a]!.orders
  const b = (a + 1 + random.int(parents.length - 1)) % parents.length
  return crossed(s.c, ruin.near, random, parents[a]!.orders, parents[b]!.orders)
}
