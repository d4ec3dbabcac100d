import { useQuery } from '@tanstack/react-query'
import { formatDay } from '#src/shared/dates.ts'
import { linkTo } from '#src/shared/links.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { LinkTo } from '#src/ui/LinkTo.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { toast } from '#src/ui/toast.tsx'
import { crewsQuery } from '../../web/data.ts'
import './bulk.css'
import { type BulkUndone, jobEditsApi } from '../contract.ts'
import { jobEditsQuery, newsOf, useUndoEdit } from './data.ts'
import { changeText, jobsText } from './wish.ts'

type Props = { undone: BulkUndone | null; onUndone: (undone: BulkUndone) => void; onClose: () => void }

/** The last changes of many jobs, each with its Undo; after one, what could not be taken back and why. */
export const BulkHistory = ({ undone, onUndone, onClose }: Props) => {
  const edits = useQuery(jobEditsQuery)
  const crews = useQuery(crewsQuery)
  const undo = useUndoEdit()
  const left = undone && undone.undoneAt === null ? undone.jobs - undone.undoneJobs : 0
  return (
    <Dialog open onClose={onClose} title="Bulk changes">
      <div className="bulk">
        {undone ? (
          <Banner
            tone={undone.keptCount > 0 ? 'warn' : 'info'}
            title={`Taken back on ${jobsText(undone.restoredJobs)}${left > 0 ? `, not on ${jobsText(left)}` : ''}.`}
          >
            {undone.keptCount > 0
              ? `What was changed since was left alone:${left > 0 ? ' each job says why, and can be taken back below once that is gone.' : ''}`
              : 'All that this change had done is as before. What else was changed on these jobs since stays.'}
          </Banner>
        ) : null}
        {undone && undone.keptCount > 0 ? (
          <ul className="bulk-list">
            {undone.kept.map((one) => (
              <li key={`${one.jobId} ${one.day ?? ''} ${one.why}`}>
                <LinkTo href={linkTo.job(one.jobId)}>
                  {one.customerName} <span className="num bulk-number">J-{one.number}</span>
                </LinkTo>
                <span className="muted">
                  {one.day ? `${formatDay(one.day)} ` : ''}
                  {one.why}
                </span>
              </li>
            ))}
            {undone.keptCount > undone.kept.length ? (
              <li className="muted">and {undone.keptCount - undone.kept.length} more</li>
            ) : null}
          </ul>
        ) : null}
        {edits.error ? (
          <ErrorState error={edits.error} onRetry={() => edits.refetch()} />
        ) : edits.data?.length === 0 ? (
          <EmptyState picture="mowed" title="No change of many jobs yet">
            Choose jobs in the list to change their day, crew or price together. Each change can be undone here for 30
            days.
          </EmptyState>
        ) : (
          <ul className="bulk-list bulk-list--edits" aria-label="Changes">
            {edits.data?.map((edit) => (
              <li key={edit.id}>
                <span className="bulk-edit">
                  <b>{changeText(edit.change, crews.data ?? [])}</b>
                  <span className="hint">
                    {edit.undoneAt === null && edit.undoneJobs > 0
                      ? `taken back on ${edit.undoneJobs} of ${jobsText(edit.jobs)}`
                      : jobsText(edit.jobs)}{' '}
                    · {edit.byName} · <RelativeTime at={edit.at} />
                  </span>
                </span>
                {edit.undoneAt ? (
                  <span className="muted">undone</span>
                ) : (
                  <Button
                    size="s"
                    calls={jobEditsApi.undo}
                    loading={undo.isPending && undo.variables === edit.id}
                    disabled={undo.isPending}
                    onClick={() => {
                      toast.dismiss(newsOf(edit.id))
                      undo.mutateAsync(edit.id).then(onUndone).catch(toast.error)
                    }}
                  >
                    {edit.undoneJobs > 0 ? 'Undo the rest' : 'Undo'}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
