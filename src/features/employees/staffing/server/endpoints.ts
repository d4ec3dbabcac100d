import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { staffingApi } from '../contract.ts'
import { addStandIn, endStandIn, putOnCrew, undoCrewChange } from './commands.ts'
import { getCrewStaff, getStretches, previewPut } from './queries.ts'

export const staffingEndpoints = serve(
  'staffing',
  staffingApi,
)({
  stretches: ({ actor, params }) => withTenant(actor, (db) => getStretches(db, params.id)),
  preview: ({ actor, params, query: { crewId = null, to = null, from } }) =>
    withTenant(actor, (db) => previewPut(db, params.id, { crewId, from, to })),
  put: ({ actor, params, body }) => putOnCrew(actor, params.id, body),
  undo: ({ actor, params, body }) => undoCrewChange(actor, params.id, body.changeId),
  standIns: ({ actor, params, query }) => withTenant(actor, (db) => getCrewStaff(db, params.id, query.day)),
  standIn: ({ actor, params, body }) => addStandIn(actor, params.id, body),
  endStandIn: ({ actor, params, body }) => endStandIn(actor, params.id, body),
})
