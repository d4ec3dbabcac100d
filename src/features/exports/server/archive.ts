import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { clock } from '../../../platform/clock.ts'
import { newStored, type StoredObject } from '../../../platform/storage.ts'
import { mostArchiveBytes, mostArchiveFiles } from '../rules.ts'

/** Archives that are written as they grow: never more than a piece of them is in memory. */
export class Archives {
  readonly #businessId: string
  readonly done: StoredObject[] = []
  #open: Awaited<ReturnType<typeof openArchive>> | null = null
  #files = 0

  constructor(businessId: string) {
    this.#businessId = businessId
  }

  async #current() {
    const full = this.#open && (this.#open.bytes() > mostArchiveBytes || this.#files >= mostArchiveFiles)
    if (full) await this.#end()
    if (!this.#open) {
      this.#open = await openArchive(this.#businessId)
      this.#files = 0
    }
    return this.#open
  }

  /** Adds a file piece by piece. @param packed photos are: packing them again only takes time */
  async add(name: string, pieces: AsyncIterable<Uint8Array | string> | Readable, packed = false): Promise<void> {
    const archive = await this.#current()
    this.#files += 1
    await archive.add(name, pieces, packed)
  }

  async #end(): Promise<void> {
    if (this.#open) this.done.push(await this.#open.end())
    this.#open = null
  }

  /** The archives, finished. */
  async finish(): Promise<StoredObject[]> {
    await this.#end()
    return this.done
  }

  /** Leaves nothing of what was begun. */
  async abandon(): Promise<void> {
    await this.#open?.abandon()
    this.#open = null
  }
}

const openArchive = async (businessId: string) => {
  const stored = await newStored(businessId)
  const hash = createHash('sha256')
  let bytes = 0
  let failed: Error | null = null
  let flow = Promise.resolve()
  const zip = new Zip((error, piece) => {
    if (error) failed = error
    else if (piece.length > 0) {
      bytes += piece.length
      hash.update(piece)
      flow = flow.then(() => stored.write(piece))
      // told where the next piece waits for it
      flow.catch(() => undefined)
    }
  })
  // The format keeps the time of day without a zone; ours is UTC, whatever the machine says.
  const now = clock.now()
  const mtime = new Date(now.getTime() + now.getTimezoneOffset() * 60_000)
  const settle = async () => {
    await flow
    if (failed) throw failed
  }
  return {
    bytes: () => bytes,
    add: async (name: string, pieces: AsyncIterable<Uint8Array | string>, packed: boolean) => {
      const file = packed ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
      file.mtime = mtime
      zip.add(file)
      for await (const piece of pieces) {
        file.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
        await settle()
        // other requests are served between two pieces
        await new Promise(setImmediate)
      }
      file.push(new Uint8Array(0), true)
      await settle()
    },
    end: async (): Promise<StoredObject> => {
      zip.end()
      await settle()
      await stored.finish()
      return { storageKey: stored.storageKey, sha256: hash.digest('hex'), byteCount: bytes }
    },
    abandon: stored.abandon,
  }
}
