import { withTenant } from '../../../../platform/db/tenant.ts'
import { sendPdf } from '../../../../platform/http/pdf.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { notePrinted, printPriceLetters, sendPriceLetters } from '../../../jobs/letters/server/commands.ts'
import { lawnsApi } from '../contract.ts'
import { listLowLawns, previewLetters } from './queries.ts'

export const lawnsEndpoints = serve(
  'price-letters',
  lawnsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listLowLawns(db, query)),
  preview: ({ actor, body }) => withTenant(actor, (db) => previewLetters(db, body)),
  send: ({ actor, body }) => sendPriceLetters(actor, body),
  paper: async ({ actor, params, query, reply }) =>
    sendPdf(reply, 'price-letters', await printPriceLetters(actor, params.id, query.again)),
  printed: ({ actor, params, body }) => notePrinted(actor, params.id, body.customerIds),
})
