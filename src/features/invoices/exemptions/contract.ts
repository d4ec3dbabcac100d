import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { type BinaryBody, endpoint } from '../../../shared/endpoint.ts'
import { largestUpload } from '../../files/rules.ts'
import { standings } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Id = z.object({ id: z.uuid() })

/** Everywhere, nowhere, or in these states. */
export const TaxExemptIn = z.union([z.boolean(), z.array(z.string())])

export const Exemptions = z.object({
  customerName: z.string(),
  /** Where they pay no sales tax today. */
  taxExempt: TaxExemptIn,
  /** The mark on the customer; it counts while no certificate is on file. */
  byHand: z.boolean(),
  items: z.array(
    z.object({
      id: z.uuid(),
      certificate: z.string(),
      state: z.string().nullable(),
      validFrom: Day,
      validUntil: Day.nullable(),
      standing: z.enum(standings),
      /** The certificate as it was handed in. */
      fileUrl: z.string().nullable(),
    }),
  ),
})
export type Exemptions = z.output<typeof Exemptions>

const money = { access: 'office', permission: 'money', response: Exemptions } as const
const change = { ...money, idempotent: true } as const

export const exemptionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/customers/:id/tax-exemptions',
    access: 'office',
    permission: 'money',
    params: Id,
    response: Exemptions,
    summary: 'The certificates by which a customer pays no sales tax',
  }),
  add: endpoint({
    ...change,
    method: 'POST',
    path: '/api/customers/:id/tax-exemptions',
    params: Id,
    body: z.object({
      certificate: z.string().trim().min(1, 'The number on the certificate').max(60),
      state: z
        .string()
        .regex(/^[A-Z]{2}$/, 'Two letters, like GA')
        .nullable(),
      validFrom: Day,
      validUntil: Day.nullable(),
    }),
    summary: 'Put a certificate on file: from then on only certificates decide who is exempt',
  }),
  setFile: endpoint({
    ...money,
    method: 'PUT',
    path: '/api/tax-exemptions/:id/file',
    params: Id,
    bodyLimitBytes: largestUpload,
    body: z.any() as z.ZodType<BinaryBody>,
    summary: 'The certificate as it was handed in: a PDF or a picture as it is',
  }),
  remove: endpoint({
    ...change,
    method: 'DELETE',
    path: '/api/tax-exemptions/:id',
    params: Id,
    summary: 'Take a certificate off file; invoices that were made with it stay',
  }),
}
