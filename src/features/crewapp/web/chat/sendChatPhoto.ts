import { call } from '../../../../shared/client.ts'
import type { PhotoBody } from '../../../../shared/endpoint.ts'
import { chatApi } from '../../../chat/contract.ts'
import type { QueuedPhoto } from '../store.ts'
import { chatOf } from './kept.ts'

/** Sends a photo after the message that it belongs to. */
export const sendChatPhoto = async (photo: QueuedPhoto, body: PhotoBody, patienceMs: number): Promise<void> => {
  const said = await call(
    chatApi.addPhoto,
    { params: { messageId: photo.visitId }, query: { id: photo.id }, body },
    { signal: AbortSignal.timeout(patienceMs), retries: 0, idempotencyKey: photo.id },
  )
  await chatOf(photo.userId).put(said)
}
