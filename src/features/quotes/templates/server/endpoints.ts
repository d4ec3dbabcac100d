import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { quoteTemplatesApi } from '../contract.ts'
import { archiveTemplate, createTemplate, updateTemplate } from './commands.ts'
import { listTemplates } from './queries.ts'

export const quoteTemplatesEndpoints = serve(
  'quotes',
  quoteTemplatesApi,
)({
  list: ({ actor }) => withTenant(actor, async (db) => ({ items: await listTemplates(db) })),
  create: ({ actor, body }) => createTemplate(actor, body),
  update: ({ actor, params, body }) => updateTemplate(actor, params.id, body),
  archive: ({ actor, params, body }) => archiveTemplate(actor, params.id, body.version),
})
