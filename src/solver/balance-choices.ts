import { apartSeconds } from './balance-of.ts'
import type { CrewDay, Evaluation, Plan, Problem, Solution } from './problem.ts'
import { planOf } from './problem.ts'
import { type SolveOptions, solve } from './solve.ts'

/** No matter; crews of a day end within an hour of each other; as even as can be. */
export type Evenness = 'cost' | 'hour' | 'even'

export type EvennessChoice = {
  evenness: Evenness
  solution: Solution
  plan: Plan
  /** Between the first and the last crew to end, of the worst day. */
  apartSeconds: number
  /** Against the least cost. */
  moreDriveSeconds: number
  moreCents: number
  /** "Ending together costs 35 min of driving, $33." */
  text: string
}

const HOUR = 3600
/** An hour apart is worth this much money to whoever asks for evenness: about twice what a crew's hour of driving costs, far less than a stop. */
const CENTS_PER_HOUR = 9_000
const TOLERANCE: Record<Evenness, number> = { cost: Number.POSITIVE_INFINITY, hour: HOUR, even: 0 }
const ORDER: Evenness[] = ['cost', 'hour', 'even']

/** The problem with the wish for evenness as a soft price. */
export function withEvenness(problem: Problem, evenness: Evenness): Problem {
  const { balance: _own, ...rest } = problem
  if (evenness === 'cost') return rest
  return {
    ...rest,
    balance: { toleranceSeconds: TOLERANCE[evenness], centsPerHour: CENTS_PER_HOUR },
  }
}

/**
 * The same day planned three ways, each with its price against the least cost. Each choice gets the best of all plans
 * seen by its own measure, so that none is worse than another choice's plan would be.
 */
export function evennessChoices(problem: Problem, options: SolveOptions = {}): EvennessChoice[] {
  const found: Solution[] = []
  for (const evenness of ORDER) {
    const start = found.at(-1)
    found.push(
      solve(
        withEvenness(problem, evenness),
        start && evenness !== 'hour' ? { ...options, warmStart: planOf(start) } : options,
      ),
    )
  }
  const worth = (solution: Solution, evenness: Evenness): number =>
    solution.cost.totalCents + unevenCents(problem.crewDays, solution, evenness)
  const best = ORDER.map((evenness) => found.reduce((a, b) => (worth(b, evenness) < worth(a, evenness) ? b : a)))
  const least = best[0]!
  return ORDER.map((evenness, k) => {
    const solution = best[k]!
    const moreDriveSeconds = solution.totals.driveSeconds - least.totals.driveSeconds
    const moreCents = solution.cost.totalCents - least.cost.totalCents
    return {
      evenness,
      solution,
      plan: planOf(solution),
      apartSeconds: apartSeconds(problem, solution),
      moreDriveSeconds,
      moreCents,
      text: textOf(evenness, moreDriveSeconds, moreCents),
    }
  })
}

/** What ending apart is worth to somebody who wants it so, in cents; the search's own price. */
export function unevenCents(crewDays: CrewDay[], plan: Pick<Evaluation, 'routes'>, evenness: Evenness): number {
  const tolerance = TOLERANCE[evenness]
  let seconds = 0
  for (const day of new Set(crewDays.map((crewDay) => crewDay.day ?? 0))) {
    const own = crewDays.filter((crewDay) => (crewDay.day ?? 0) === day)
    seconds += Math.max(0, apartSeconds({ crewDays: own }, plan) - tolerance)
  }
  return (seconds / HOUR) * CENTS_PER_HOUR
}

function textOf(evenness: Evenness, driveSeconds: number, cents: number): string {
  if (evenness === 'cost') return 'The least driving and labor.'
  const what = evenness === 'even' ? 'Ending together' : 'Ending within an hour of each other'
  const minutes = Math.round(driveSeconds / 60)
  const dollars = Math.round(cents / 100)
  if (minutes <= 0 && dollars <= 0) return `${what} costs nothing more.`
  return `${what} costs ${Math.max(0, minutes)} min of driving, $${Math.max(0, dollars)}.`
}
