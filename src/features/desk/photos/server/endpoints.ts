import { clock } from '../../../../platform/clock.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { isSignedProspectFile } from '../../../../platform/links.ts'
import { openObject } from '../../../../platform/storage.ts'
import { notFound } from '../../../../shared/errors.ts'
import { smallPicture } from '../../../files/server/image/commands.ts'
import { deskPhotosApi } from '../contract.ts'
import { findCame, prospectsPlace } from './queries.ts'

export const deskPhotosEndpoints = serve(
  'deskPhotos',
  deskPhotosApi,
)({
  get: async ({ params, query, reply }) => {
    const { fileId, expires, signature } = params
    if (!isSignedProspectFile(fileId, expires, signature)) throw notFound('file')
    const file = await withProspects((db) => findCame(db, fileId))
    const small = file && query.small ? await smallPicture(prospectsPlace, file) : null
    const bytes = small ?? (file ? await openObject(file.storageKey) : null)
    if (!file || !bytes) throw notFound('file')
    const seconds = Math.max(0, Math.floor(expires - clock.nowMs() / 1000))
    return reply
      .header('cache-control', `private, max-age=${seconds}, immutable`)
      .header('x-content-type-options', 'nosniff')
      .header('x-robots-tag', 'noindex, nofollow')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header(
        'content-disposition',
        file.mime === 'image/jpeg' ? 'inline' : `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      )
      .header('content-length', small ? small.byteLength : file.byteCount)
      .type(small ? 'image/jpeg' : file.mime)
      .send(bytes)
  },
})
