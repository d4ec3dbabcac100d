import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { listTasksDue } from '../../../tasks/server/queries.ts'
import type { Need } from '../../contract.ts'

/** What is to be done by today: one's own, and what is anybody's. */
export const tasksDue = async (db: TenantDb, actor: Actor, today: Day): Promise<Need[]> =>
  (await listTasksDue(db, actor.userId, today)).map((task) => ({
    id: `task:${task.id}`,
    kind: 'task',
    badge: 'Task',
    tone: task.dueOn < today ? 'late' : 'now',
    title: task.title,
    detail: [
      task.customerName && !task.title.includes(task.customerName) ? task.customerName : null,
      task.dueOn < today ? `since ${formatDay(task.dueOn)}` : 'today',
      task.note.slice(0, 80) || null,
    ]
      .filter(Boolean)
      .join(' · '),
    amountCents: null,
    path: task.customerId ? linkTo.customer(task.customerId) : linkTo.tasks(),
    action: { kind: 'finish', label: 'Done', taskId: task.id },
  }))
