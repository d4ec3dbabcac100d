import { type FetchedMedium, type Medium, mostMediumBytes } from '../../platform/sms/text.ts'
import { readObject, storeObject } from '../../platform/storage.ts'

/** Keeps what a played phone sends, as a provider keeps it until it is fetched. @returns how it is called from then on */
export const keepMedium = async (businessId: string, bytes: Uint8Array): Promise<string> =>
  (await storeObject(businessId, bytes)).storageKey

/** Hands out what a played phone has sent to this business. */
export const fetchPlayedMedium = async (businessId: string, { ref }: Medium): Promise<FetchedMedium> => {
  if (!ref.startsWith(`${businessId}/`)) return { refused: 'the phone never sent it' }
  const bytes = await readObject(ref)
  if (!bytes) return { refused: 'the phone never sent it' }
  return bytes.byteLength > mostMediumBytes ? { refused: 'it is larger than 5 MB' } : { bytes }
}
