import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { portalApi } from '../../contract.ts'
import { sendPortalLink } from '../../server/commands.ts'
import { getPortalSettings, listRequests } from '../../server/queries.ts'
import { answerRequest, savePortalSettings } from './commands.ts'

export const customerPortalEndpoints = serve(
  'customer-portal',
  portalApi,
)({
  settings: ({ actor }) => withTenant(actor, getPortalSettings),
  saveSettings: ({ actor, body }) => savePortalSettings(actor, body),
  sendLink: ({ actor, params, body }) => sendPortalLink(actor, params.id, body),
  requests: ({ actor, params }) => withTenant(actor, (db) => listRequests(db, actor, params.id)),
  answer: ({ actor, params, body }) => answerRequest(actor, params.id, params.action, body),
})
