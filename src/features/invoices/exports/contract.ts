import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { exportNames } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')

export const exportsApi = {
  csv: endpoint({
    method: 'GET',
    path: '/api/books/csv',
    access: 'office',
    permission: 'money',
    query: z.object({ kind: z.enum(exportNames), from: Day, to: Day }),
    response: z.any(),
    summary:
      'Invoices, payments, credit notes, sales tax, the ledger, expenses or mileage of a period as CSV for the accountant',
  }),
}
