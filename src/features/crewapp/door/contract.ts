import { z } from 'zod'
import { doorMethods, type DoorFacts as Facts, receiptWays } from '../../payments/door/rules.ts'

const Cents = z.number().int()

/** What a crew member who may take money at the door knows of a customer. */
export const DoorFacts = z.object({
  visitIds: z.array(z.uuid()),
  asOf: z.string(),
  owedCents: Cents,
  withoutCard: z.object({ percent: z.string(), cents: Cents }).nullable(),
  takesTips: z.boolean(),
  creditCents: Cents,
  open: z.array(z.object({ name: z.string(), dueOn: z.string(), cents: Cents })),
  openCount: z.number().int(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  language: z.enum(['en', 'es']),
  receipts: z.array(
    z.object({
      id: z.uuid(),
      number: z.string().nullable(),
      method: z.enum(doorMethods),
      amountCents: Cents,
      tipCents: Cents,
      checkNumber: z.string(),
      at: z.string(),
      voided: z.boolean(),
    }),
  ),
}) satisfies z.ZodType<Facts>

/** What a command about money carries. */
export const doorPayload = {
  amountCents: Cents.optional(),
  tipCents: Cents.optional(),
  method: z.enum(doorMethods).optional(),
  checkNumber: z.string().trim().max(40).optional(),
  receiptBy: z.enum(receiptWays).optional(),
  receiptId: z.uuid().optional(),
}
