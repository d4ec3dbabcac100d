import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { timelineApi } from '../contract.ts'
import { addNote, removeNote } from './commands.ts'
import { listTimeline } from './queries.ts'

export const timelineEndpoints = serve(
  'timeline',
  timelineApi,
)({
  list: ({ actor, params, query }) => withTenant(actor, (db) => listTimeline(db, actor, params.id, query)),
  addNote: ({ actor, params, body }) => addNote(actor, params.id, body.text),
  removeNote: ({ actor, params }) => removeNote(actor, params.id),
})
