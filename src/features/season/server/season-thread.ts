import { parentPort } from 'node:worker_threads'
import type { Matrix } from '../../../solver/problem.ts'
import { seasonPlan } from '../../../solver/season.ts'
import { type JudgedRoute, type JudgeOptions, judgeSeason, type SeasonJudgement } from '../../../solver/season-judge.ts'
import type { SeasonPlan, SeasonProblem, SeasonSlot } from '../../../solver/season-problem.ts'
import { OVER_CENTS } from '../../../solver/season-state.ts'
import type { ThreadTask, ThreadUpdate } from '../../routes/server/commands.ts'
import { nearSeconds } from '../rules.ts'
import type {
  CheckAnswer,
  CheckTask,
  Judged,
  Over,
  SearchAnswer,
  SearchTask,
  SeasonAnswer,
  SeasonTask,
  SeasonUpdate,
  Sited,
} from './season-task.ts'

// Runs in a thread of its own, so that a long search never holds up the server.

/** The drives of the slowest crew, so that nobody is given more than can be driven. */
const problemOf = ({ problem, travelTimes, percents }: Sited): SeasonProblem => {
  const percent = Math.max(100, ...Object.values(percents))
  const matrix: Matrix =
    percent === 100
      ? travelTimes
      : {
          ...travelTimes,
          seconds: travelTimes.seconds.map((s) => (s < 0 ? s : Math.round((s * percent) / 100))),
        }
  return { ...problem, matrix }
}

const judge = (work: Sited, slots: ReadonlyMap<string, SeasonSlot>, options: Omit<JudgeOptions, 'percents'> = {}) =>
  judgeSeason({ ...work.problem, matrix: work.travelTimes }, slots, { ...options, percents: work.percents })

/** What a season drives and works beyond the hours of its crews, in the cents by which the search weighs one against the other. */
const weightOf = (work: Sited, { driving, cycleWeeks, routes }: SeasonJudgement): number => {
  const closed = new Set(
    work.problem.crews.flatMap(({ id, closedDays = [] }) => closedDays.map((day) => `${id} ${day}`)),
  )
  const weeks = Math.max(1, Math.round(work.problem.weeks))
  const over = routes.reduce((sum, { crewId, day, week, overSeconds }) => {
    const times = Math.floor(weeks / cycleWeeks) + (week < weeks % cycleWeeks ? 1 : 0)
    return sum + (closed.has(`${crewId} ${day}`) ? 0 : times * overSeconds)
  }, 0)
  return driving.cents + OVER_CENTS * over
}

const judged = ({ driving, cycleWeeks, routes }: SeasonJudgement): Judged => ({ driving, cycleWeeks, routes })

const slotsOf = (plan: SeasonPlan, today: ReadonlyMap<string, SeasonSlot>): Map<string, SeasonSlot> =>
  // What found no place stays where it is: nothing is saved by leaving somebody out.
  new Map([...today, ...plan.slots.map(({ propertyId, ...slot }) => [propertyId, slot] as const)])

const sameSlot = (a: SeasonSlot, b: SeasonSlot): boolean =>
  a.crewId === b.crewId && a.day === b.day && a.week === b.week

/** How many other stops lie within a few minutes of each that moves, on its day before and after. */
const nearOf = (work: Sited, slots: ReadonlyMap<string, SeasonSlot>, id: string): number => {
  const { properties } = work.problem
  const { size, seconds } = work.travelTimes
  const own = properties.find((p) => p.id === id)
  const slot = slots.get(id)
  if (!own || !slot) return 0
  return properties.filter((p) => {
    const its = slots.get(p.id)
    const drive = seconds[own.location * size + p.location] ?? -1
    return (
      p.location !== own.location &&
      its?.crewId === slot.crewId &&
      its.day === slot.day &&
      (Math.min(p.everyWeeks, own.everyWeeks) === 1 || p.everyWeeks !== own.everyWeeks || its.week === slot.week) &&
      drive >= 0 &&
      drive <= nearSeconds
    )
  }).length
}

