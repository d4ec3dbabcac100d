import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { consentsApi } from '../contract.ts'
import { recordWord } from './commands.ts'
import { listConsents } from './queries.ts'

export const consentsEndpoints = serve(
  'consents',
  consentsApi,
)({
  list: ({ actor, params }) => withTenant(actor, (db) => listConsents(db, actor, params.id)),
  record: ({ actor, params, body }) => recordWord(actor, params.id, body),
})
