import { sql } from 'kysely'
import { type ProspectsDb, withProspects } from '../../../../platform/db/prospects.ts'
import { AppError } from '../../../../shared/errors.ts'
import { listFailedTasks } from './queries.ts'

const gone = () =>
  new AppError('not_found', 'This task is not waiting here any more: it was tried again or discarded. Nothing changed.')

const act = (run: (db: ProspectsDb) => Promise<{ rows: { done: boolean }[] }>) =>
  withProspects(async (db) => {
    const { rows } = await run(db)
    if (!rows[0]?.done) throw gone()
    return listFailedTasks(db)
  })

/** Gives a task that ran out of tries all of them again, the first one now. @throws AppError not_found when it is no failed task */
export const retryFailedTask = (id: string) =>
  act((db) => sql<{ done: boolean }>`select tasks.retry_failed(${id}::bigint) as done`.execute(db))

/** Forgets a task that ran out of tries. @throws AppError not_found when it is no failed task */
export const discardFailedTask = (id: string) =>
  act((db) => sql<{ done: boolean }>`select tasks.discard_failed(${id}::bigint) as done`.execute(db))
