import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Stroke } from '../../../shared/strokeShape.ts'

/** What a customer said to extra work, as it was: nobody changes it. */
export const Consent = z.object({
  way: z.enum(['signature', 'link']),
  answer: z.enum(['yes', 'no']),
  /** What they read; null for people who do not see money, for there stands a price. */
  words: z.string().nullable(),
  signer: z.string(),
  strokes: z.array(Stroke),
  at: z.string(),
  /** Who of the crew stood there. */
  byName: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  accuracyMeters: z.number().int().nullable(),
})
export type Consent = z.output<typeof Consent>

const params = z.object({ token: z.string().max(100) })

/** What the link in the question opens: a page of its own, whole without a script. */
export const salePageApi = {
  page: endpoint({
    method: 'GET',
    path: '/extra/:token',
    access: 'public',
    params,
    response: z.any(),
    summary: 'Extra work that a customer is asked about, as a page',
  }),
  answer: endpoint({
    method: 'POST',
    path: '/extra/:token',
    access: 'public',
    form: true,
    params,
    body: z.record(z.string().max(40), z.string().max(200)),
    response: z.any(),
    summary: 'What the customer says to it, once',
  }),
}
