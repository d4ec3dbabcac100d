import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { sentPhotosApi } from '../../../messages/kept/contract.ts'
import { keepSentPhoto } from './commands.ts'
import { listPhotoVisits } from './queries.ts'

export const sentPhotosEndpoints = serve(
  'sentPhotos',
  sentPhotosApi,
)({
  visits: async ({ actor, params, query }) => ({
    items: await withTenant(actor, (db) => listPhotoVisits(db, params.id, query.fileId)),
  }),
  keep: ({ actor, params, body }) => keepSentPhoto(actor, params.id, body),
})
