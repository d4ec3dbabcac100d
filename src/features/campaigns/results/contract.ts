import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { page } from '../../../shared/list.ts'
import { recipientStates } from '../rules.ts'

const count = z.number().int()

/** What a group was billed since it left to each of them; per customer, because the groups are of different size. */
const Group = z.object({
  customers: count,
  totalCents: z.number().int(),
  perCustomerCents: z.number().int(),
})

const OfSubject = z.object({
  subject: z.string(),
  sent: count,
  opened: count,
  clicked: count,
  unsubscribed: count,
})

export const CampaignResults = z.object({
  chosen: count,
  waiting: count,
  heldOut: count,
  /** Left this server; what came back is part of it. */
  sent: count,
  /** Known to have arrived: said so by the provider, or opened. */
  delivered: count,
  opened: count,
  clicked: count,
  unsubscribed: count,
  complained: count,
  bounced: count,
  /** Was not taken in all tries, or nobody knows whether it arrived. */
  failed: count,
  onTheWay: count,
  /** Was not sent, by why, the commonest first. */
  notSent: z.array(z.object({ reason: z.string(), count })),
  test: z
    .object({
      by: z.enum(['opens', 'clicks']),
      decidedAt: z.string().nullable(),
      winner: z.enum(['a', 'b']).nullable(),
      a: OfSubject,
      b: OfSubject,
    })
    .nullable(),
})
export type CampaignResults = z.output<typeof CampaignResults>

export const CampaignBilled = z.object({
  /** Null for people without the permission for money. */
  billed: z
    .object({
      days: count,
      daysSoFar: count,
      /** The last of the days that count. */
      untilOn: z.string(),
      /** To whom it was to be sent, whether it arrived or not. */
      sent: Group,
      heldOut: Group,
      /** How much more one of the first was billed; null until the days are over, and without a group to compare with. */
      morePerCustomerCents: z.number().int().nullable(),
    })
    .nullable(),
})
export type CampaignBilled = z.output<typeof CampaignBilled>

export const CampaignPerson = z.object({
  id: z.uuid(),
  name: z.string(),
  address: z.string().nullable(),
  state: z.enum(recipientStates),
  /** Why it was not sent or did not arrive. */
  reason: z.string().nullable(),
  variant: z.enum(['a', 'b']).nullable(),
  sentAt: z.string().nullable(),
  openedAt: z.string().nullable(),
  clickedAt: z.string().nullable(),
  unsubscribedAt: z.string().nullable(),
})
export type CampaignPerson = z.output<typeof CampaignPerson>

const office = { access: 'office', permission: 'customers' } as const
const byId = z.object({ id: z.uuid() })
const show = z.enum(recipientStates).optional()

export const campaignResultsApi = {
  results: endpoint({
    method: 'GET',
    path: '/api/campaigns/:id/results',
    ...office,
    params: byId,
    response: CampaignResults,
    summary: 'What a campaign has come to',
  }),
  billed: endpoint({
    method: 'GET',
    path: '/api/campaigns/:id/billed',
    ...office,
    params: byId,
    response: CampaignBilled,
    summary: 'What the audience of a campaign was billed within 30 days, beside those held out',
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/campaigns/:id/people',
    ...office,
    params: byId,
    query: z.object({ show, ...page(50) }),
    response: z.object({ items: z.array(CampaignPerson), nextCursor: z.string().nullable() }),
    summary: 'The frozen audience: who got it, and who did not and why',
  }),
  exportCsv: endpoint({
    method: 'GET',
    path: '/api/campaigns/:id/people.csv',
    ...office,
    params: byId,
    query: z.object({ show }),
    response: z.string(),
    summary: 'The audience of a campaign as CSV',
  }),
}
