import { useQuery } from '@tanstack/react-query'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { useOnlyLooks, useUser } from '../../accounts/web/session.ts'
import type { Sprint } from '../sprint/contract.ts'
import { sprintNotice } from '../sprint/rules.ts'
import { sprintQuery } from './data.ts'
import './sprint-card.css'

const Step = ({ step, day }: { step: Sprint['steps'][number]; day: (instant: string) => string }) => {
  if (step.state === 'done') return <Badge tone="done">Done</Badge>
  if (step.state === 'missed') return <Badge tone="late">{step.doneAt ? 'Done late' : 'Missed'}</Badge>
  return <Badge tone="wait">{step.dueAt ? `by ${day(step.dueAt)}` : 'To do'}</Badge>
}

/** The living checklist of a business that is in its Setup Sprint, and how it ended; nothing for everybody else. */
export const SprintCard = () => {
  const { timeZone } = useUser().business
  const day = (instant: string): string => formatDay(dayOf(instant, timeZone))
  // What is between the business and us is closed to support.
  const onlyLooks = useOnlyLooks()
  const { data } = useQuery({ ...sprintQuery, enabled: !onlyLooks })
  const sprint = data?.sprint
  if (!sprint) return null
  const notice = sprintNotice(sprint, new Date().toISOString(), formatCents(sprint.feeCents))
  if (!notice) return null
  const done = sprint.steps.filter(({ state }) => state === 'done').length
  return (
    <Card title="Setup Sprint" hint={sprint.endsAt ? `until ${day(sprint.endsAt)}` : 'The 14 days begin with call 1'}>
      {notice.message ? (
        <div className="sprint-card__news">
          <Banner tone={notice.tone} title={notice.title}>
            {notice.message}
          </Banner>
        </div>
      ) : null}
      <Progress value={done} max={sprint.steps.length} label={`${done} of ${sprint.steps.length} steps`} />
      <ul className="sprint-card">
        {sprint.steps.map((step) => (
          <li key={step.step}>
            <span>{step.label}</span>
            <Step step={step} day={day} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
