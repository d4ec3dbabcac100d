/**
 * The public model of a routing problem and of its answer. Everything the engine knows stands here; it reads no clock,
 * no file and no database. All clock times are seconds on one axis per day (usually since local midnight of that day),
 * money is whole cents, distance is meters. A location is an index into the matrix.
 */

/** Travel between `size` places, row-major `[from * size + to]`. -1 (any negative) means: there is no way. */
export type Matrix = { size: number; seconds: Int32Array; meters: Int32Array }

/** Service must START inside the window. With `day`, the window counts only on crew-days of that day. */
export type TimeWindow = { startSeconds: number; endSeconds: number; day?: number }

/**
 * What the owner fixed by hand. `crewDayId` alone: the visit may move inside that crew-day only.
 * With `order`: the search never takes it out, and pinned visits of one crew-day keep the order of these numbers.
 * `lockGapBefore`: nothing may be slotted between the pinned visit before it (or the start) and this one.
 */
export type Pin = { crewDayId: string; order?: number; lockGapBefore?: boolean }

export type Visit = {
  id: string
  location: number
  /** Time on site for the crew as a whole, in whole seconds: the search rounds them. */
  serviceSeconds: number
  /** Time on site by `CrewDay.crewClass`, where a class differs from `serviceSeconds`. */
  serviceSecondsByClass?: Record<string, number>
  /** None = any time of the shift; else 1 to 4, in any order. */
  windows?: TimeWindow[]
  /** Load per dimension, in the order of `CrewDay.capacity`. Missing = 0. */
  demand?: number[]
  /** Skills and equipment the crew-day must have, every one. */
  skills?: string[]
  /** 0 (default) to 100: what is left out first when not everything fits. */
  priority?: number
  /** What leaving the visit out costs. Default: (1 + priority) x 1,000,000 cents, so that money never decides. */
  prizeCents?: number
  /** Missing = every crew-day. */
  allowedCrewDayIds?: string[]
  forbiddenCrewDayIds?: string[]
  /** Extra cost of serving it on a crew-day: day deviation, change against the published plan, preference. May be < 0. */
  crewDayCostCents?: Record<string, number>
  pin?: Pin
  /** One of a series of visits to the same place that must keep their distance in days. */
  series?: Series
}

/**
 * Neighbors of a series (by `occurrence`) that are both on the plan lie at least and at most so many days apart, by
 * `CrewDay.day`. Its day window and the price of another day than the one meant are made by `onDays`.
 */
export type Series = {
  id: string
  occurrence: number
  leastDaysAfterPrevious?: number
  mostDaysAfterPrevious?: number
}

/** Taken once between stops, starting inside [earliest, latest]; not needed when the crew is done by `latestSeconds`. */
export type Break = { earliestSeconds: number; latestSeconds: number; durationSeconds: number }

/** One crew on one day: one route. */
export type CrewDay = {
  id: string
  /** Same crew on several days, for pushing a day's work on. Default: every crew-day is a crew of its own. */
  crewId?: string
  /** Number of the day in the horizon, for windows that name a day. Default 0. */
  day?: number
  /** Names the crew's speed class for `Visit.serviceSecondsByClass`. */
  crewClass?: string
  startLocation: number
  /** null: the day ends at the last stop. */
  endLocation: number | null
  shiftStartSeconds: number
  /** Hard: the crew is back (or done) by then. */
  shiftEndSeconds: number
  break?: Break
  /** Per dimension. Missing = no limit. */
  capacity?: number[]
  skills?: string[]
  maxStops?: number
  maxDriveSeconds?: number
  /** Paid when the crew-day has at least one stop. */
  fixedCostCents?: number
  /** People in the crew. Default 1. */
  crewSize?: number
  /** Per person. Default 2,000. */
  wageCentsPerHour?: number
  /** Default 0. */
  centsPerMile?: number
  /** Clock time after which overtime is priced (still inside the shift). */
  overtimeAfterSeconds?: number
  /** Extra per person and hour after that. Default half the wage. */
  overtimeCentsPerHour?: number
}

