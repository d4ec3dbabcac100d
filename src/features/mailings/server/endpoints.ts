import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { mailingsApi } from '../contract.ts'
import { sendMailing, stopMailing, testMailing } from './commands.ts'
import { getMailing, listMailingPeople, listMailings, previewMailing } from './queries.ts'

export const mailingsEndpoints = serve(
  'mailings',
  mailingsApi,
)({
  preview: ({ actor, body }) => withTenant(actor, (db) => previewMailing(db, body)),
  send: ({ actor, body }) => sendMailing(actor, body),
  test: ({ actor, body }) => testMailing(actor, body),
  list: ({ actor, query }) => withTenant(actor, (db) => listMailings(db, actor, query)),
  people: ({ actor, params }) => withTenant(actor, (db) => listMailingPeople(db, params.id)),
  get: ({ actor, params }) => withTenant(actor, (db) => getMailing(db, actor, params.id)),
  stop: ({ actor, params }) => stopMailing(actor, params.id),
})
