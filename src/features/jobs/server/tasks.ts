import { z } from 'zod'
import { withTenant } from '../../../platform/db/tenant.ts'
import { subscriber } from '../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { enqueue, task } from '../../../platform/tasks/task.ts'
import { forEachOpenBusiness } from '../../../platform/tasks/walk.ts'
import { addDays } from '../../../shared/dates.ts'
import { freeVisitsOfCrewTx } from '../../visits/server/commands.ts'
import { renewDue } from '../programs/server/renewals/commands.ts'
import { materializeVisitsTx, wakeJobsTx } from '../schedule/server/commands.ts'
import { getCalendar, listJobIdsToTopUp } from '../schedule/server/queries.ts'
import { resyncVisitsTx } from '../schedule/server/resync.ts'
import { openUndatedTx } from '../undated/server/commands.ts'
import { listUndatedJobIds } from '../undated/server/queries.ts'
import { freeJobsOfCrewTx } from './commands.ts'

export { continueBatch } from '../batch/server/commands.ts'
export { tellPricesTask } from '../prices/server/tell.ts'

const chunkSize = 200

/** Keeps twelve weeks of visits ahead of today for every running job of a business, and wakes jobs whose pause is over. */
export const topUpVisits = task({
  name: 'jobs.topUp',
  payload: z.object({}),
  run: async (actor) => {
    await withTenant(actor, (db) => wakeJobsTx(db, actor))
    for (let afterId: string | null = null; ; ) {
      const last: string | null = await withTenant(actor, async (db) => {
        const { today } = await getCalendar(db)
        const ids = await listJobIdsToTopUp(db, { before: addDays(today, 400), afterId, limit: chunkSize })
        await materializeVisitsTx(db, ids)
        return ids.at(-1) ?? null
      })
      if (last === null) break
      afterId = last
    }
    for (let afterId: string | null = null; ; ) {
      const last: string | null = await withTenant(actor, async (db) => {
        const { today } = await getCalendar(db)
        const ids = await listUndatedJobIds(db, afterId, chunkSize)
        await openUndatedTx(db, actor, ids, today)
        return ids.at(-1) ?? null
      })
      if (last === null) break
      afterId = last
    }
    await renewDue(actor)
  },
})

/** The nightly walk: asks for the top-up of every business. */
export const topUpAll: GlobalTask = {
  name: 'jobs.topUpAll',
  run: () =>
    forEachOpenBusiness('the top-up of visits', (actor) =>
      withTenant(actor, (db) => enqueue(db, topUpVisits, {}, { key: 'nightly' })),
    ),
}

/** Work of a crew that was archived waits for another crew: jobs first, so that no visit is made for the old one in between. */
export const onCrewArchived = subscriber({
  name: 'jobs.onCrewArchived',
  on: 'crew.archived',
  run: (actor, { crewId, on }) =>
    withTenant(actor, async (db) => {
      await freeJobsOfCrewTx(db, crewId)
      await freeVisitsOfCrewTx(db, crewId, on)
    }),
})

/** Work that follows its last visit: the next one is made when that is over, and taken back when it is opened again. */
export const onVisitSettled = subscriber({
  name: 'jobs.onVisitSettled',
  on: 'visit.settled',
  run: (actor, { jobId }) =>
    withTenant(actor, async (db) => {
      const { today } = await getCalendar(db)
      await resyncVisitsTx(db, actor, [jobId], { fromOn: today, past: 'keep' })
    }),
})

/** At 8:20 UTC: night from Hawaii to the Atlantic. */
export const topUpSchedule: Schedule = { task: topUpAll.name, match: '20 8 * * *' }
