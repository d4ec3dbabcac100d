import { withTenant } from '../../../platform/db/tenant.ts'
import { sendPdf } from '../../../platform/http/pdf.ts'
import { serve } from '../../../platform/http/serve.ts'
import { absoluteUrl } from '../../../platform/links.ts'
import { inThread } from '../../../platform/threads.ts'
import { paths } from '../../../shared/paths.ts'
import { doorcardsApi } from '../contract.ts'
import { listBatches, readCards } from './batches.ts'
import { makeDoorCards, undoDoorCards } from './commands.ts'
import { listCrewNeighbors, listRooms } from './crews.ts'
import type { doorCardsPdf } from './pdf.ts'
import { listNeighbors } from './queries.ts'

export const doorcardsEndpoints = serve(
  'doorcards',
  doorcardsApi,
)({
  near: ({ actor, params }) => withTenant(actor, (db) => listNeighbors(db, params.id)),
  rooms: ({ actor, query }) => withTenant(actor, (db) => listRooms(db, query.day)),
  ofCrew: ({ actor, params, query }) => withTenant(actor, (db) => listCrewNeighbors(db, params.id, query.day)),
  make: ({ actor, params, body }) => makeDoorCards(actor, params.id, body),
  list: ({ actor, query }) => withTenant(actor, (db) => listBatches(db, actor, query)),
  undo: ({ actor, params }) => undoDoorCards(actor, params.id),
  pdf: async ({ actor, params, reply }) => {
    const { slug, code, language, ...card } = await withTenant(actor, (db) => readCards(db, params.id))
    const pdf = await inThread<typeof doorCardsPdf>(new URL('./pdf.ts', import.meta.url), 'doorCardsPdf', {
      ...card,
      language: language === 'es' ? 'es' : 'en',
      url: absoluteUrl(`${paths.publicProfile(slug)}?ref=card-${code}`),
    })
    return sendPdf(reply, 'door-cards', pdf)
  },
})
