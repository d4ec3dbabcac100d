import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { sendText } from '../../../../platform/http/text.ts'
import { payfilesApi } from '../contract.ts'
import { makePayFile, withdrawPayFile } from './commands.ts'
import { listPayFiles, readPayFile } from './queries.ts'

export const payfilesEndpoints = serve(
  'payfiles',
  payfilesApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listPayFiles(db, actor, query)),
  make: ({ actor, body }) => makePayFile(actor, body),
  csv: async ({ actor, params, reply }) => sendText(reply, await withTenant(actor, (db) => readPayFile(db, params.id))),
  withdraw: ({ actor, params }) => withdrawPayFile(actor, params.id),
})
