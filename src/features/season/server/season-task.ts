import type { Matrix } from '../../../solver/problem.ts'
import type { JudgedRoute } from '../../../solver/season-judge.ts'
import type { SeasonDriving, SeasonSlot } from '../../../solver/season-problem.ts'
import type { Posed } from './problem.ts'

/** What a thread of the season is asked and what it answers; all of it can be sent from thread to thread. */

export type Sited = Posed & { travelTimes: Matrix }
export type Slots = [id: string, slot: SeasonSlot][]

export type SearchTask = {
  kind: 'search'
  work: Sited
  /** The work as a what-if has it. */
  other: Sited | null
  seed: number
  limitMs: number
  /** Of the engine; its usual one where it is left out. */
  effort?: number | undefined
}

export type CheckTask = {
  kind: 'check'
  /** Routes that were counted for the same search are not counted again. */
  key: string
  work: Sited
  /** Where everything stands now. */
  now: Slots
  /** What would move, and what each is worth: what is worth least is left out first. */
  moves: { id: string; to: SeasonSlot; worthSeconds: number; relievesSeconds: number }[]
  orders: Pick<JudgedRoute, 'crewId' | 'day' | 'week' | 'propertyIds'>[]
}

export type SeasonTask = SearchTask | CheckTask
export type SeasonUpdate = { share: number; savedSecondsYear: number; moves: number }

/** A plan as `evaluate` counts it, of the whole season. */
export type Judged = { driving: SeasonDriving; cycleWeeks: number; routes: JudgedRoute[] }

export type SearchAnswer = {
  kind: 'search'
  before: Judged
  after: Judged
  unchanged: Judged | null
  slots: Slots
  moves: {
    id: string
    from: SeasonSlot
    to: SeasonSlot
    worthSeconds: number
    /** Of a plan that was made before it was counted there is none. */
    relievesSeconds?: number
    near: { before: number; after: number }
  }[]
  unplaced: { id: string; text: string }[]
  iterations: number
  stopped: boolean
}

export type Over = { crewId: string; day: number; week: number; overSeconds: number; todaySeconds: number }

export type CheckAnswer = {
  kind: 'check'
  before: SeasonDriving
  after: SeasonDriving
  cycleWeeks: number
  over: Over[]
  fitting: string[]
}

export type SeasonAnswer = SearchAnswer | CheckAnswer
