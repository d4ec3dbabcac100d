import { z } from 'zod'

const Cents = z.number().int()

/** What else of a customer is open when money is recorded for one invoice. */
export const AlsoOpen = z.object({
  count: z.number().int(),
  cents: Cents,
  /** What of it is taken off when all of it is paid without a card. */
  discountCents: Cents,
})
export type AlsoOpen = z.output<typeof AlsoOpen>
