import { useState } from 'react'
import { daysBetween, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { IconPencil, IconTrash } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { type OfficeTask, tasksApi } from '../contract.ts'
import { useSaveTask, useTaskDeed } from './data.ts'
import './tasks.css'

const TaskDialog = lazyPart(() => import('./TaskDialog.tsx').then((m) => m.TaskDialog))

const When = ({ task }: { task: OfficeTask }) => {
  const today = useToday()
  if (task.doneAt) return <Badge tone="done">Done</Badge>
  const late = daysBetween(task.dueOn, today)
  return late > 0 ? (
    <Badge tone="late">{`${formatDay(task.dueOn)}, ${late} ${late === 1 ? 'day' : 'days'} late`}</Badge>
  ) : late === 0 ? (
    <Badge tone="now">Today</Badge>
  ) : (
    <Badge>{formatDay(task.dueOn)}</Badge>
  )
}

/** One task with what can be done with it; `inCustomer` leaves out whom it is about. */
export const TaskRow = ({ task, inCustomer = false }: { task: OfficeTask; inCustomer?: boolean }) => {
  const deed = useTaskDeed()
  const { add } = useSaveTask()
  const [editing, setEditing] = useState(false)
  const back = (id: string, way: 'finish' | 'reopen') => () => deed.mutate({ id, deed: way }, { onError: toast.error })
  const finish = () =>
    deed.mutate(
      { id: task.id, deed: 'finish' },
      { onSuccess: () => toast.undo(`Done: ${task.title}`, back(task.id, 'reopen'), task.id), onError: toast.error },
    )
  const remove = () =>
    deed.mutate(
      { id: task.id, deed: 'remove' },
      {
        onSuccess: () => {
          const { title, note, dueOn, ownerId, customerId } = task
          const again = () => add.mutate({ title, note, dueOn, ownerId, customerId }, { onError: toast.error })
          if (task.doneAt) toast.success(`Removed: ${title}`)
          else toast.undo(`Removed: ${title}`, again, task.id)
        },
        onError: toast.error,
      },
    )
  return (
    <li className="task-row">
      <div className="task-row__words">
        <p>
          <b>{task.title}</b> <When task={task} />
        </p>
        <p className="hint task-row__about">
          {!inCustomer && task.customerId ? (
            <LinkTo href={linkTo.customer(task.customerId)}>{task.customerName}</LinkTo>
          ) : null}
          {task.customerPhone && !inCustomer ? (
            <a href={`tel:${task.customerPhone}`}>{formatPhone(task.customerPhone)}</a>
          ) : null}
          <span>{task.doneAt ? `by ${task.doneByName ?? 'somebody'}` : (task.ownerName ?? 'Anybody')}</span>
        </p>
        {task.note ? <p className="pre-line">{task.note}</p> : null}
      </div>
      <div className="task-row__do">
        {task.can.finish ? (
          <Button
            calls={tasksApi.finish}
            size="s"
            onClick={finish}
            loading={deed.isPending}
            aria-label={`Done: ${task.title}`}
          >
            Done
          </Button>
        ) : task.can.reopen ? (
          <Button
            calls={tasksApi.reopen}
            size="s"
            kind="quiet"
            onClick={back(task.id, 'reopen')}
            aria-label={`Open again: ${task.title}`}
          >
            Open again
          </Button>
        ) : null}
        {task.can.update || task.can.remove ? (
          <MoreMenu
            label={`More for ${task.title}`}
            items={[
              task.can.update && { label: 'Edit', icon: <IconPencil size={18} />, onClick: () => setEditing(true) },
              task.can.remove && { label: 'Remove', icon: <IconTrash size={18} />, danger: true, onClick: remove },
            ]}
          />
        ) : null}
      </div>
      {editing ? <TaskDialog task={task} onClose={() => setEditing(false)} /> : null}
    </li>
  )
}
