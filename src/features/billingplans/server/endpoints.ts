import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { billingPlansApi } from '../contract.ts'
import { changePlan, createPlan, discardPlan, settlePlan, undoChange, undoSettlement } from './commands.ts'
import { previewPlan, previewPlanChange } from './preview.ts'
import { getPlan, listPlans } from './queries.ts'
import { readPlan } from './rows.ts'
import { reckon } from './settlement.ts'

export const billingPlansEndpoints = serve(
  'billingplans',
  billingPlansApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listPlans(db, query)),
  get: ({ actor, params }) => withTenant(actor, (db) => getPlan(db, actor, params.id)),
  preview: ({ actor, body }) => withTenant(actor, (db) => previewPlan(db, body)),
  create: ({ actor, body }) => createPlan(actor, body),
  previewChange: ({ actor, params, body }) =>
    withTenant(actor, async (db) => previewPlanChange(db, await readPlan(db, params.id), body)),
  change: ({ actor, params, body }) => changePlan(actor, params.id, body),
  undoChange: ({ actor, params, body }) => undoChange(actor, params.id, body),
  settlement: ({ actor, params, query }) =>
    withTenant(actor, async (db) => (await reckon(db, await readPlan(db, params.id), query)).settlement),
  settle: ({ actor, params, body }) => settlePlan(actor, params.id, body),
  undoSettlement: ({ actor, params, once }) => undoSettlement(actor, params.id, once),
  discard: ({ actor, params }) => discardPlan(actor, params.id),
})
