import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { SessionUser } from '../accounts/contract.ts'
import { PublicInvoice } from '../payments/contract.ts'

const View = z.object({
  /** Whom the visitor sits in for: somebody of the office who is nobody, or one of the demo's crew. */
  user: SessionUser,
  businessName: z.string(),
  /** When this tour ends by itself. */
  until: z.string(),
  /** The invoice of the fourth signpost; null where there is none to show. */
  invoiceId: z.uuid().nullable(),
})
export type TourView = z.output<typeof View>

export const tourApi = {
  start: endpoint({
    method: 'POST',
    path: '/api/tour',
    access: 'public',
    response: z.object({ token: z.string(), until: z.string() }),
    summary: 'Begin a tour of the demo business; writes nothing down',
  }),
  view: endpoint({
    method: 'GET',
    path: '/api/tour',
    access: 'tour',
    response: View,
    summary: 'Who the visitor sits in for, and until when',
  }),
  customerPage: endpoint({
    method: 'GET',
    path: '/api/tour/customer-page',
    access: 'tour',
    response: PublicInvoice,
    summary: 'An invoice of the demo as its customer sees it, without the link that could pay it',
  }),
}
