import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { neighborsApi } from '../contract.ts'
import { addNeighbor, keepNeighbor, tellNeighbor } from './commands.ts'
import { listOfVisit } from './queries.ts'

export const neighborsEndpoints = serve(
  'neighbors',
  neighborsApi,
)({
  ofVisit: ({ actor, params }) => withTenant(actor, (db) => listOfVisit(db, params.visitId)),
  add: ({ actor, params, body }) => addNeighbor(actor, params.id, body),
  update: ({ actor, params, body }) => keepNeighbor(actor, params.id, body),
  tell: ({ actor, params, body }) => tellNeighbor(actor, params.visitId, body),
})
