import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { segmentsApi } from '../contract.ts'
import { archiveSegment, createSegment, updateSegment } from './commands.ts'
import { countSegment, listSegments } from './queries.ts'

export const segmentsEndpoints = serve(
  'segments',
  segmentsApi,
)({
  count: ({ actor, body }) => withTenant(actor, (db) => countSegment(db, actor, body.conditions)),
  list: async ({ actor }) => ({ items: await withTenant(actor, listSegments) }),
  create: ({ actor, body }) => createSegment(actor, body),
  update: ({ actor, params, body }) => updateSegment(actor, params.id, body),
  archive: ({ actor, params }) => archiveSegment(actor, params.id),
})
