import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { invalid } from '../../../../shared/errors.ts'
import { addFileTx, storeImage, takePhoto } from '../../../files/server/commands.ts'
import { crewQuotesApi } from '../contract.ts'
import { addNotedPhoto, noteQuote } from './commands.ts'
import { getCrewQuotes } from './queries.ts'

export const crewQuotesEndpoints = serve(
  'quotes',
  crewQuotesApi,
)({
  list: ({ actor }) => withTenant(actor, (db) => getCrewQuotes(db, actor.userId)),
  create: ({ actor, body }) => noteQuote(actor, body),
  addNotedPhoto: ({ actor, params, query, body }) =>
    takePhoto(actor, body, (bytes) => addNotedPhoto(actor, params.id, query.id, bytes)),
  addPhoto: async ({ actor, body, once }) => {
    if (!(body instanceof Uint8Array)) throw invalid([{ path: 'photo', message: 'This is not a picture.' }])
    const image = await storeImage(actor, body)
    return once(() => withTenant(actor, async (db) => ({ id: await addFileTx(db, actor, 'quote', image) })))
  },
})