export type Problem = {
  matrix: Matrix
  visits: Visit[]
  crewDays: CrewDay[]
  /** Price of starting one minute after the last window closed; used by `evaluate` only (the search is never late). Default 100. */
  lateCentsPerMinute?: number
  /** Price of an hour of a crew waiting for a window, per person. Default 0. */
  waitCentsPerHour?: number
  /**
   * A soft wish that the crews of a day end together: cents of every hour between the first and the last to end, beyond
   * the tolerance. It steers the search and is no part of `CostBreakdown`, which is money that is really spent.
   */
  balance?: { toleranceSeconds: number; centsPerHour: number }
}

/** An order of stops by hand or from the search. Crew-days left out are empty, visits left out are unserved. */
export type Plan = { routes: { crewDayId: string; visitIds: string[] }[] }

export type Stop = {
  visitId: string
  arriveSeconds: number
  startSeconds: number
  leaveSeconds: number
  waitSeconds: number
  /** From the stop before (or the start). */
  driveSeconds: number
  driveMeters: number
  /** Start after the end of the last window that could hold it. */
  lateSeconds: number
}

export type RouteTotals = {
  stops: number
  departSeconds: number
  endSeconds: number
  driveSeconds: number
  driveMeters: number
  serviceSeconds: number
  waitSeconds: number
  lateSeconds: number
  overtimeSeconds: number
  load: number[]
  costCents: number
}

/** `beforeStop` is the index of the stop the break comes before; equal to the number of stops: before the way home. */
export type TakenBreak = { startSeconds: number; endSeconds: number; beforeStop: number; afterDrive: boolean }

export type Route = { crewDayId: string; stops: Stop[]; break: TakenBreak | null; totals: RouteTotals }

export type ReasonCode =
  | 'no-crew-day'
  | 'bad-data'
  | 'not-allowed'
  | 'skill'
  | 'window'
  | 'shift'
  | 'too-long'
  | 'capacity'
  | 'max-stops'
  | 'max-drive'
  | 'break'
  | 'unreachable'
  | 'pinned-gaps'
  | 'series'
  | 'skipped'
  | 'late'
  | 'full'
  | 'not-worth-it'

/** Why a visit is not on a crew-day (or, without crewDayId, on none), in words a dispatcher understands. */
export type Reason = { code: ReasonCode; crewDayId?: string; text: string }

export type Unserved = { visitId: string; reasons: Reason[] }

/** Whole cents. */
export type CostBreakdown = {
  totalCents: number
  unservedCents: number
  driveLaborCents: number
  mileageCents: number
  waitCents: number
  overtimeCents: number
  fixedCents: number
  latenessCents: number
  /** Sum of `Visit.crewDayCostCents`: day deviation, stability, preference. */
  preferenceCents: number
}

export type ViolationKind =
  | 'late'
  | 'shift'
  | 'capacity'
  | 'skill'
  | 'not-allowed'
  | 'max-stops'
  | 'max-drive'
  | 'break'
  | 'unreachable'
  | 'pin'
  | 'series'
  | 'duplicate'
  | 'unknown'
  | 'times'

/** `amount` is seconds over for late/shift/max-drive/break, units over for capacity, stops over for max-stops, else 0. */
export type Violation = {
  kind: ViolationKind
  crewDayId?: string
  visitId?: string
  amount: number
  /** The fixed stops alone already cause it: the search accepted it and did not make it worse. */
  byPins: boolean
  text: string
}

export type SolveStats = {
  iterations: number
  /** The search was stopped by deadline or signal before its planned iterations. */
  truncated: boolean
  stoppedBy: 'done' | 'deadline' | 'signal'
  /** By the caller's `now`, 0 without one. */
  elapsedMs: number
  improvements: number
  startCostCents: number
}

/** A plan with its clock times, money and what is wrong with it. */
export type Evaluation = {
  routes: Route[]
  unserved: Unserved[]
  cost: CostBreakdown
  totals: {
    driveSeconds: number
    driveMeters: number
    waitSeconds: number
    lateSeconds: number
    routesUsed: number
    served: number
  }
  violations: Violation[]
}

export type Solution = Evaluation & { stats: SolveStats }

/** The bare order of stops of an evaluated plan, to store, compare or hand to `solve` as `warmStart`. */
export function planOf(evaluation: Pick<Evaluation, 'routes'>): Plan {
  return {
    routes: evaluation.routes.map((route) => ({
      crewDayId: route.crewDayId,
      visitIds: route.stops.map((stop) => stop.visitId),
    })),
  }
}
