import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { referralStates } from './rules.ts'

const Cents = z.number().int().nullable()

export const Referrals = z.object({
  /** Null until somebody asks for it. */
  code: z.string().nullable(),
  /** The business page with the code; null without a code, or where the page is off. */
  link: z.string().nullable(),
  /** Rewards are on. */
  on: z.boolean(),
  /** What each gets; null for people who do not see money. */
  giverCents: Cents,
  friendCents: Cents,
  /** The last ones. */
  items: z.array(
    z.object({
      leadId: z.uuid(),
      name: z.string(),
      at: z.string(),
      state: z.enum(referralStates),
      customerId: z.uuid().nullable(),
      rewardCents: Cents,
    }),
  ),
})
export type Referrals = z.output<typeof Referrals>

export const referralsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/customers/:id/referrals',
    access: 'office',
    permission: 'customers',
    params: z.object({ id: z.uuid() }),
    response: Referrals,
    summary: "A customer's code for neighbors, who came with it, and what that earned",
  }),
  give: endpoint({
    method: 'POST',
    path: '/api/customers/:id/referral-code',
    access: 'office',
    permission: 'customers',
    needsSubscription: true,
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    response: Referrals,
    summary: "A customer's own code for neighbors, made when first asked for",
  }),
}
