import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Marks } from '../marks/contract.ts'

/** What the newest visit at a property left for the next one. Pictures come apart, so that a day stays small. */
export const LastTime = z.object({
  visitId: z.uuid(),
  day: z.string(),
  /** First name of who finished it. */
  by: z.string().nullable(),
  /** What was written for next time, else to the office. */
  text: z.string(),
  photoIds: z.array(z.uuid()),
  /** What was drawn on them. */
  marks: Marks.optional(),
})
export type LastTime = z.output<typeof LastTime>

/** So many photos of the last time go along. */
export const mostLastPhotos = 2

export const lastApi = {
  photos: endpoint({
    method: 'GET',
    path: '/api/crew/last-photos',
    access: 'member',
    response: z.object({ photos: z.array(z.object({ id: z.uuid(), url: z.string() })) }),
    summary: 'Where a phone finds the small photos of the last visits at the stops of its three days',
  }),
}
