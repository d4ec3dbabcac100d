import { formatDay } from '#src/shared/dates.ts'
import { Badge } from '#src/ui/Badge.tsx'
import type { JobRow } from '../contract.ts'

/** The state of a job in a word. */
export const JobState = ({ job }: { job: Pick<JobRow, 'status' | 'pausedUntil'> }) => {
  switch (job.status) {
    case 'draft':
      return <Badge tone="neutral">Draft</Badge>
    case 'active':
      return <Badge tone="done">Active</Badge>
    case 'paused':
      return <Badge tone="wait">{job.pausedUntil ? `Paused to ${formatDay(job.pausedUntil)}` : 'Paused'}</Badge>
    case 'completed':
      return <Badge tone="neutral">Completed</Badge>
    case 'canceled':
      return <Badge tone="neutral">Canceled</Badge>
  }
}
