import { sql } from 'kysely'
import { systemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, withTenant } from '../../../platform/db/tenant.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { forEach } from '../../../platform/tasks/walk.ts'
import { lookAtChanges, processBooksEvent } from '../inbound/server/commands.ts'
import { askToSend, pushTask, sendWaiting } from '../queue/server/commands.ts'
import { backfillTask, continueBackfill } from '../setup/server/gather.ts'

export { processBooksEvent }

export const pushBooks: Task<typeof pushTask.payload> = task({ ...pushTask, run: (actor) => sendWaiting(actor) })

export const gatherBooks: Task<typeof backfillTask.payload> = task({
  ...backfillTask,
  run: (actor) => continueBackfill(actor),
})

/** Businesses with books: the list of companies, so that nobody else is asked. */
const listConnected = async (): Promise<string[]> =>
  (await database().selectFrom('booksRealms').select('businessId').distinct().execute()).map(
    ({ businessId }) => businessId,
  )

const walk = async (what: string, work: (businessId: string) => Promise<unknown>): Promise<void> =>
  forEach(what, await listConnected(), (businessId) => ({ businessId }), work)

/** Every minute: what was marked since goes. */
export const sweepBooks: GlobalTask = {
  name: 'quickbooks.sweep',
  run: () =>
    walk('the sending to the books', (businessId) =>
      withTenant(systemActor(asBusinessId(businessId)), async (db) => {
        const { rows } = await sql<{ due: boolean }>`select exists (select from books_queue q
          join books_connections c on c.business_id = q.business_id and c.id = q.connection_id and c.status = 'connected'
          where q.business_id = ${db.businessId} and q.status = 'waiting' and q.run_after <= ${clock.iso()}::timestamptz) as due`.execute(
          db,
        )
        if (rows[0]?.due) await askToSend(db)
      }),
    ),
}
export const sweepBooksSchedule: Schedule = { task: sweepBooks.name, match: '* * * * *', onlyLatest: true }

/** Every night: what changed there and no notice told. */
export const lookAtBooks: GlobalTask = {
  name: 'quickbooks.look',
  run: () => walk('the look into the books', (businessId) => lookAtChanges(systemActor(asBusinessId(businessId)))),
}
export const lookAtBooksSchedule: Schedule = { task: lookAtBooks.name, match: '40 7 * * *' }
