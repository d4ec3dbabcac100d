import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { answerKinds } from './rules.ts'

const byId = z.object({ id: z.uuid() })

export const Answers = z.object({
  /** The customer's. */
  language: z.enum(['en', 'es']),
  /** What the variables of templates say of this customer, by name; null where there is nothing to say. */
  values: z.record(z.string(), z.string().nullable()),
  /** Why a variable says nothing, as a sentence. */
  missing: z.record(z.string(), z.string()),
  /** Which place a variable's value is of, as a sentence, where the customer has more than one. */
  places: z.record(z.string(), z.string()),
  /** Others whose number is the same: what is said here of one could be read by another. */
  sharedWith: z.array(z.object({ customerId: z.uuid(), name: z.string() })),
  /** For the last message of theirs that nobody has answered; none where nothing waits. */
  suggestions: z.array(
    z.object({
      kind: z.enum(answerKinds),
      /** `{pay link}` in it is fetched when it is chosen. */
      text: z.string(),
    }),
  ),
})
export type Answers = z.output<typeof Answers>

export const answersApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/customers/:id/answers',
    access: 'office',
    permission: 'customers',
    params: byId,
    response: Answers,
    summary:
      'What can be said to a customer, from the facts: values for templates, and up to three answers to what waits',
  }),
  payLink: endpoint({
    method: 'POST',
    path: '/api/customers/:id/pay-link',
    access: 'office',
    permission: 'money',
    idempotent: true,
    params: byId,
    response: z.object({ url: z.string() }),
    summary: 'The address at which a customer sees and pays what is open, to put into a message',
  }),
}
