import type { Refusal } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'

export const jobStatuses = ['draft', 'active', 'paused', 'completed', 'canceled'] as const
export type JobStatus = (typeof jobStatuses)[number]
export const jobVerbs = ['activate', 'pause', 'resume', 'complete', 'cancel', 'reactivate'] as const
export type JobVerb = (typeof jobVerbs)[number]

const moves: Record<JobVerb, Partial<Record<JobStatus, JobStatus>>> = {
  activate: { draft: 'active' },
  pause: { active: 'paused' },
  resume: { paused: 'active' },
  complete: { active: 'completed', paused: 'completed' },
  cancel: { draft: 'canceled', active: 'canceled', paused: 'canceled' },
  reactivate: { completed: 'active', canceled: 'active' },
}

/** Where a verb leads from a state, or null when the state machine does not have it. */
export const nextJobStatus = (status: JobStatus, verb: JobVerb): JobStatus | null => moves[verb][status] ?? null

const verbLabel: Record<JobVerb, string> = {
  activate: 'be activated',
  pause: 'be paused',
  resume: 'be resumed',
  complete: 'be completed',
  cancel: 'be canceled',
  reactivate: 'be reactivated',
}

/** What is done with a job: the verbs, and a change of its services, days, crew or billing. */
export const jobActions = ['reschedule', ...jobVerbs] as const
export type JobAction = (typeof jobActions)[number]
export type JobState = { status: JobStatus }

const byState =
  (verb: JobVerb): Refusal<JobState> =>
  ({ status }) =>
    nextJobStatus(status, verb) ? null : `A job that is ${status} cannot ${verbLabel[verb]}. Nothing was changed.`

/** Why a job's state refuses an action. */
export const jobRefusals: Record<JobAction, Refusal<JobState>> = {
  reschedule: ({ status }) =>
    status === 'completed' || status === 'canceled' ? 'This job is over. Reactivate it to change its schedule.' : null,
  activate: byState('activate'),
  pause: byState('pause'),
  resume: byState('resume'),
  complete: byState('complete'),
  cancel: byState('cancel'),
  reactivate: byState('reactivate'),
}

/** The saved views of the list; each is derived, none is stored. */
export const jobViews = [
  'active',
  'late',
  'unscheduled',
  'action_required',
  'requires_invoicing',
  'ending_30d',
  'archived',
] as const
export type JobView = (typeof jobViews)[number]
export type JobFlag = Exclude<JobView, 'active' | 'archived'>

export type JobFacts = {
  status: JobStatus
  archived: boolean
  recurring: boolean
  /** It holds work that is made when somebody asks for it: nothing open is how it should be. */
  onDemand: boolean
  /** All of its work has a day of its own and comes once. */
  once: boolean
  /** Its program goes on with another season. */
  renews?: boolean
  endOn: Day | null
  /** First day after the existing visits that the rules name; null when they have come to their end. */
  nextOn: Day | null
  /** Open visits before today. */
  lateVisits: number
  openVisits: number
  /** Open visits without a day. */
  unscheduledVisits: number
  lastOpenOn: Day | null
  /** Finished, billable, not yet on an invoice. */
  uninvoicedVisits: number
}

export const endingDays = 30

/**
 * What a job wants from its owner. A paused job is never late; winter is not "action required", only a schedule that is really over.
 */
export const jobFlags = (facts: JobFacts, today: Day): JobFlag[] => {
  const flags: JobFlag[] = []
  const running = facts.status === 'active' && !facts.archived
  if (running && facts.lateVisits > 0) flags.push('late')
  if (running && facts.unscheduledVisits > 0) flags.push('unscheduled')
  const over = facts.openVisits === 0 && facts.nextOn === null && !facts.onDemand && !facts.renews
  // Work of one time that is done wants its invoice first, and then to be completed.
  if (running && over && !(facts.once && facts.uninvoicedVisits > 0)) flags.push('action_required')
  if (facts.uninvoicedVisits > 0 && facts.status !== 'draft') flags.push('requires_invoicing')
  const end = facts.endOn ?? (facts.nextOn === null ? facts.lastOpenOn : null)
  if (running && facts.recurring && end !== null && end >= today && end <= addDays(today, endingDays))
    flags.push('ending_30d')
  return flags
}

export const viewNames: Record<JobView, string> = {
  active: 'Active',
  late: 'Late visits',
  unscheduled: 'Unscheduled',
  action_required: 'Action required',
  requires_invoicing: 'Requires invoicing',
  ending_30d: 'Ending within 30 days',
  archived: 'Archived',
}
