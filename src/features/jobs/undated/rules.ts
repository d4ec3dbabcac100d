import { addDays, type Day, daysBetween } from '../../../shared/dates.ts'
import { isTerminal, type VisitStatus } from '../../visits/rules.ts'

/** Work without days of its own: rounds of a program, work that waits, work on demand. */

/** A round of a program in the season that it was put on for; both days of its window are part of it. */
export type Step = {
  kind: 'step'
  name: string
  opensOn: Day
  closesOn: Day
  /** Days from the round done before it to this one, at the least. */
  minGapDays: number
  /** The office decided to do it although its window is past. */
  late?: boolean | undefined
}
export type Waiting = { kind: 'waiting'; fromOn: Day; warnOn: Day | null }
export type Undated = Step | Waiting | { kind: 'on_demand' }

/** The visit that was made last for a line. */
export type LineVisit = {
  id: string
  status: VisitStatus
  day: Day | null
  /** The day on which its work ended. */
  finishedOn: Day | null
}

export const stepStates = ['upcoming', 'due', 'planned', 'done', 'skipped', 'missed', 'on_demand'] as const
export type StepState = (typeof stepStates)[number]

export type UndatedLine = { id: string; undated: Undated; visit: LineVisit | null }
export type Standing = {
  state: StepState
  opensOn: Day | null
  closesOn: Day | null
  daysLate: number
  visitId: string | null
  day: Day | null
}
/** What has to happen to a line's visit now. */
export type Deed =
  | { lineId: string; do: 'open'; on: Day }
  | { lineId: string; do: 'miss' | 'withdraw'; visitId: string }
export type Season = {
  standings: ReadonlyMap<string, Standing>
  deeds: readonly Deed[]
  /** The next day on which something of it opens. */
  nextOn: Day | null
}

/** The later of two days. */
export const later = (a: Day, b: Day): Day => (a < b ? b : a)

const stateOf = ({ status, day }: LineVisit): StepState => {
  if (status === 'completed') return 'done'
  if (status === 'missed') return 'missed'
  if (status === 'skipped' || status === 'canceled') return 'skipped'
  return day === null ? 'due' : 'planned'
}

/** Nobody came for it: it has no day, or one that went by. */
const waits = ({ status, day }: LineVisit, today: Day): boolean =>
  status === 'unscheduled' || (status === 'scheduled' && (day === null || day < today))

/**
 * Where the undated lines of a running job stand, and what is to be done about their visits. Rounds come one after another in the order given: one
 * opens at the start of its window or when its gap to the last round done is over, whichever is later, and never before the round ahead of it is
 * done, skipped or missed. One that is not placed by the end of its window is missed. What was done for them already is not done again.
 */
export const seasonOf = (lines: readonly UndatedLine[], today: Day): Season => {
  const standings = new Map<string, Standing>()
  const deeds: Deed[] = []
  const coming: Day[] = []
  let doneOn: Day | null = null
  let blocked = false
  for (const { id, undated, visit } of lines) {
    const stand = (state: StepState, days: Partial<Standing> = {}): void => {
      standings.set(id, {
        state,
        opensOn: null,
        closesOn: null,
        daysLate: 0,
        visitId: visit?.id ?? null,
        day: visit?.day ?? null,
        ...days,
      })
    }
    if (undated.kind === 'on_demand') {
      stand(visit && !isTerminal(visit.status) ? stateOf(visit) : 'on_demand')
      continue
    }
    if (undated.kind === 'waiting') {
      const { fromOn, warnOn } = undated
      const late = warnOn !== null && visit?.status === 'unscheduled' ? Math.max(0, daysBetween(warnOn, today)) : 0
      const days = { opensOn: fromOn, closesOn: warnOn, daysLate: late }
      stand(visit ? stateOf(visit) : 'upcoming', days)
      if (!visit && fromOn <= today) deeds.push({ lineId: id, do: 'open', on: fromOn })
      else if (!visit) coming.push(fromOn)
      continue
    }
    const { closesOn, late } = undated
    const opensOn: Day = doneOn === null ? undated.opensOn : later(undated.opensOn, addDays(doneOn, undated.minGapDays))
    if (visit === null) {
      stand('upcoming', { opensOn, closesOn })
      // It is missed once its window is past, even where the round ahead stands in its way.
      if (closesOn < today || (!blocked && opensOn <= today))
        deeds.push({ lineId: id, do: 'open', on: opensOn <= today ? opensOn : closesOn })
      else coming.push(blocked || opensOn > closesOn ? addDays(closesOn, 1) : opensOn)
      blocked = true
      continue
    }
    const over = waits(visit, today) && closesOn < today
    stand(stateOf(visit), {
      opensOn,
      closesOn,
      daysLate: waits(visit, today) ? Math.max(0, daysBetween(closesOn, today)) : 0,
    })
    if (visit.status === 'completed') doneOn = later(doneOn ?? '0000-01-01', visit.finishedOn ?? visit.day ?? closesOn)
    else if (over && !late) deeds.push({ lineId: id, do: 'miss', visitId: visit.id })
    else if (visit.status === 'unscheduled' && blocked && !late)
      // The round ahead is to be done after all: this one waits for it again, unless somebody gave it its place.
      deeds.push({ lineId: id, do: 'withdraw', visitId: visit.id })
    if (!isTerminal(visit.status)) blocked = true
  }
  return { standings, deeds, nextOn: coming.sort()[0] ?? null }
}

/** What the office does about a round that was missed. */
export const stepDecisions = ['late', 'skip', 'undecided'] as const
export type StepDecision = (typeof stepDecisions)[number]

/** Why a round is not decided about, or null: it takes a missed one, or one that was let go. */
export const decisionRefusal = (state: StepState, decision: StepDecision): string | null => {
  const from: Record<StepDecision, readonly StepState[]> = {
    late: ['missed', 'skipped'],
    skip: ['missed'],
    undecided: ['skipped', 'due'],
  }
  return from[decision].includes(state)
    ? null
    : `This round is ${stepStateLabel[state].toLowerCase()}. Nothing was changed.`
}

export const stepStateLabel: Record<StepState, string> = {
  upcoming: 'Upcoming',
  due: 'Due',
  planned: 'Planned',
  done: 'Done',
  skipped: 'Skipped',
  missed: 'Missed',
  on_demand: 'On demand',
}
