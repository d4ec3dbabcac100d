import { call } from '../../../shared/client.ts'
import { doorApi } from '../../payments/door/contract.ts'
import type { QueuedPhoto } from './store.ts'

/** Sends the photo of a check to its receipt. */
export const sendCheckPhoto = async (photo: QueuedPhoto, blob: Blob, patienceMs: number): Promise<void> => {
  await call(
    doorApi.addCheckPhoto,
    { params: { receiptId: photo.visitId }, body: blob },
    { signal: AbortSignal.timeout(patienceMs), retries: 0, idempotencyKey: photo.id },
  )
}
