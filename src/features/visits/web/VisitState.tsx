import { Badge, type Tone } from '../../../ui/Badge.tsx'
import type { Visit } from '../contract.ts'
import type { VisitStatus } from '../rules.ts'

const states: Record<VisitStatus, [Tone, string]> = {
  unscheduled: ['wait', 'No day'],
  scheduled: ['neutral', 'Scheduled'],
  en_route: ['now', 'On the way'],
  in_progress: ['now', 'At work'],
  paused: ['wait', 'Paused'],
  completed: ['done', 'Finished'],
  skipped: ['late', 'Skipped'],
  canceled: ['neutral', 'Canceled'],
  missed: ['late', 'Missed'],
}

export const VisitState = ({ visit, today }: { visit: Pick<Visit, 'status' | 'day' | 'invoice'>; today: string }) => {
  // A skip that is charged stays a skip, and what stands in a draft was billed to nobody yet.
  const billed = visit.invoice && (visit.invoice.status === 'draft' ? 'In a draft' : 'Invoiced')
  if (billed && visit.status === 'completed')
    return <Badge tone={billed === 'Invoiced' ? 'done' : 'wait'}>{billed}</Badge>
  if (visit.status === 'scheduled' && visit.day !== null && visit.day < today) return <Badge tone="late">Late</Badge>
  const [tone, label] = states[visit.status]
  return (
    <Badge tone={tone}>
      {billed ? `${label}, ${billed === 'Invoiced' ? 'invoiced' : 'charge in a draft'}` : label}
    </Badge>
  )
}
