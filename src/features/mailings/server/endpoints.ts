import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { mailingsApi } from '../contract.ts'
import { sendMailing, stopMailing } from './commands.ts'
import { getMailing, previewMailing } from './queries.ts'

export const mailingsEndpoints = serve(
  'mailings',
  mailingsApi,
)({
  preview: ({ actor, body }) => withTenant(actor, (db) => previewMailing(db, body)),
  send: ({ actor, body }) => sendMailing(actor, body),
  get: ({ actor, params }) => withTenant(actor, (db) => getMailing(db, params.id)),
  stop: ({ actor, params }) => stopMailing(actor, params.id),
})
