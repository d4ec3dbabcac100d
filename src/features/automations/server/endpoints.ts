import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { automationRunsApi, automationsApi } from '../contract.ts'
import {
  archiveAutomation,
  createAutomation,
  saveAutomationSettings,
  switchAutomation,
  testAutomation,
  updateAutomation,
  wantAutomation,
} from './commands.ts'
import { approveRun, approveRuns, dropRun, editRun } from './decide.ts'
import { dryRun, dryRunOther } from './dryrun.ts'
import { listOthers } from './others.ts'
import {
  countWaiting,
  getAutomation,
  getAutomationSettings,
  getCustomerAutomations,
  listAutomations,
  listChoices,
  listRuns,
} from './queries.ts'

export const automationsEndpoints = serve(
  'automations',
  automationsApi,
)({
  list: ({ actor }) =>
    withTenant(actor, async (db) => ({
      items: await listAutomations(db),
      settings: await getAutomationSettings(db),
      waitingCount: await countWaiting(db),
    })),
  others: ({ actor }) => withTenant(actor, async (db) => ({ items: await listOthers(db) })),
  othersDryRun: ({ actor, query }) => withTenant(actor, (db) => dryRunOther(db, actor, query.of)),
  choices: ({ actor }) => withTenant(actor, listChoices),
  get: ({ actor, params }) => withTenant(actor, (db) => getAutomation(db, params.id)),
  create: ({ actor, body }) => createAutomation(actor, body),
  update: ({ actor, params, body }) => updateAutomation(actor, params.id, body),
  turn: ({ actor, params, body }) => switchAutomation(actor, params.id, body),
  archive: ({ actor, params, body }) => archiveAutomation(actor, params.id, body.version),
  saveSettings: ({ actor, body }) => saveAutomationSettings(actor, body),
  test: ({ actor, params, body }) => testAutomation(actor, params.id, body),
  dryRun: ({ actor, params }) => withTenant(actor, (db) => dryRun(db, actor, params.id)),
})

export const automationRunsEndpoints = serve(
  'automation-runs',
  automationRunsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listRuns(db, actor, query)),
  edit: ({ actor, params, body }) => editRun(actor, params.id, body),
  approve: ({ actor, params, body }) => approveRun(actor, { id: params.id, ...body }),
  drop: ({ actor, params, body }) => dropRun(actor, params.id, body.version),
  approveAll: ({ actor, body }) => approveRuns(actor, body.runs),
  customer: ({ actor, params }) => withTenant(actor, (db) => getCustomerAutomations(db, params.id)),
  want: ({ actor, params, body }) => wantAutomation(actor, params.id, body),
})
