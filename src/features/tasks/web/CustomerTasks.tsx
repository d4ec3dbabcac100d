import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { tasksApi } from '../contract.ts'
import { tasksQuery } from './data.ts'
import { TaskRow } from './TaskRow.tsx'

const TaskDialog = lazyPart(() => import('./TaskDialog.tsx').then((m) => m.TaskDialog))

/** What is still to be done for a customer. */
export const CustomerTasks = ({ customer }: { customer: { id: string; name: string } }) => {
  const may = useMay()
  const looks = may(tasksApi.list)
  const found = useInfiniteQuery({ ...tasksQuery({ show: 'open', customerId: customer.id }), enabled: looks })
  const [adding, setAdding] = useState(false)
  if (!looks) return null
  const tasks = found.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className="panel-section" aria-label="Tasks">
      <header>
        <h3>Tasks</h3>
        {may(tasksApi.create) ? (
          <Button calls={tasksApi.create} size="s" kind="quiet" icon={<IconPlus />} onClick={() => setAdding(true)}>
            Add a task
          </Button>
        ) : null}
      </header>
      {found.isError ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : tasks.length > 0 ? (
        <ul className="task-list">
          {tasks.map((task) => (
            <TaskRow key={task.id} task={task} inCustomer />
          ))}
        </ul>
      ) : (
        <p className="muted">{found.isPending ? ' ' : 'Nothing to do.'}</p>
      )}
      {found.hasNextPage ? (
        <Button size="s" kind="quiet" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
      {adding ? <TaskDialog task={null} customer={customer} onClose={() => setAdding(false)} /> : null}
    </section>
  )
}
