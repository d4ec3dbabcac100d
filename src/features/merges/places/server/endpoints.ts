import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { placeMergesApi } from '../contract.ts'
import { mergePlaces, undoPlaceMerge } from './commands.ts'
import { listSamePlaces } from './queries.ts'

export const placeMergesEndpoints = serve(
  'placeMerges',
  placeMergesApi,
)({
  pairs: ({ actor, params }) => withTenant(actor, async (db) => ({ items: await listSamePlaces(db, params.id) })),
  merge: ({ actor, params, body }) => mergePlaces(actor, params.id, body),
  undo: ({ actor, params }) => undoPlaceMerge(actor, params.id),
})
