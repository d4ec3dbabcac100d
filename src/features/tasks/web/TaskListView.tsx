import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useMay } from '../../accounts/web/session.ts'
import { tasksApi } from '../contract.ts'
import { tasksQuery } from './data.ts'
import { TaskRow } from './TaskRow.tsx'

const TaskDialog = lazyPart(() => import('./TaskDialog.tsx').then((m) => m.TaskDialog))

const views = ['mine', 'all', 'done'] as const
const labels = { mine: 'Mine and anybody’s', all: 'Everybody’s', done: 'Done' }

/** The office's tasks: what is late first, then day by day. */
export const TaskListView = ({ back }: { back: { href: string; label: string } }) => {
  const { params, change } = useParams()
  const view = views.find((one) => one === params.get('tasks')) ?? 'mine'
  const may = useMay()
  const [adding, setAdding] = useState(false)
  const found = useInfiniteQuery(
    tasksQuery(view === 'done' ? { show: 'done' } : { show: 'open', mine: view === 'mine' }),
  )
  const tasks = found.data?.pages.flatMap((page) => page.items)
  const add = may(tasksApi.create) ? (
    <Button calls={tasksApi.create} kind="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
      Add a task
    </Button>
  ) : null
  return (
    <>
      <PageHeader title="Tasks" back={back} sub="What the office has to do, by day" actions={add} />
      <div className="task-views">
        <FilterChips
          single
          label="Whose tasks"
          values={[view]}
          chips={views.map((value) => ({ value, label: labels[value] }))}
          onChange={([value]) => change({ tasks: value ?? view }, { replace: true })}
        />
      </div>
      {found.isError && !tasks ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : !tasks ? (
        <TableSkeleton />
      ) : tasks.length === 0 ? (
        <EmptyState picture="mowed" title={view === 'done' ? 'Nothing was done yet' : 'Nothing to do'}>
          {view === 'done'
            ? 'Tasks that are done stand here, the latest first.'
            : 'A follow-up of a call comes back here on its day, and in “Needs you” on the dashboard. Add what else must not be forgotten.'}
        </EmptyState>
      ) : (
        <Card flush>
          <ul className="task-list task-list--wide">
            {tasks.map((task) => (
              <TaskRow key={task.id} task={task} />
            ))}
          </ul>
          <LoadMore
            hasMore={found.hasNextPage}
            loading={found.isFetchingNextPage}
            onMore={() => void found.fetchNextPage()}
            shown={tasks.length}
          />
        </Card>
      )}
      {adding ? <TaskDialog task={null} onClose={() => setAdding(false)} /> : null}
    </>
  )
}
