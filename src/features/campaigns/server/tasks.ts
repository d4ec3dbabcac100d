import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { subscriber } from '../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { forEachBusiness } from '../../../platform/tasks/walk.ts'
import { noteEnded } from '../reads/server/commands.ts'
import { askForStep, campaignStepTask } from './commands.ts'
import { listOverdue } from './queries.ts'
import { campaignStepTx } from './sending.ts'

/** Works a campaign off step by step; a server that dies goes on where it was. */
export const stepCampaign: Task<typeof campaignStepTask.payload> = task({
  ...campaignStepTask,
  run: async (actor, { campaignId }) => {
    while (await withTenant(actor, (db) => campaignStepTx(db, campaignId)));
  },
})

/** Finds campaigns whose task is gone, so that none stands still for ever. */
export const sweepCampaigns: GlobalTask = {
  name: 'campaigns.sweep',
  run: () =>
    forEachBusiness('the sweep of campaigns', ({ businessId }) =>
      withTenant({ businessId }, async (db) => {
        for (const id of await listOverdue(db, clock.nowMs())) await askForStep(db, id)
      }),
    ),
}
export const sweepCampaignsSchedule: Schedule = { task: sweepCampaigns.name, match: '43 * * * *' }

export const onOffersEnded = subscriber({
  name: 'campaigns.onOffersEnded',
  on: 'offers.ended',
  run: (actor, ended) => withTenant(actor, (db) => noteEnded(db, ended)),
})
