import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { PublicInvoice } from '../contract.ts'

const Id = z.object({ id: z.uuid() })
const Token = z.object({ token: z.string().min(20).max(100) })

/** The card that a customer left, and whether it pays their invoices. */
export const CardOnFile = z.object({
  kind: z.enum(['card', 'bank']),
  label: z.string(),
  /** Null for a bank account. */
  expires: z.string().nullable(),
  expiresSoon: z.boolean(),
  autopay: z.boolean(),
  /** Why autopay ended by itself; null where it did not. */
  ended: z.string().nullable(),
  /** The customer turned it off: nobody else can turn it on again. */
  stoppedByHolder: z.boolean(),
  /** The next invoice that is charged, and when. */
  next: z
    .object({ invoiceId: z.uuid(), number: z.number().int(), amountCents: z.number().int(), chargeOn: z.string() })
    .nullable(),
  mandate: z.object({ text: z.string(), version: z.number().int(), at: z.string(), page: z.string() }),
  livemode: z.boolean(),
  can: z.object({ remove: z.boolean(), turnOn: z.boolean(), turnOff: z.boolean() }),
})
export const CustomerCard = z.object({
  card: CardOnFile.nullable(),
  takesCards: z.boolean(),
  /** A bank account can be left too. */
  takesBank: z.boolean(),
  email: z.string().nullable(),
  /** Where a text goes that asks for a card, or why none does. */
  text: z.object({ number: z.string().nullable(), why: z.string().nullable() }),
})
export type CustomerCard = z.output<typeof CustomerCard>

const change = { access: 'office', permission: 'money', idempotent: true } as const

export const cardsApi = {
  getCard: endpoint({
    method: 'GET',
    path: '/api/customers/:id/card',
    access: 'office',
    permission: 'money',
    params: Id,
    response: CustomerCard,
    summary: 'The card on file of a customer',
  }),
  removeCard: endpoint({
    ...change,
    method: 'POST',
    path: '/api/customers/:id/card/remove',
    params: Id,
    response: CustomerCard,
    summary: 'Forget the card of a customer, here and at the provider',
  }),
  setAutopay: endpoint({
    ...change,
    method: 'POST',
    path: '/api/customers/:id/card/autopay',
    params: Id,
    body: z.object({ on: z.boolean() }),
    response: CustomerCard,
    summary: 'Whether the card pays invoices by itself',
  }),
  payAndSave: endpoint({
    method: 'POST',
    path: '/api/public/invoices/:token/pay-and-save',
    access: 'public',
    params: Token,
    /** The words that stood on the page, as they were agreed to. */
    body: z.object({ mandate: z.string().max(2000) }),
    response: z.object({ url: z.string() }),
    summary: 'The hosted checkout for the balance; the card is kept and pays later invoices by itself',
  }),
  stopAutopay: endpoint({
    method: 'POST',
    path: '/api/public/invoices/:token/stop-autopay',
    access: 'public',
    params: Token,
    response: PublicInvoice,
    summary: 'The customer turns autopay off',
  }),
}
