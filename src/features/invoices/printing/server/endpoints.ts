import { sendPdf } from '../../../../platform/http/pdf.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { printingApi } from '../contract.ts'
import { printInvoices } from './commands.ts'

export const printingEndpoints = serve(
  'invoices',
  printingApi,
)({
  printMany: async ({ actor, body, reply }) => sendPdf(reply, 'invoices', await printInvoices(actor, body)),
})
