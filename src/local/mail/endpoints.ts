import { withTenant } from '../../platform/db/tenant.ts'
import { serve } from '../../platform/http/serve.ts'
import { localMailApi } from './contract.ts'
import { writeMail } from './mime.ts'
import { postMail } from './post.ts'
import { getAnswer, listAddresses } from './queries.ts'

export const localMailEndpoints = serve(
  'localMail',
  localMailApi,
)({
  addresses: async ({ actor, query }) => {
    const { answers } = query
    return {
      addresses: listAddresses(actor.businessId),
      answer: answers ? await withTenant(actor, (db) => getAnswer(db, answers)) : null,
    }
  },
  send: async ({ body, request }) => ({ received: await postMail(request.server, body.to, await writeMail(body)) }),
})
