import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

export const deskPhotosApi = {
  /** Signed for a span, so that an img needs no session; only the desk makes such an address. */
  get: endpoint({
    method: 'GET',
    path: '/api/leads/files/:fileId/:expires/:signature',
    access: 'public',
    params: z.object({ fileId: z.uuid(), expires: z.coerce.number().int(), signature: z.string().max(100) }),
    query: z.object({ /** A small copy of a photo. */ small: z.literal('1').optional() }),
    response: z.any(),
    summary: 'What came with a message of a lead, by its signed address',
  }),
}
