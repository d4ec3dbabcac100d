import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { messageTemplatesApi } from '../contract.ts'
import { archiveTemplate, createTemplate, restoreTemplate, updateTemplate } from './commands.ts'
import { listTemplates } from './queries.ts'

export const messageTemplatesEndpoints = serve(
  'message-templates',
  messageTemplatesApi,
)({
  list: ({ actor }) => withTenant(actor, async (db) => ({ items: await listTemplates(db) })),
  create: ({ actor, body }) => createTemplate(actor, body),
  update: ({ actor, params, body }) => updateTemplate(actor, params.id, body),
  archive: ({ actor, params, body }) => archiveTemplate(actor, params.id, body.version),
  restore: ({ actor, params }) => restoreTemplate(actor, params.id),
})
