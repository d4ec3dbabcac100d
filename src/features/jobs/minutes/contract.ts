import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { JobEdit } from '../bulk/contract.ts'
import { mostAtOnce } from './rules.ts'

const Minutes = z.number().int()

const Proposal = z.object({
  lineId: z.uuid(),
  jobId: z.uuid(),
  jobNumber: z.number().int(),
  customerId: z.uuid(),
  customerName: z.string(),
  street: z.string(),
  serviceName: z.string(),
  /** Labor minutes on site for a visit: as planned, and as its newest visits took. */
  budgetMinutes: Minutes,
  learnedMinutes: Minutes,
  /** What those visits took, the newest first. */
  took: z.array(z.object({ day: z.string(), minutes: Minutes })),
  /** How many of them are left out, because they are far from the others. */
  leftOut: z.number().int(),
  /** Visits ahead that would be planned with it. */
  visitsAhead: z.number().int(),
  /** What a month in season takes more, or less, in labor minutes. */
  monthMinutes: Minutes,
})
export type MinutesProposal = z.output<typeof Proposal>

const List = z.object({
  /** The first 200, the largest difference in a month first. */
  items: z.array(Proposal),
  /** Lines of jobs that take longer than planned, and those that take less. */
  longer: z.number().int(),
  shorter: z.number().int(),
  monthMinutes: Minutes,
  /** Dismissed ones that still differ, the first 200 of `dismissedCount`; they stand here until newer visits, or another plan, say something else. */
  dismissed: z.array(Proposal),
  dismissedCount: z.number().int(),
  /** Recurring lines of which enough is known to say. */
  known: z.number().int(),
})
export type LearnedMinutes = z.output<typeof List>

const tooMany = `At most ${mostAtOnce} at a time.`
const reads = { access: 'office', permission: 'schedule' } as const
const changes = { ...reads, needsSubscription: true, idempotent: true } as const
/** As they were seen: what differs by now is refused. */
const Seen = z.object({ lineId: z.uuid(), budgetMinutes: Minutes, learnedMinutes: Minutes })

export const learnedMinutesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/learned-minutes',
    ...reads,
    response: List,
    summary: 'Lawns that take longer or less than planned, by the median of their newest visits',
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/learned-minutes/accept',
    ...changes,
    body: z.object({ items: z.array(Seen).min(1, 'Choose at least one lawn.').max(mostAtOnce, tooMany) }),
    response: z.object({ edit: JobEdit, list: List }),
    summary: 'Plan with what visits take: open visits and those to come; a change of many jobs, with its undo',
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/api/learned-minutes/dismiss',
    ...changes,
    body: z.object({ items: z.array(Seen).min(1, 'Choose at least one lawn.').max(mostAtOnce, tooMany) }),
    response: List,
    summary: 'Leave the minutes as planned, until newer visits say something else',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/learned-minutes/restore',
    ...changes,
    body: z.object({ lineIds: z.array(z.uuid()).min(1).max(mostAtOnce, tooMany) }),
    response: List,
    summary: 'Propose dismissed minutes again',
  }),
}
