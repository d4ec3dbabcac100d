import { call } from '../../../shared/client.ts'
import type { PhotoBody } from '../../../shared/endpoint.ts'
import { checksApi } from '../../equipment/checks/contract.ts'
import { crewappApi } from '../contract.ts'
import type { QueuedPhoto } from './store.ts'

/** Sends the photo of a check to its receipt, and that of a defect to what the truck check found. */
export const sendCheckPhoto = async (photo: QueuedPhoto, body: PhotoBody, patienceMs: number): Promise<void> => {
  const { id, visitId } = photo
  const how = { signal: AbortSignal.timeout(patienceMs), retries: 0, idempotencyKey: id }
  if (photo.kind === 'defect')
    await call(checksApi.addPhoto, { params: { defectId: visitId }, query: { id }, body }, how)
  else await call(crewappApi.addCheckPhoto, { params: { receiptId: visitId }, body }, how)
}
