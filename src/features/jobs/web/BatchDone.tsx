import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Day, formatDay } from '#src/shared/dates.ts'
import { linkTo } from '#src/shared/links.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { IconArrowBackUp } from '#src/ui/icons.ts'
import { Progress } from '#src/ui/Progress.tsx'
import { toast } from '#src/ui/toast.tsx'
import { batchQuery, useUndoBatch } from './data.ts'

type Props = { batchId: string; what: string; visits: number; firstOn: Day | null; onAgain: () => void }

/** What an action on many customers made, while it is made and after; it can be undone as long as nobody worked on it. */
export const BatchDone = ({ batchId, what, visits, firstOn, onAgain }: Props) => {
  const batch = useQuery(batchQuery(batchId))
  const undo = useUndoBatch()
  const [asking, setAsking] = useState(false)
  const state = batch.data
  const running = state?.status === 'running'
  return (
    <Card>
      {state?.status === 'undone' ? (
        <EmptyState title="Undone" action={<Button onClick={onAgain}>Start again</Button>}>
          The jobs are canceled and their visits are off the calendar.
        </EmptyState>
      ) : (
        <>
          <EmptyState
            picture="mowed"
            title={running ? `Creating ${what}` : `${what} created`}
            action={
              <>
                <Button kind="primary" href={linkTo.jobs({ batchId })}>
                  See the jobs
                </Button>
                {firstOn ? <Button href={linkTo.routeDay(firstOn)}>Plan {formatDay(firstOn)}</Button> : null}
                <Button onClick={onAgain}>Create more</Button>
                <Button kind="quiet" icon={<IconArrowBackUp />} onClick={() => setAsking(true)}>
                  Undo
                </Button>
              </>
            }
          >
            {running
              ? 'You can leave this page; it goes on.'
              : `${visits.toLocaleString('en-US')} ${visits === 1 ? 'visit stands' : 'visits stand'} on the calendar${firstOn ? `, the first on ${formatDay(firstOn)}` : ''}.`}
          </EmptyState>
          {running && state ? (
            <Progress
              value={state.done}
              max={state.total}
              label="Jobs created"
              detail={`${state.done} of ${state.total}`}
            />
          ) : null}
          {state?.status === 'failed' ? (
            <Banner tone="error" title="This stopped part of the way.">
              {state.done} of {state.total} were looked at. {state.error}
            </Banner>
          ) : null}
        </>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        danger
        title={`Undo ${what}?`}
        confirmLabel="Cancel these jobs"
        cancelLabel="Keep them"
        onConfirm={async () => {
          const done = await undo.mutateAsync(batchId)
          await batch.refetch()
          toast.success(`${done.canceled} ${done.canceled === 1 ? 'job' : 'jobs'} canceled`)
        }}
      >
        Jobs on which a crew has worked stay. The others are canceled and their visits come off the calendar.
      </ConfirmDialog>
    </Card>
  )
}
