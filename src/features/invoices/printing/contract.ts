import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { InvoiceChoice } from '../contract.ts'

export const printingApi = {
  printMany: endpoint({
    method: 'POST',
    path: '/api/invoices/print',
    access: 'office',
    permission: 'money',
    body: InvoiceChoice,
    response: z.any(),
    summary: 'Several invoices as one PDF to print, by number; they wait to be sent no more',
  }),
}
