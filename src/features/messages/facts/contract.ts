import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { paperWayNames } from '../../../shared/paper-ways.ts'

const FactVisit = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  title: z.string(),
  street: z.string(),
  day: z.string(),
  status: z.string(),
  crewName: z.string().nullable(),
})
export type FactVisit = z.output<typeof FactVisit>

/** What somebody looks up while they write with a customer. */
export const CustomerFacts = z.object({
  customerId: z.uuid(),
  nextVisit: FactVisit.nullable(),
  lastVisit: FactVisit.nullable(),
  /** Null for a person without the permission for money. */
  money: z
    .object({
      openCents: z.number().int(),
      /** Past its due day, and not on its way. */
      overdueCents: z.number().int(),
      /** On its way from a bank. */
      pendingCents: z.number().int(),
      /** What of it credit that is not used yet would pay. */
      creditCents: z.number().int(),
      /** Level payments or a prepaid season that runs. */
      plan: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    })
    .nullable(),
  /** The first few; how many there are stands beside them. */
  properties: z.array(z.object({ id: z.uuid(), street: z.string(), city: z.string(), zip: z.string() })),
  propertyCount: z.number().int(),
  jobs: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      street: z.string(),
      status: z.string(),
      startOn: z.string(),
    }),
  ),
  /** Those that run, rest or are drafts; not counted further than 100. */
  jobCount: z.number().int(),
  tags: z.array(z.string()),
  language: z.enum(['en', 'es']),
  /** How invoices and the rest about money reach them: theirs, else as the business has it. */
  paperWay: z.enum(paperWayNames),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** Why no mail, or no text, goes to them any more; null where it does. */
  noMail: z.string().nullable(),
  noTexts: z.string().nullable(),
  /** Offers go to none of their addresses. */
  noOffers: z.boolean(),
})
export type CustomerFacts = z.output<typeof CustomerFacts>

export const customerFactsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/customers/:id/facts',
    access: 'office',
    permission: 'customers',
    params: z.object({ id: z.uuid() }),
    response: CustomerFacts,
    summary: 'What stands beside a conversation: visits, money, places, work, and how they want to be written to',
  }),
}
