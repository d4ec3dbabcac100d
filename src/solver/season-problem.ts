import type { Matrix } from './problem.ts'

/** The public model of a season's plan and of its answer; see `seasonPlan`. */

/** Who comes on which weekday, beginning in which week: 0 to `everyWeeks` - 1 (biweekly: 0 = A, 1 = B). */
export type SeasonSlot = { crewId: string; day: number; week: number }

export type SeasonProperty = {
  id: string
  location: number
  serviceSeconds: number
  /** Seconds on site by crew, where a crew needs another time than `serviceSeconds`: more people, less time. */
  serviceSecondsByCrew?: Record<string, number>
  /**
   * Seconds on site week by week where visits differ, counted as the week of `today` is; its length divides 12. Another week of the rhythm takes
   * them along: the first one that lies back in time.
   */
  serviceByWeek?: { seconds: number; byCrew?: Record<string, number> }[]
  /** Weeks in which it comes, where these are not all of the season; those of a shorter time lie in those of a longer one. */
  weeks?: number
  /** 1 = weekly, 2 = every other week; 3 and 4 too. */
  everyWeeks: number
  /** Crews that may have it; the one that has it today always may. Missing = any crew. */
  crews?: string[]
  /** Missing = any day that a crew works. */
  allowedDays?: number[]
  skills?: string[]
  /** Where it stands now. */
  today?: SeasonSlot
  /** "Keep my day" and so on: hard. */
  keep?: { day?: boolean; week?: boolean; crew?: boolean }
}

export type SeasonCrew = {
  id: string
  /** Weekdays it works, by the caller's numbers. */
  days: number[]
  /** Those of them on which it only keeps what stands there today: nothing new comes to them. */
  closedDays?: number[]
  startLocation: number
  endLocation: number | null
  /** Time for driving and service in a day, breaks already taken off. */
  shiftSeconds: number
  /** The same on weekdays that differ. */
  shiftSecondsByDay?: Record<number, number>
  maxStops?: number
  skills?: string[]
  crewSize?: number
  wageCentsPerHour?: number
  centsPerMile?: number
}

export type SeasonProblem = {
  matrix: Matrix
  properties: SeasonProperty[]
  crews: SeasonCrew[]
  /** Length of the season. */
  weeks: number
  /** Once for every customer that gets another day (2,000), another week of its rhythm (1,000) or another crew (700). */
  movePrices?: { dayCents?: number; weekCents?: number; crewCents?: number }
}

/** One crew's day in one week of the cycle, in driving order. */
export type SeasonRoute = {
  crewId: string
  day: number
  week: number
  propertyIds: string[]
  driveSeconds: number
  workSeconds: number
  /** More than the shift: only where today's plan is at least as full. */
  overSeconds: number
}

/** A season's driving; cents are crew time on the road and miles. */
export type SeasonDriving = { seconds: number; meters: number; cents: number }

export type SeasonMove = {
  propertyId: string
  from: SeasonSlot
  to: SeasonSlot
  /** What the season would drive more if this one alone kept its slot. */
  worthSeconds: number
  /** What the season would work more beyond the shifts if this one alone kept its slot; 0 = nothing. */
  relievesSeconds: number
}

export type SeasonPlan = {
  slots: ({ propertyId: string } & SeasonSlot)[]
  routes: SeasonRoute[]
  unplaced: { propertyId: string; text: string }[]
  /** Weeks after which everything begins anew. */
  cycleWeeks: number
  /** Today's slots, every route in its best order; null when not every property that is planned has one. */
  before: SeasonDriving | null
  after: SeasonDriving
  /** Seconds of the season beyond the shifts, days on which a crew only keeps what stands there left out. */
  overSeconds: { before: number | null; after: number }
  /** Dearest to undo first. */
  moves: SeasonMove[]
  /** What the moves cost once. */
  moveCents: number
  /** "Moves 14 customers, saves 61 h of driving a season." */
  text: string
  stats: { iterations: number; truncated: boolean; improvements: number }
}

export type SeasonProgress = { iterations: number; share: number; savedSeconds: number; moves: number }
