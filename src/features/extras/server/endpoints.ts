import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { extrasApi } from '../contract.ts'
import { addExtra, bookExtra, declineExtra, priceExtra, saveExtraSettings } from './commands.ts'
import { getExtraSettings, listExtras } from './queries.ts'

export const extrasEndpoints = serve(
  'extras',
  extrasApi,
)({
  settings: ({ actor }) => withTenant(actor, getExtraSettings),
  saveSettings: ({ actor, body }) => saveExtraSettings(actor, body),
  ofVisit: ({ actor, params }) =>
    withTenant(actor, async (db) => ({ items: await listExtras(db, actor, params.visitId) })),
  add: ({ actor, params, body }) => addExtra(actor, params.id, body),
  reprice: ({ actor, params, body }) => priceExtra(actor, params.id, body),
  decline: ({ actor, params, body }) => declineExtra(actor, params.id, body),
  book: ({ actor, params, body }) => bookExtra(actor, params.id, body),
})
