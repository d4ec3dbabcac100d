import { call } from '../../../../shared/client.ts'
import type { PhotoBody } from '../../../../shared/endpoint.ts'
import { crewQuotesApi } from '../../../quotes/crew/contract.ts'
import type { QueuedPhoto } from '../store.ts'

/** Sends a photo to the quote that was noted with it. */
export const sendNotedPhoto = async (photo: QueuedPhoto, body: PhotoBody, patienceMs: number): Promise<void> => {
  await call(
    crewQuotesApi.addNotedPhoto,
    { params: { id: photo.visitId }, query: { id: photo.id }, body },
    { signal: AbortSignal.timeout(patienceMs), retries: 0, idempotencyKey: photo.id },
  )
}
