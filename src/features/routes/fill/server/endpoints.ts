import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { fillApi } from '../contract.ts'
import { fillDay } from './commands.ts'
import { previewFill } from './queries.ts'

export const fillEndpoints = serve(
  'fill',
  fillApi,
)({
  preview: ({ actor, query }) => withTenant(actor, (db) => previewFill(db, actor, query.day, query.without)),
  fill: ({ actor, body }) => fillDay(actor, body.day, body.places),
})
