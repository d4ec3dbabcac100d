import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyPluginAsync } from 'fastify'
import { ConfigError } from '../config.ts'
import { mapFilePath } from '../geo/map-settings.ts'
import { answerError } from './errors.ts'

const headerBytes = 127
const typeAt = 99
const vectorTiles = 1

/**
 * Looks at the head of an archive of map tiles.
 * @throws ConfigError when it is not there, or no PMTiles archive (version 3) of vector tiles
 */
const assertArchive = async (file: string): Promise<void> => {
  const refused = (why: string) => new ConfigError(`Swath cannot start: SWATH_MAP_PMTILES ${why} (it is "${file}").`)
  const unreadable = () => refused('must be a file that this server may read')
  const handle = await open(file).catch(() => {
    throw unreadable()
  })
  try {
    const head = Buffer.alloc(headerBytes)
    // a folder opens too, and fails only here
    await handle.read(head, 0, headerBytes, 0).catch(() => {
      throw unreadable()
    })
    if (head.toString('latin1', 0, 7) !== 'PMTiles' || head[7] !== 3 || head[typeAt] !== vectorTiles)
      throw refused('must be a PMTiles archive (version 3) of vector tiles')
  } finally {
    await handle.close()
  }
}

/** Serves one archive of map tiles in the byte ranges that a browser asks for; nothing else of its folder. */
export const mapFilePlugin: FastifyPluginAsync<{ file: string }> = async (app, { file }) => {
  await assertArchive(file)
  // a cut that is smaller than the one before: the browser then begins again with its head
  app.setErrorHandler((error: FastifyError, request, reply) =>
    error.statusCode === 416 ? reply.code(416).send() : answerError(error, request, reply),
  )
  // a browser's reader of archives takes no weak mark for one, and sends back what it was given
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    const mark = headers['if-range']
    if (typeof mark === 'string' && mark.startsWith('"')) headers['if-range'] = `W/${mark}`
  })
  app.addHook('onSend', async (_request, reply) => {
    const mark = reply.getHeader('etag')
    if (typeof mark === 'string') reply.header('etag', mark.replace(/^W\//, ''))
  })
  const path = mapFilePath(file)
  await app.register(fastifyStatic, {
    root: dirname(file),
    prefix: path.slice(0, path.lastIndexOf('/') + 1),
    allowedPath: (asked) => asked === `/${basename(file)}`,
    index: false,
    // the file is replaced by a newer cut under the same name: what differs from its mark is read again
    maxAge: 3_600_000,
    decorateReply: false,
    schemaHide: true,
  })
}
