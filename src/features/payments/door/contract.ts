import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { doorMethods, receiptWays } from './rules.ts'

const Cents = z.number().int()
const Id = z.object({ id: z.uuid() })
const Reason = z.string().trim().min(1, 'Say why: it stands on the record').max(300)

const HeldReceipt = z.object({
  id: z.uuid(),
  paymentId: z.uuid(),
  receipt: z.string(),
  reference: z.string(),
  customer: z.object({ id: z.uuid(), name: z.string() }),
  street: z.string().nullable(),
  method: z.enum(doorMethods),
  checkNumber: z.string(),
  amountCents: Cents,
  collectedAt: z.string(),
  photoUrl: z.string().nullable(),
})
export type HeldReceipt = z.output<typeof HeldReceipt>

/** Who holds what of the business's money, and what was handed in. */
export const FieldCash = z.object({
  /** Whether crews may take money at the door now. */
  enabled: z.boolean(),
  cashCents: Cents,
  checkCents: Cents,
  people: z.array(
    z.object({
      userId: z.uuid(),
      name: z.string(),
      cashCents: Cents,
      checkCents: Cents,
      checkCount: z.number().int(),
      receipts: z.array(HeldReceipt),
    }),
  ),
  handIns: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      onDay: z.string(),
      cashCents: Cents,
      countedCents: Cents,
      checkCents: Cents,
      checkCount: z.number().int(),
      reason: z.string(),
      confirmedBy: z.string().nullable(),
      undone: z.object({ onDay: z.string(), reason: z.string() }).nullable(),
    }),
  ),
})
export type FieldCash = z.output<typeof FieldCash>

export const doorApi = {
  fieldCash: endpoint({
    method: 'GET',
    path: '/api/field-cash',
    access: 'office',
    permission: 'money',
    response: FieldCash,
    summary: 'Cash and checks that crews hold, and what was handed in last',
  }),
  handIn: endpoint({
    method: 'POST',
    path: '/api/field-cash/hand-ins',
    access: 'office',
    permission: 'money',
    idempotent: true,
    body: z.object({
      userId: z.uuid(),
      receiptIds: z.array(z.uuid()).min(1, 'Tick what was handed in').max(500),
      countedCents: z.number().int().min(0).max(100_000_000),
      reason: z.string().trim().max(300).default(''),
    }),
    response: FieldCash,
    summary: 'The office has counted what a person brought; a difference has a reason',
  }),
  undoHandIn: endpoint({
    method: 'POST',
    path: '/api/field-cash/hand-ins/:id/undo',
    access: 'office',
    permission: 'money',
    idempotent: true,
    params: Id,
    body: z.object({ reason: Reason }),
    response: FieldCash,
    summary: 'A hand-in was confirmed by mistake: the person holds the money again',
  }),
  sendReceipt: endpoint({
    method: 'POST',
    path: '/api/field-cash/receipts/:receiptId/send',
    access: 'office',
    permission: 'money',
    idempotent: true,
    params: z.object({ receiptId: z.uuid() }),
    body: z.object({ by: z.enum(receiptWays) }),
    response: z.object({ sent: z.literal(true) }),
    summary: 'Send the receipt of money taken at the door once more',
  }),
}
