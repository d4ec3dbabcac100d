import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { messagePhotosApi } from '../contract.ts'
import { addMessagePhoto, readPhoto } from './commands.ts'
import { listCustomerPhotos } from './queries.ts'

export const messagePhotosEndpoints = serve(
  'messagePhotos',
  messagePhotosApi,
)({
  add: async ({ actor, body, once }) => {
    const image = await readPhoto(actor, body)
    return once(() => addMessagePhoto(actor, image))
  },
  list: async ({ actor, params }) => ({ items: await withTenant(actor, (db) => listCustomerPhotos(db, params.id)) }),
})
