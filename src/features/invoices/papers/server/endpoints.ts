import { sendPdf } from '../../../../platform/http/pdf.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { papersApi } from '../contract.ts'
import { printPayment } from './commands.ts'

export const papersEndpoints = serve(
  'invoices',
  papersApi,
)({
  paymentPdf: async ({ actor, params, reply }) => {
    const { title, pdf } = await printPayment(actor, params.id)
    return sendPdf(reply, title, pdf)
  },
})
