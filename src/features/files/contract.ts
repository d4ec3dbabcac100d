import { z } from 'zod'
import { type BinaryBody, endpoint } from '../../shared/endpoint.ts'
import { largestUpload, pieceBytes } from './rules.ts'

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
    /** A small copy of a picture. */
    query: z.object({
      small: z.literal('1').optional(),
      /** As it goes with a text. */
      text: z.literal('1').optional(),
    }),
    response: z.any(),
    summary: 'A file by its signed address',
  }),
  received: endpoint({
    method: 'GET',
    path: '/api/uploads',
    access: 'member',
    query: z.object({ id: z.uuid() }),
    response: z.object({ received: z.number().int() }),
    summary: 'How many bytes have come of a photo that is sent in pieces',
  }),
  addPiece: endpoint({
    method: 'POST',
    path: '/api/uploads',
    access: 'member',
    bodyLimitBytes: pieceBytes,
    query: z.object({ id: z.uuid(), from: z.coerce.number().int().min(0).max(largestUpload) }),
    body: z.any() as z.ZodType<BinaryBody>,
    response: z.object({ received: z.number().int() }),
    summary:
      'The next piece of a photo as raw application/octet-stream. Where a photo is taken, `{ upload: id }` then stands for its bytes; a repeat changes nothing',
  }),
}
