import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { answersApi } from '../contract.ts'
import { openPayLink } from './commands.ts'
import { getAnswers } from './queries.ts'

export const answersEndpoints = serve(
  'answers',
  answersApi,
)({
  get: ({ actor, params }) => withTenant(actor, (db) => getAnswers(db, actor, params.id)),
  payLink: ({ actor, params }) => openPayLink(actor, params.id),
})
