import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { finished } from 'node:stream/promises'
import type { FilePlace } from './storage-place.ts'

const unlessGone = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

/** Objects as files of a folder. */
export const diskPlace = (root: string): FilePlace => {
  const pathOf = (key: string): string => {
    const path = resolve(root, key)
    if (!path.startsWith(root + sep)) throw new Error('Not a storage key.')
    return path
  }
  const sizeOf = async (key: string): Promise<number | null> => {
    const found = await stat(pathOf(key)).catch(unlessGone)
    return found?.isFile() ? found.size : null
  }
  return {
    sizeOf,
    put: async (key, bytes) => {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.${randomBytes(6).toString('hex')}`
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    },
    open: async (key) => ((await sizeOf(key)) === null ? null : createReadStream(pathOf(key))),
    grow: async (key) => {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.draft`
      const stream = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
      // told by the write that it befalls
      stream.on('error', () => undefined)
      return {
        write: (piece) =>
          new Promise((done, fail) => {
            stream.write(piece, (error) => (error ? fail(error) : done()))
          }),
        finish: async () => {
          stream.end()
          await finished(stream)
          await rename(draft, path)
        },
        abandon: async () => {
          stream.destroy()
          await rm(draft, { force: true })
        },
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    removeFolder: (folder) => rm(pathOf(folder), { recursive: true, force: true }),
    list: async function* () {
      const walk = async function* (folder: string): AsyncGenerator<string> {
        for (const entry of (await readdir(join(root, folder), { withFileTypes: true }).catch(unlessGone)) ?? []) {
          const key = folder ? `${folder}/${entry.name}` : entry.name
          if (entry.isDirectory()) yield* walk(key)
          // a draft has a dot
          else if (entry.isFile() && !entry.name.includes('.')) yield key
        }
      }
      for await (const key of walk('')) {
        const byteCount = await sizeOf(key)
        if (byteCount !== null) yield { key, byteCount }
      }
    },
    check: async () => undefined,
  }
}
