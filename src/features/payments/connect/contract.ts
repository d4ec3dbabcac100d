import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { connectStates } from './rules.ts'

/** A business's own account for card payments, in words. */
export const CardAccount = z.object({
  state: z.enum(connectStates),
  title: z.string(),
  message: z.string(),
  /** What the provider still asks for, in words. */
  requirements: z.array(z.string()),
  takesCards: z.boolean(),
  payoutsEnabled: z.boolean(),
  /** Who keeps the account, as people call it. */
  providerLabel: z.string().nullable(),
  /** False where no real money moves. */
  livemode: z.boolean(),
  /** Where the account itself is looked after; null where that is the form again. */
  dashboardUrl: z.string().nullable(),
  /** Where somebody plays the banks of the customers; null where they are real, or nothing was connected yet. */
  testBankPath: z.string().nullable(),
  can: z.object({ connect: z.boolean(), disconnect: z.boolean() }),
})
export type CardAccount = z.output<typeof CardAccount>

export const connectApi = {
  getAccount: endpoint({
    method: 'GET',
    path: '/api/payments/connect',
    access: 'office',
    response: CardAccount,
    summary: 'The account that customers pay into by card, as it was last seen',
  }),
  connectAccount: endpoint({
    method: 'POST',
    path: '/api/payments/connect',
    access: 'owner',
    needsSubscription: true,
    response: z.object({ url: z.string() }),
    summary: 'Begins or goes on with the account: the address of the provider’s form, good once and for minutes',
  }),
  syncAccount: endpoint({
    method: 'POST',
    path: '/api/payments/connect/sync',
    access: 'office',
    response: CardAccount,
    summary: 'Asks the provider how the account stands',
  }),
  disconnectAccount: endpoint({
    method: 'POST',
    path: '/api/payments/connect/disconnect',
    access: 'owner',
    idempotent: true,
    response: CardAccount,
    summary: 'Takes no more cards; the account stays the business’s own',
  }),
}
