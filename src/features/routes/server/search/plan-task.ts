import type { Evenness } from '../../../../solver/balance-choices.ts'
import type { Stability } from '../../../../solver/changes.ts'
import type { Matrix, Plan, Problem } from '../../../../solver/problem.ts'

/** What a planning thread is asked and what it answers; all of it can be sent from thread to thread. */

export type PlanTask = {
  /** `optimize` looks for the best; the others start from a day that cannot be worked as planned. */
  kind: 'optimize' | 'push' | 'replan' | 'spread'
  /** In memory that threads share: it is not copied. */
  travelTimes: Matrix
  /** Drive time in percent, by crew-day. */
  percents: number[]
  problem: Omit<Problem, 'matrix'>
  start: Plan
  /** Crew-days that fall out. */
  closed: string[]
  /** Visits that a push leaves on their days. */
  fixed: string[]
  stability: Stability
  /** How evenly the crews of a day end. */
  evenness: Evenness
  /** As in the engine, and the seed of its dice. */
  effort: number
  seed: number
  /** Threads that search together and exchange plans: for what is large, while others are free. */
  islands: number
  /** The search ends with the best so far. */
  limitMs: number
}

/** The best plan so far, at most five times a second. */
export type PlanUpdate = {
  elapsedMs: number
  iterations: number
  costCents: number
  driveSeconds: number
  unserved: number
  /** 0 to 1: how much of the search is done. */
  share: number
  routes: { crewDayId: string; stops: { visitId: string; startMinute: number }[] }[]
}

export type PlanAnswer = {
  /** What was there is the best that was found. */
  kept: boolean
  plan: Plan
  unserved: { visitId: string; code: string; text: string }[]
  iterations: number
  /** It was asked to stop, or the time was over. */
  stopped: boolean
  /** What each way of sharing the day out drives and costs; null where all were not looked at. */
  choices: { evenness: Evenness; driveSeconds: number; cents: number; apartSeconds: number }[] | null
}

/** How long one thread of a search waits for another that begins later or is slower. */
export const patienceOf = ({ limitMs }: Pick<PlanTask, 'limitMs'>): number => limitMs / 3

/** What a second thread in the same search is given. */
export type BesideTask = Pick<PlanTask, 'start' | 'effort' | 'seed' | 'limitMs'> & {
  problem: Problem
  deadlineMs: number
  memory: SharedArrayBuffer
  flag: Int32Array
}
