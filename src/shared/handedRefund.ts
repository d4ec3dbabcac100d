import { z } from 'zod'
import { isDay } from './dates.ts'

/** Money that somebody of the business handed back, with whether it can be taken back as never given. */
export const HandedRefund = z.object({
  id: z.uuid(),
  onDay: z.string().refine(isDay, 'Not a day of the calendar'),
  method: z.enum(['card', 'ach', 'check', 'cash', 'other']),
  amountCents: z.number().int(),
  reason: z.string(),
  can: z.object({ takeBack: z.boolean() }),
})
export type HandedRefund = z.output<typeof HandedRefund>
