import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay, formatDuration } from '#src/shared/dates.ts'
import { linkTo } from '#src/shared/links.ts'
import { formatCents, lineCents } from '#src/shared/money.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { IconEdit, IconPlayerPause, IconPlayerPlay } from '#src/ui/icons.ts'
import { KeyValue } from '#src/ui/KeyValue.tsx'
import { LinkTo } from '#src/ui/LinkTo.tsx'
import { lazyPart, useAhead } from '#src/ui/lazyAhead.tsx'
import { Money } from '#src/ui/Money.tsx'
import { MoreMenu } from '#src/ui/MoreMenu.tsx'
import { isGone, RecordFailed } from '#src/ui/RecordFailed.tsx'
import { RecordPanel } from '#src/ui/RecordPanel.tsx'
import { PanelSkeleton } from '#src/ui/Skeleton.tsx'
import { toast } from '#src/ui/toast.tsx'
import type { JobRecord } from '../contract.ts'
import { JobRenewal } from '../programs/web/JobRenewal.tsx'
import type { JobVerb } from '../states/rules.ts'
import { LineStanding } from '../undated/web/LineStanding.tsx'
import { windowText } from '../wording/rules.ts'
import { billingWords } from './BillingField.tsx'
import { calendarQuery, jobQuery, useActOnJob } from './data.ts'
import { JobState } from './JobState.tsx'
import { JobVisits } from './JobVisits.tsx'

const PauseDialog = lazyPart(() => import('./JobDialogs.tsx').then((m) => m.PauseDialog))
const EndJobDialog = lazyPart(() => import('./JobDialogs.tsx').then((m) => m.EndJobDialog))
const JobEditor = lazyPart(() => import('./JobEditor.tsx').then((m) => m.JobEditor))

