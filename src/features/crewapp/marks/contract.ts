import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Stroke } from '../../../shared/strokeShape.ts'
import { mostStrokes } from '../../../shared/strokes.ts'

/** A photo of a stop; the picture itself comes apart, so that a day stays small. */
export const StopPicture = z.object({ id: z.uuid(), kind: z.enum(['before', 'after', 'other']) })

/** What is drawn on photos, by the photo. */
export const Marks = z.record(z.uuid(), z.array(Stroke))
export type Marks = z.output<typeof Marks>

/** What a command about a drawing carries. */
export const markPayload = {
  mark: z
    .object({
      photoId: z.uuid(),
      add: z.array(Stroke).max(mostStrokes),
      gone: z.array(z.string().max(40)).max(mostStrokes),
    })
    .optional(),
}

export const marksApi = {
  stopPhotos: endpoint({
    method: 'GET',
    path: '/api/crew/visits/:visitId/photos',
    access: 'member',
    params: z.object({ visitId: z.uuid() }),
    response: z.object({ photos: z.array(z.object({ id: z.uuid(), url: z.string() })) }),
    summary: 'Where a phone finds the small photos of a stop of its crew',
  }),
}
