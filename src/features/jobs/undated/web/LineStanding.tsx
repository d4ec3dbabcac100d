import { useState } from 'react'
import { type Day, formatDay } from '#src/shared/dates.ts'
import { Badge, type Tone } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { toast } from '#src/ui/toast.tsx'
import { VisitLink } from '../../../visits/web/VisitLink.tsx'
import { type JobLine, type JobRecord, jobsApi } from '../../contract.ts'
import { type StepDecision, type StepState, stepStateLabel } from '../rules.ts'
import { BookLine } from './BookLine.tsx'
import { useDecideStep } from './data.ts'

const tones: Record<StepState, Tone> = {
  upcoming: 'neutral',
  due: 'wait',
  planned: 'neutral',
  done: 'done',
  skipped: 'neutral',
  missed: 'late',
  on_demand: 'neutral',
}

const late = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'} late`

/** Since when, until when, on which day: in a few words. */
const words = (line: JobLine, today: Day): string | null => {
  const { standing, undated } = line
  if (!standing || !undated) return null
  const day = (text: string) => formatDay(text, { year: !text.startsWith(today.slice(0, 4)) })
  if (standing.state === 'due') {
    if (standing.daysLate > 0) return `in the due list, ${late(standing.daysLate)}`
    return standing.closesOn ? `in the due list until ${day(standing.closesOn)}` : 'in the due list'
  }
  if (standing.state === 'upcoming' && standing.opensOn)
    return standing.opensOn < today ? `open since ${day(standing.opensOn)}` : `opens ${day(standing.opensOn)}`
  if (standing.state === 'missed' && standing.closesOn) return `its window closed ${day(standing.closesOn)}`
  if (standing.state === 'planned' && standing.day) return day(standing.day)
  if (standing.state === 'done' && standing.day) return day(standing.day)
  return null
}

/** Where work without a day of its own stands, and what the office may do about it. */
export const LineStanding = ({ job, line, today }: { job: JobRecord; line: JobLine; today: Day }) => {
  const decide = useDecideStep()
  const [booking, setBooking] = useState(false)
  const { standing, undated } = line
  if (!standing || !undated) return null
  // Of a job that is over nothing comes any more.
  const over = (job.status === 'completed' || job.status === 'canceled') && standing.state === 'upcoming'
  const said = over ? null : words(line, today)
  const runs = job.status === 'active' && job.can.reschedule
  const run = async (decision: StepDecision, done: string) => {
    const params = { id: job.id, lineId: line.id }
    try {
      await decide.mutateAsync({ params, body: { decision } })
      if (decision === 'undecided') toast.success(done)
      else toast.undo(done, () => run('undecided', `${line.description || line.serviceName} is missed again`))
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <>
      <span className="job-lines__standing">
        <Badge tone={standing.state === 'due' && standing.daysLate > 0 ? 'late' : tones[standing.state]}>
          {over ? 'Not done' : stepStateLabel[standing.state]}
        </Badge>
        {said ? (
          <span className="hint num">
            {standing.visitId && standing.state !== 'upcoming' ? (
              <VisitLink id={standing.visitId}>{said}</VisitLink>
            ) : (
              said
            )}
          </span>
        ) : null}
      </span>
      {runs && standing.state === 'missed' ? (
        <span className="prg-round__act">
          <Button
            size="s"
            loading={decide.isPending && decide.variables?.body.decision === 'late'}
            onClick={() => run('late', 'Back in the due list')}
          >
            Do it late
          </Button>
          <Button
            size="s"
            kind="quiet"
            loading={decide.isPending && decide.variables?.body.decision === 'skip'}
            onClick={() => run('skip', 'Skipped, nothing is charged')}
          >
            Skip, charge nothing
          </Button>
        </span>
      ) : null}
      {runs && standing.state === 'on_demand' ? (
        <span className="prg-round__act">
          <Button size="s" calls={jobsApi.bookLine} onClick={() => setBooking(true)}>
            Book it now
          </Button>
        </span>
      ) : null}
      {booking ? <BookLine job={job} line={line} today={today} onClose={() => setBooking(false)} /> : null}
    </>
  )
}