const search = (task: SearchTask, flag: Int32Array, report: (update: SeasonUpdate) => void): SearchAnswer => {
  const { work, other } = task
  const started = performance.now()
  const today = new Map(work.today)
  const parts = other ? 2 : 1
  const isStopped = (): boolean => Atomics.load(flag, 0) !== 0
  const planned = (of: Sited, part: number): SeasonPlan =>
    seasonPlan(problemOf(of), {
      seed: task.seed,
      ...(task.effort === undefined ? {} : { effort: task.effort }),
      now: () => performance.now(),
      deadlineMs: Math.max(500, (task.limitMs - (performance.now() - started)) / (parts - part)),
      shouldStop: isStopped,
      progressEvery: 1000,
      onProgress: ({ share, savedSeconds, moves }) =>
        report({ share: Math.min(1, (part + share) / parts), savedSecondsYear: savedSeconds, moves }),
    })
  const known = new Map<string, JudgedRoute>()
  const before = judge(work, today, { known })
  const plan = planned(work, 0)
  // Pressed while the best is counted it changes nothing more.
  const stopped = isStopped()
  const slots = slotsOf(plan, today)
  const after = judge(work, slots, { known, orders: plan.routes })
  // A plan that is no better by the other count is none.
  const better = weightOf(work, after) + plan.moveCents < weightOf(work, before)
  const best = better ? { slots, judged: after } : { slots: today, judged: before }
  const { iterations } = plan.stats
  if (other && !stopped) {
    const changed = planned(other, 1)
    const cut = isStopped()
    const there = slotsOf(changed, new Map())
    return {
      kind: 'search',
      before: judged(before),
      unchanged: judged(best.judged),
      after: judged(judge(other, there, { orders: changed.routes })),
      slots: [...there],
      moves: [],
      unplaced: changed.unplaced.map(({ propertyId, text }) => ({ id: propertyId, text })),
      iterations: iterations + changed.stats.iterations,
      stopped: cut,
    }
  }
  const worth = new Map(plan.moves.map((move) => [move.propertyId, move]))
  return {
    kind: 'search',
    before: judged(before),
    after: judged(best.judged),
    unchanged: null,
    slots: [...best.slots],
    moves: [...best.slots].flatMap(([id, to]) => {
      const from = today.get(id)
      if (!from || sameSlot(from, to)) return []
      const near = { before: nearOf(work, today, id), after: nearOf(work, best.slots, id) }
      const { worthSeconds = 0, relievesSeconds = 0 } = worth.get(id) ?? {}
      return [{ id, from, to, worthSeconds, relievesSeconds, near }]
    }),
    unplaced: plan.unplaced.map(({ propertyId, text }) => ({ id: propertyId, text })),
    iterations,
    stopped,
  }
}

/** Routes of one search that were counted before. */
let counted: { key: string; routes: Map<string, JudgedRoute> } = { key: '', routes: new Map() }
const mostCounted = 4000

const check = (task: CheckTask): CheckAnswer => {
  const { work, orders } = task
  if (counted.key !== task.key || counted.routes.size > mostCounted) counted = { key: task.key, routes: new Map() }
  const known = counted.routes
  const now = new Map(task.now)
  const before = judge(work, now, { known, orders })
  const keyOf = ({ crewId, day, week }: Pick<Over, 'crewId' | 'day' | 'week'>): string => `${crewId} ${day} ${week}`
  const today = new Map(before.routes.map((route) => [keyOf(route), route.driveSeconds + route.workSeconds]))
  const overOf = ({ routes }: SeasonJudgement): Over[] =>
    routes.flatMap(({ crewId, day, week, driveSeconds, workSeconds, roomSeconds }) => {
      const is = driveSeconds + workSeconds
      // A day that is too full already may stay so, and not become fuller.
      const was = today.get(keyOf({ crewId, day, week })) ?? 0
      const todaySeconds = Math.max(0, was - roomSeconds)
      return is > Math.max(roomSeconds, was) ? [{ crewId, day, week, overSeconds: is - roomSeconds, todaySeconds }] : []
    })
  const withMoves = (moves: CheckTask['moves']) =>
    judge(work, new Map([...now, ...moves.map(({ id, to }) => [id, to] as const)]), { known, orders })
  const all = withMoves(task.moves)
  const over = overOf(all)
  let fitting = task.moves
  for (let left = over; left.length > 0 && fitting.length > 0; left = overOf(withMoves(fitting))) {
    const out = new Set(
      left.flatMap(({ crewId, day }) => {
        const come = fitting.filter(({ id, to }) => {
          const from = now.get(id)
          return to.crewId === crewId && to.day === day && !(from && sameSlot(from, to))
        })
        const least = come.toSorted(
          (a, b) => a.relievesSeconds - b.relievesSeconds || a.worthSeconds - b.worthSeconds,
        )[0]
        return least ? [least.id] : []
      }),
    )
    // Nothing comes to that day, and yet it is longer: leave all of it.
    fitting = out.size > 0 ? fitting.filter(({ id }) => !out.has(id)) : []
  }
  return {
    kind: 'check',
    before: before.driving,
    after: all.driving,
    cycleWeeks: all.cycleWeeks,
    over,
    fitting: fitting.map(({ id }) => id),
  }
}

parentPort?.on('message', ({ task, flag }: ThreadTask<SeasonTask>) => {
  const tell = (message: ThreadUpdate<SeasonUpdate, SeasonAnswer>) => parentPort?.postMessage(message)
  try {
    tell({ answer: task.kind === 'check' ? check(task) : search(task, flag, (update) => tell({ update })) })
  } catch (error) {
    tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
