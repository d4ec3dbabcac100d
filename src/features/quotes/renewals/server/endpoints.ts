import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { renewalsApi } from '../contract.ts'
import { changeRenewal, createRun, retryRun, sendRun, updateRun, withdrawRun } from './commands.ts'
import { countCandidates, getRun, listRenewals, listRuns } from './queries.ts'

export const renewalsEndpoints = serve(
  'renewals',
  renewalsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listRuns(db, query)),
  candidates: ({ actor, body }) => withTenant(actor, (db) => countCandidates(db, body.filter, body.startsOn)),
  create: ({ actor, body }) => createRun(actor, body),
  get: ({ actor, params }) => withTenant(actor, (db) => getRun(db, actor, params.id)),
  rows: ({ actor, params, query }) => withTenant(actor, (db) => listRenewals(db, params.id, query)),
  update: ({ actor, params, body }) => updateRun(actor, params.id, body),
  change: ({ actor, params, body }) => changeRenewal(actor, params, body),
  send: ({ actor, params, body }) => sendRun(actor, params.id, body),
  retry: ({ actor, params, body }) => retryRun(actor, params.id, body.version),
  withdraw: ({ actor, params, body }) => withdrawRun(actor, params.id, body.version),
})
