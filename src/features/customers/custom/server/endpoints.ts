import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { customFieldsApi } from '../contract.ts'
import { archiveCustomField, changeCustomField, createCustomField, orderCustomFields } from './commands.ts'
import { listCustomFields } from './queries.ts'

export const customFieldsEndpoints = serve(
  'customFields',
  customFieldsApi,
)({
  list: ({ actor }) => withTenant(actor, async (db) => ({ items: await listCustomFields(db) })),
  create: ({ actor, body }) => createCustomField(actor, body),
  update: ({ actor, params, body }) => changeCustomField(actor, params.id, body),
  archive: ({ actor, params }) => archiveCustomField(actor, params.id, true),
  unarchive: ({ actor, params }) => archiveCustomField(actor, params.id, false),
  order: ({ actor, body }) => orderCustomFields(actor, body),
})
