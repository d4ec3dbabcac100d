import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

/** One export of everything, on its way or to be fetched. */
export const WholeExport = z.object({
  id: z.uuid(),
  status: z.enum(['running', 'done', 'failed', 'expired']),
  withFiles: z.boolean(),
  stepsDone: z.number().int(),
  stepsTotal: z.number().int(),
  /** Files that are named among the records and are not on the disk. */
  missingFiles: z.number().int(),
  createdAt: z.string(),
  createdByName: z.string().nullable(),
  /** Until when its archives can be fetched. */
  expiresAt: z.string(),
  /** Signed addresses of its archives; empty until it is done. */
  archives: z.array(z.object({ name: z.string(), path: z.string(), byteCount: z.number().int() })),
})
export type WholeExport = z.output<typeof WholeExport>

export const exportsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/business/exports',
    access: 'owner',
    response: z.object({ items: z.array(WholeExport) }),
    summary: 'The latest exports of everything, with the addresses of their archives',
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/business/exports',
    access: 'owner',
    idempotent: true,
    body: z.object({ withFiles: z.boolean().default(true) }),
    response: WholeExport,
    summary: 'Make archives of every record and file of the business; one that is on its way is answered with itself',
  }),
}
