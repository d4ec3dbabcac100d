import { withTenant } from '../../../platform/db/tenant.ts'
import { sendPdf } from '../../../platform/http/pdf.ts'
import { serve } from '../../../platform/http/serve.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { invalid } from '../../../shared/errors.ts'
import { addFileTx, storeImage } from '../../files/server/commands.ts'
import { quotesApi } from '../contract.ts'
import { sendProblem } from '../rules.ts'
import { approveQuote, printQuote } from '../signing/server/commands.ts'
import { quoteHtml } from '../viewer/server/page.ts'
import { getPreviewPage } from '../viewer/server/queries.ts'
import {
  archiveQuote,
  copyQuote,
  createQuote,
  declineQuote,
  resendQuote,
  reviseQuote,
  sendQuote,
  updateQuote,
} from './commands.ts'
import { convertQuote } from './convert.ts'
import { getQuote, listQuotes } from './queries.ts'

export const quotesEndpoints = serve(
  'quotes',
  quotesApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listQuotes(db, query)),
  get: ({ actor, params }) => withTenant(actor, (db) => getQuote(db, actor, params.id)),
  create: ({ actor, body }) => createQuote(actor, body),
  update: ({ actor, params, body }) => updateQuote(actor, params.id, body),
  send: ({ actor, params, body }) => sendQuote(actor, params.id, body),
  resend: ({ actor, params, body }) => resendQuote(actor, params.id, body),
  revise: ({ actor, params, body }) => reviseQuote(actor, params.id, body.version),
  approve: ({ actor, params, body, once }) => approveQuote(actor, params.id, body, once),
  decline: ({ actor, params, body }) => declineQuote(actor, params.id, body),
  convert: ({ actor, params, body }) => convertQuote(actor, params.id, body),
  archive: ({ actor, params, body }) => archiveQuote(actor, params.id, body.version),
  copy: ({ actor, params, body }) => copyQuote(actor, params.id, body.propertyId),
  addPhoto: async ({ actor, body, once }) => {
    if (!(body instanceof Uint8Array)) throw invalid([{ path: 'photo', message: 'This is not a picture.' }])
    const image = await storeImage(actor, body)
    return once(() =>
      withTenant(actor, async (db) => {
        const id = await addFileTx(db, actor, 'quote', image)
        return { id, url: signedFilePath(db.businessId, id) }
      }),
    )
  },
  preview: async ({ actor, params, query }) => {
    const page = await withTenant(actor, (db) => getPreviewPage(db, params.id))
    const wished =
      query.package !== undefined || query.options !== undefined || query.prepay !== undefined
        ? {
            packageId: query.package ?? null,
            lineIds: (query.options ?? '').split(',').filter(Boolean),
            prepay: query.prepay === '1',
          }
        : null
    return {
      // a link that nobody has: even if a form of it were sent, it would sign nothing
      html: quoteHtml(page, 'preview', wished, { preview: true }),
      problem: page.state === 'open' ? sendProblem(page.content) : null,
    }
  },
  pdf: async ({ actor, params, reply }) => {
    const { name, pdf } = await printQuote(actor.businessId, params.id)
    return sendPdf(reply, name, pdf)
  },
})
