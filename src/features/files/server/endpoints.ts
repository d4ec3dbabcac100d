import { clock } from '../../../platform/clock.ts'
import { asBusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { isSignedFile } from '../../../platform/links.ts'
import { openObject } from '../../../platform/storage.ts'
import { notFound } from '../../../shared/errors.ts'
import { filesApi } from '../contract.ts'
import { addPiece } from './commands.ts'
import { smallPicture, textPicture } from './image/commands.ts'
import { countReceived, findFile } from './queries.ts'

/** A document that came with a message is a stranger's: it is saved under its name and opens nothing here. */
const isSaved = ({ kind, mime }: { kind: string; mime: string }): boolean =>
  kind === 'message' && !mime.startsWith('image/')
const savedAs = (name: string): string => `attachment; filename*=UTF-8''${encodeURIComponent(name)}`

export const filesEndpoints = serve(
  'files',
  filesApi,
)({
  received: ({ actor, query }) =>
    withTenant(actor, async (db) => ({ received: await countReceived(db, actor.userId, query.id) })),
  addPiece: ({ actor, query, body }) => addPiece(actor, query, body),
  get: async ({ params, query, reply }) => {
    const { businessId, fileId, expires, signature } = params
    if (!isSignedFile(businessId, fileId, expires, signature)) throw notFound('file')
    const file = await withTenant({ businessId: asBusinessId(businessId) }, (db) => findFile(db, fileId))
    const small = !file
      ? null
      : query.text
        ? await textPicture(businessId, file)
        : query.small
          ? await smallPicture(businessId, file)
          : null
    const bytes = small ?? (file ? await openObject(file.storageKey) : null)
    if (!file || !bytes) throw notFound('file')
    const seconds = Math.max(0, Math.floor(expires - clock.nowMs() / 1000))
    return reply
      .header('cache-control', `private, max-age=${seconds}, immutable`)
      .header('x-content-type-options', 'nosniff')
      .header('x-robots-tag', 'noindex, nofollow')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('content-disposition', isSaved(file) ? savedAs(file.name) : 'inline')
      .header('content-length', small ? small.byteLength : file.byteCount)
      .type(small ? 'image/jpeg' : file.mime)
      .send(bytes)
  },
})
