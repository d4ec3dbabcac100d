import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { choicesApi } from '../contract.ts'
import { chooseNews, setDigest } from './commands.ts'
import { getOwnChoices } from './queries.ts'

export const choicesEndpoints = serve(
  'notifications',
  choicesApi,
)({
  own: ({ actor }) => withTenant(actor, (db) => getOwnChoices(db, actor)),
  choose: ({ actor, body }) => chooseNews(actor, body),
  digest: ({ actor, body }) => setDigest(actor, body),
})
