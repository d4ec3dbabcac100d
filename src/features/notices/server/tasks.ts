import { withTenant } from '../../../platform/db/tenant.ts'
import { subscriber } from '../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { forEachOpenBusiness } from '../../../platform/tasks/walk.ts'
import { holdMovesTx, measureOnce, remindCustomers, tellMoves, tellMovesTask, tellOnWay } from './commands.ts'
import { tellTreated, tellTreatedTask, wantTreatedTx } from './treated.ts'

export const tellMovesWork: Task<typeof tellMovesTask.payload> = task({
  ...tellMovesTask,
  run: (actor, { customerId }) => tellMoves(actor, customerId),
})

export const tellTreatedWork: Task<typeof tellTreatedTask.payload> = task({
  ...tellTreatedTask,
  run: (actor, { visitId }) => tellTreated(actor, visitId),
})

/** Looks every ten minutes whose hour of reminders has come. */
export const remindAll: GlobalTask = {
  name: 'notices.remind',
  run: () =>
    forEachOpenBusiness('reminding customers', async (actor) => {
      await measureOnce(actor)
      await remindCustomers(actor)
    }),
}

export const remindSchedule: Schedule = { task: remindAll.name, match: '*/10 * * * *', onlyLatest: true }

export const onVisitsStrayed = subscriber({
  name: 'notices.onVisitsStrayed',
  on: 'visits.strayed',
  run: (actor, { customerIds }) => withTenant(actor, (db) => holdMovesTx(db, customerIds)),
})

export const onVisitLeft = subscriber({
  name: 'notices.onVisitLeft',
  on: 'visit.left',
  run: (actor, { visitId }) => tellOnWay(actor, visitId),
})

export const onApplicationRecorded = subscriber({
  name: 'notices.onApplicationRecorded',
  on: 'application.recorded',
  run: (actor, { visitId }) => withTenant(actor, (db) => wantTreatedTx(db, visitId)),
})

export const onApplicationAmended = subscriber({
  name: 'notices.onApplicationAmended',
  on: 'application.amended',
  run: (actor, { visitId }) => withTenant(actor, (db) => wantTreatedTx(db, visitId)),
})
