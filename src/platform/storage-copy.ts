import { join } from 'node:path'
import { bucketPlace } from './storage-bucket.ts'
import { diskPlace } from './storage-disk.ts'
import type { BucketSettings } from './storage-settings.ts'

const atOnce = 8
const toldAfter = 1_000

export type Copied = { copied: number; known: number; byteCount: number }

/**
 * Puts into a bucket what lies in a data folder and not there yet, by key and size; takes nothing away. Repeated or cut off, it goes on where it was.
 * @throws AppError unavailable when the bucket does not answer
 */
export const copyFilesToBucket = async (
  dataDir: string,
  settings: BucketSettings,
  tell: (so: Copied) => void = () => undefined,
): Promise<Copied> => {
  const [disk, bucket] = [diskPlace(join(dataDir, 'files')), bucketPlace(settings)]
  await bucket.check()
  const so: Copied = { copied: 0, known: 0, byteCount: 0 }
  const copyOne = async ({ key, byteCount }: { key: string; byteCount: number }): Promise<void> => {
    if ((await bucket.sizeOf(key)) === byteCount) so.known += 1
    else {
      const source = await disk.open(key)
      // taken away while we copied
      if (!source) return
      const growing = await bucket.grow(key)
      try {
        for await (const piece of source) await growing.write(piece as Uint8Array)
        await growing.finish()
      } catch (error) {
        await growing.abandon()
        throw error
      }
      so.copied += 1
      so.byteCount += byteCount
    }
    if ((so.copied + so.known) % toldAfter === 0) tell(so)
  }
  // several hands take from one list; one that meets trouble stops, the others end with what they meet
  const list = disk.list()[Symbol.asyncIterator]()
  const hand = async (): Promise<void> => {
    for (let next = await list.next(); !next.done; next = await list.next()) await copyOne(next.value)
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, hand))
  const trouble = ended.find((one) => one.status === 'rejected')
  if (trouble) throw trouble.reason
  return so
}
