import { call } from '../../../shared/client.ts'
import type { PhotoBody } from '../../../shared/endpoint.ts'
import { filesApi } from '../../files/contract.ts'
import { pieceBytes } from '../../files/rules.ts'
import type { PhotoWay } from './outboxState.ts'

const patienceMs = 30_000

/**
 * What stands for a photo's bytes in the request that takes it: the bytes themselves, or, of a larger one, the id under which its pieces have got
 * there. After a break it goes on with the piece that was lost, also tomorrow.
 */
export const photoBody = async (id: string, blob: Blob, { onSent, beforePiece }: PhotoWay): Promise<PhotoBody> => {
  if (blob.size <= pieceBytes) return blob
  const signal = () => ({ signal: AbortSignal.timeout(patienceMs), retries: 0 })
  let { received } = await call(filesApi.received, { query: { id } }, signal())
  onSent(received)
  while (received < blob.size) {
    await beforePiece()
    const body = blob.slice(received, received + pieceBytes, 'application/octet-stream')
    received = (await call(filesApi.addPiece, { query: { id, from: received }, body }, signal())).received
    onSent(received)
  }
  return { upload: id }
}