type Props = {
  id: string
  /** The visit that a link led to. */
  visitId: string | null
  onClose: () => void
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

const Lines = ({ job, today }: { job: JobRecord; today: string }) => (
  <section className="job-part">
    <h3>Services</h3>
    {job.changesOn ? (
      <p className="hint">As it is from {formatDay(job.changesOn)}. Visits before that day stay as they were.</p>
    ) : null}
    <ul className="job-lines">
      {job.lines.map((line) => (
        <li key={line.id}>
          <span className="job-two">
            <b>
              {line.undated?.kind === 'step' ? line.undated.name : line.serviceName}
              {line.quantity === 1 ? '' : ` × ${line.quantity}`}
            </b>
            <span className="hint">
              {line.undated?.kind === 'step' ? `${line.serviceName}, ${windowText(line.undated)}` : line.scheduleText}
            </span>
            {line.description && line.description !== line.serviceName && line.undated?.kind !== 'step' ? (
              <span className="muted">{line.description}</span>
            ) : null}
            <LineStanding job={job} line={line} today={today} />
          </span>
          <span className="job-lines__numbers">
            {line.totalCents === null ? null : <Money cents={line.totalCents} />}
            {line.nextPrice ? (
              <span className="hint num">
                {formatCents(lineCents(line.quantity, line.nextPrice.cents))} from {formatDay(line.nextPrice.on)}
              </span>
            ) : null}
            <span className="hint">{formatDuration(line.budgetMinutes * 60)}</span>
          </span>
        </li>
      ))}
    </ul>
  </section>
)

/** A job beside its list: what is done when, for how much, and what comes next. */
export const JobPanel = ({ id, visitId, onClose, onPrevious, onNext }: Props) => {
  const found = useQuery(jobQuery(id))
  const calendar = useQuery(calendarQuery)
  const act = useActOnJob()
  useAhead(JobEditor)
  const [open, setOpen] = useState<'edit' | 'pause' | 'complete' | 'cancel' | null>(null)
  const job = found.data
  const run = async (verb: JobVerb, done: string) => {
    try {
      await act.mutateAsync({ id, verb })
      toast.success(done)
    } catch (error) {
      toast.error(error)
    }
  }
  const gone = isGone(found.error)
  return (
    <RecordPanel
      open
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      width={540}
      title={job ? job.title : 'Job'}
      badge={job ? <JobState job={job} /> : undefined}
      sub={
        job ? (
          <>
            J-{job.number}
            {job.programYear === null ? '' : `, season ${job.programYear}`} ·{' '}
            <LinkTo href={linkTo.customer(job.customerId)}>{job.customerName}</LinkTo>
          </>
        ) : undefined
      }
      actions={
        job ? (
          <>
            {job.can.reschedule ? (
              <Button icon={<IconEdit />} onClick={() => setOpen('edit')}>
                Change
              </Button>
            ) : null}
            {job.can.pause ? (
              <Button icon={<IconPlayerPause />} onClick={() => setOpen('pause')}>
                Pause
              </Button>
            ) : null}
            {job.can.resume ? (
              <Button
                icon={<IconPlayerPlay />}
                loading={act.isPending}
                onClick={() => run('resume', 'The job goes on')}
              >
                Resume
              </Button>
            ) : null}
            {job.can.activate ? (
              <Button loading={act.isPending} onClick={() => run('activate', 'The job is active')}>
                Activate
              </Button>
            ) : null}
            {job.can.reactivate ? (
              <Button
                icon={<IconPlayerPlay />}
                loading={act.isPending}
                onClick={() => run('reactivate', 'The job is active again')}
              >
                Reactivate
              </Button>
            ) : null}
            {job.can.cancel ? (
              <MoreMenu
                label="More"
                items={[
                  job.can.complete && { label: 'Complete the job', onClick: () => setOpen('complete') },
                  { label: 'Cancel the job', danger: true, onClick: () => setOpen('cancel') },
                ]}
              />
            ) : null}
          </>
        ) : undefined
      }
    >
      {found.error && (gone || !job) ? (
        <RecordFailed
          what="job"
          error={found.error}
          onClose={onClose}
          onRetry={found.refetch}
          retrying={found.isFetching}
        />
      ) : !job ? (
        <PanelSkeleton />
      ) : (
        <>
          {job.flags.includes('action_required') ? (
            <Banner tone="warn" title="No more visits.">
              {job.lines.every((line) => line.onceOn !== null)
                ? 'Its work is over. Complete the job, or change it to go on.'
                : 'The schedule has come to its end. Change it to go on, or complete the job.'}
            </Banner>
          ) : null}
          {job.flags.includes('late') ? (
            <Banner tone="warn" title={`${job.lateVisits} ${job.lateVisits === 1 ? 'visit is' : 'visits are'} late.`}>
              Their day went by and they are still open.
            </Banner>
          ) : null}
          <KeyValue
            items={[
              {
                label: 'Where',
                value: (
                  <LinkTo href={linkTo.customer(job.customerId)}>
                    {job.street}, {job.city}
                  </LinkTo>
                ),
              },
              {
                label: 'Lawn',
                value:
                  job.property.lawnSquareFeet === null
                    ? 'size not known'
                    : `${job.property.lawnSquareFeet.toLocaleString('en-US')} sq ft`,
              },
              { label: 'Crew', value: job.crew?.name ?? 'No crew yet' },
              { label: 'Billing', value: job.billing === 'per_visit' ? null : billingWords[job.billing] },
              { label: 'Day', value: job.keepDay ? 'Keeps this day: no season plan moves it' : null },
              { label: 'From', value: formatDay(job.startOn, { year: true }) },
              { label: 'Until', value: job.endOn ? formatDay(job.endOn, { year: true }) : null },
              { label: 'PO number', value: job.poNumber },
              { label: 'For the crew', value: job.instructions },
            ]}
          />
          <Lines job={job} today={calendar.data?.today ?? job.startOn} />
          {job.programYear === null ? null : <JobRenewal job={job} />}
          <JobVisits job={job} today={calendar.data?.today ?? job.startOn} visitId={visitId} />
          {open === 'edit' && calendar.data ? (
            <JobEditor job={job} calendar={calendar.data} visitId={visitId} onClose={() => setOpen(null)} />
          ) : null}
          {calendar.data ? (
            <PauseDialog job={job} today={calendar.data.today} open={open === 'pause'} onClose={() => setOpen(null)} />
          ) : null}
          <EndJobDialog
            job={job}
            verb={open === 'complete' ? 'complete' : 'cancel'}
            open={open === 'complete' || open === 'cancel'}
            onClose={() => setOpen(null)}
          />
        </>
      )}
    </RecordPanel>
  )
}
