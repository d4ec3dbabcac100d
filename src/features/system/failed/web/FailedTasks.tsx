import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { useOwner } from '../../../owner/web/session.ts'
import type { FailedTask } from '../contract.ts'
import { failedTasksQuery, useFailedTask } from './data.ts'
import './failed.css'

type Refused = (message: string | null) => void

const Row = ({ task, onRefused, onDiscard }: { task: FailedTask; onRefused: Refused; onDiscard: () => void }) => {
  const retry = useFailedTask('retry')
  const tryAgain = () => {
    onRefused(null)
    retry.mutate(task.id, { onError: (error) => onRefused(`${task.task}: ${error.message}`) })
  }
  return (
    <li className="failed-task">
      <div className="failed-task__words">
        <h3>{task.task}</h3>
        <span>{task.lastError || 'No reason was given.'}</span>
        <span className="hint">
          Tried {task.attempts} {task.attempts === 1 ? 'time' : 'times'}, last <RelativeTime at={task.failedAt} />
        </span>
        <span className="hint">{task.businessId ? `Business ${task.businessId}` : 'Of no business'}</span>
      </div>
      <div className="failed-task__acts">
        <Button loading={retry.isPending} onClick={tryAgain}>
          Retry<span className="ui-hidden">: {task.task}</span>
        </Button>
        <Button kind="quiet" onClick={onDiscard}>
          Discard<span className="ui-hidden">: {task.task}</span>
        </Button>
      </div>
    </li>
  )
}

/** Background work that ran out of tries: the product owner tries it again once the cause is gone, or forgets it. */
export const FailedTasks = () => {
  const { ask } = useOwner()
  const found = useQuery(failedTasksQuery(ask))
  const discard = useFailedTask('discard')
  const [refused, setRefused] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<FailedTask | null>(null)
  if (found.isError && !found.data)
    return (
      <ErrorState
        error={found.error}
        title="We could not load the failed tasks"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return <PanelSkeleton />
  const { items, more } = found.data
  return (
    <section className="failed-tasks" aria-labelledby="failed-tasks">
      <h2 id="failed-tasks">Failed tasks</h2>
      <p className="muted">
        Background work that was tried as often as it may and did not succeed. Nothing tries it again until you do.
      </p>
      {refused ? (
        <Banner tone="warn" title="Not done" onClose={() => setRefused(null)}>
          {refused}
        </Banner>
      ) : null}
      {items.length === 0 ? (
        <EmptyState title="No task has failed" picture="none">
          What runs out of tries is listed here with its last error.
        </EmptyState>
      ) : (
        <ul>
          {items.map((task) => (
            <Row key={task.id} task={task} onRefused={setRefused} onDiscard={() => setLeaving(task)} />
          ))}
        </ul>
      )}
      {more ? (
        <p className="hint">These are the newest {items.length}; older ones follow when these are gone.</p>
      ) : null}
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        title="Discard this task?"
        confirmLabel="Discard the task"
        danger
        onConfirm={async () => {
          if (leaving) await discard.mutateAsync(leaving.id)
        }}
      >
        {leaving?.task} will not be tried again, and its work stays undone. This cannot be undone.
      </ConfirmDialog>
    </section>
  )
}
