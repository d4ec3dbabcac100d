import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

/** A visit that a photo which somebody sent can stand with. */
export const PhotoVisit = z.object({
  id: z.uuid(),
  day: z.string(),
  title: z.string(),
  street: z.string(),
  status: z.string(),
  /** It stands there already. */
  isKept: z.boolean(),
})
export type PhotoVisit = z.output<typeof PhotoVisit>

const office = { access: 'office', permission: 'customers', params: z.object({ id: z.uuid() }) } as const

/** Photos that customers sent become photos of visits; the work is done where photos of visits are kept. */
export const sentPhotosApi = {
  visits: endpoint({
    method: 'GET',
    path: '/api/messages/:id/photo-visits',
    ...office,
    query: z.object({ fileId: z.uuid() }),
    response: z.object({ items: z.array(PhotoVisit) }),
    summary: 'Visits that a photo of a message can be added to: the next and the last ones of who sent it',
  }),
  keep: endpoint({
    method: 'POST',
    path: '/api/messages/:id/photo-visits',
    ...office,
    needsSubscription: true,
    idempotent: true,
    body: z.object({ fileId: z.uuid(), visitId: z.uuid() }),
    response: PhotoVisit,
    summary: 'Add a photo that a customer sent to the photos of one of their visits; again changes nothing',
  }),
}
