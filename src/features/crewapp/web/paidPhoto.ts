import { call } from '../../../shared/client.ts'
import type { PhotoBody } from '../../../shared/endpoint.ts'
import { expensesApi } from '../../expenses/contract.ts'
import type { QueuedPhoto } from './store.ts'

/** Sends the photo of a bill to the expense that was handed in with it. */
export const sendPaidPhoto = async (photo: QueuedPhoto, body: PhotoBody, patienceMs: number): Promise<void> => {
  await call(
    expensesApi.handInPhoto,
    { params: { id: photo.visitId }, query: { id: photo.id }, body },
    { signal: AbortSignal.timeout(patienceMs), retries: 0, idempotencyKey: photo.id },
  )
}
