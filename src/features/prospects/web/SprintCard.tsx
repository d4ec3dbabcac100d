import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../ui/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { sprintQuery } from './data.ts'
import './sprint-card.css'

const tones = { done: 'done', open: 'wait', missed: 'late' } as const
const words = { done: 'Done', open: 'To do', missed: 'Missed' } as const
const day = (instant: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' }).format(new Date(instant))

/** The living checklist of a business that is in its Setup Sprint; nothing for everybody else. */
export const SprintCard = () => {
  const { data } = useQuery(sprintQuery)
  const sprint = data?.sprint
  if (!sprint || (sprint.status !== 'admitted' && sprint.status !== 'running')) return null
  const done = sprint.steps.filter(({ state }) => state === 'done').length
  return (
    <Card title="Setup Sprint" hint={sprint.endsAt ? `until ${day(sprint.endsAt)}` : 'The 14 days begin with call 1'}>
      <Progress value={done} max={sprint.steps.length} label={`${done} of ${sprint.steps.length} steps`} />
      <ul className="sprint-card">
        {sprint.steps.map((step) => (
          <li key={step.step}>
            <span>{step.label}</span>
            <Badge tone={tones[step.state]}>
              {step.state === 'open' && step.dueAt ? `by ${day(step.dueAt)}` : words[step.state]}
            </Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}
