import type { Readable } from 'node:stream'

/** An object that is written as it grows, too large for the memory. Nobody sees it before it is finished. */
export type Growing = {
  /** Resolves when the next piece may come. */
  write: (piece: Uint8Array) => Promise<void>
  finish: () => Promise<void>
  /** Leaves nothing that anybody sees. */
  abandon: () => Promise<void>
}

/** Where objects lie: a folder of this machine, or a bucket that machines share. Keys are checked before they come here. */
export type FilePlace = {
  /** Null when there is none. */
  sizeOf: (key: string) => Promise<number | null>
  /** All or nothing, whenever the power goes. */
  put: (key: string, bytes: Uint8Array) => Promise<void>
  /** Null when there is none. */
  open: (key: string) => Promise<Readable | null>
  grow: (key: string) => Promise<Growing>
  /** Gone already is fine. */
  remove: (key: string) => Promise<void>
  /** Everything whose key begins with this folder. */
  removeFolder: (folder: string) => Promise<void>
  list: () => AsyncIterable<{ key: string; byteCount: number }>
  /** @throws when it cannot be used now */
  check: () => Promise<void>
}
