import { useState } from 'react'
import { addDays, type Day, formatDay } from '#src/shared/dates.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { DateField } from '#src/ui/DateField.tsx'
import { toast } from '#src/ui/toast.tsx'
import type { JobRecord } from '../contract.ts'
import { DepositLeft } from './DepositLeft.tsx'
import { useActOnJob } from './data.ts'

type Props = { job: JobRecord; open: boolean; onClose: () => void }

const visits = (count: number): string => `${count} ${count === 1 ? 'visit' : 'visits'}`

/** Rounds of a program and other work without days have no rhythm, and perhaps no visit on the calendar. */
const pauseWords = (job: JobRecord): string =>
  [
    job.openVisits === 0
      ? 'Nothing of it is planned until you resume it.'
      : `Its ${visits(job.openVisits)} ${job.openVisits === 1 ? 'goes' : 'go'} until you resume it.`,
    job.lines.some((line) => line.recurrence !== null) ? 'Its rhythm of weeks stays.' : null,
    job.programYear === null ? null : 'A round whose window closes meanwhile is missed, and the next season waits.',
  ]
    .filter(Boolean)
    .join(' ')

/** Rounds that are still to come, planned or not. */
const roundsLeft = (job: JobRecord): number =>
  job.lines.filter((line) => line.standing && ['upcoming', 'due', 'planned'].includes(line.standing.state)).length

const endWords = (job: JobRecord): string => {
  const rounds = roundsLeft(job)
  if (rounds > 0)
    return rounds === 1 ? 'The round that is still to do goes.' : `The ${rounds} rounds that are still to do go.`
  if (job.openVisits === 0) return 'Nothing is on the calendar.'
  return `Its ${visits(job.openVisits)} on the calendar ${job.openVisits === 1 ? 'goes' : 'go'} away.`
}

/** Takes a job's visits off the calendar for a while. */
export const PauseDialog = ({ job, today, open, onClose }: Props & { today: Day }) => {
  const act = useActOnJob()
  const [until, setUntil] = useState<Day | null>(null)
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Pause ${job.title}?`}
      confirmLabel={until ? `Pause to ${formatDay(until)}` : 'Pause the job'}
      onConfirm={async () => {
        await act.mutateAsync({ id: job.id, verb: 'pause', until })
        toast.undo(until ? `Paused to ${formatDay(until)}` : 'Paused', () =>
          act.mutateAsync({ id: job.id, verb: 'resume' }).catch(toast.error),
        )
      }}
    >
      <div className="job-dialog">
        <p>
          {until
            ? 'Visits before that day come off the calendar, moved ones too. The job goes on by itself.'
            : pauseWords(job)}
        </p>
        <DateField
          label="First visits again from"
          optional
          placeholder="Until I resume it"
          value={until}
          today={today}
          min={addDays(today, 1)}
          onChange={setUntil}
        />
      </div>
    </ConfirmDialog>
  )
}

/** Completes or cancels a job; what is open comes off the calendar. */
export const EndJobDialog = ({ job, verb, open, onClose }: Props & { verb: 'complete' | 'cancel' }) => {
  const act = useActOnJob()
  const done = verb === 'complete' ? 'completed' : 'canceled'
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      danger={verb === 'cancel'}
      title={verb === 'complete' ? `Complete ${job.title}?` : `Cancel ${job.title}?`}
      confirmLabel={verb === 'complete' ? 'Complete the job' : 'Cancel the job'}
      cancelLabel="Keep it"
      onConfirm={async () => {
        await act.mutateAsync({ id: job.id, verb })
        toast.undo(`Job ${done}`, () => act.mutateAsync({ id: job.id, verb: 'reactivate' }).catch(toast.error))
      }}
    >
      <p>{endWords(job)} Finished visits and their invoices stay.</p>
      {open ? <DepositLeft job={job} /> : null}
    </ConfirmDialog>
  )
}
