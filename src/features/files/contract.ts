import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

export const filesApi = {
  /** Signed for a span, so that an img needs no session; made by `signedFilePath`. */
  get: endpoint({
    method: 'GET',
    path: '/api/f/:businessId/:fileId/:expires/:signature',
    access: 'public',
    params: z.object({
      businessId: z.uuid(),
      fileId: z.uuid(),
      expires: z.coerce.number().int(),
      signature: z.string().max(100),
    }),
    response: z.any(),
    summary: 'A file by its signed address',
  }),
}
