import { serve } from '../../../../platform/http/serve.ts'
import { documentsApi } from '../contract.ts'
import { addDocument, changeDocument, keepDocument, openDocument, readDocuments } from './commands.ts'

export const documentsEndpoints = serve(
  'documents',
  documentsApi,
)({
  list: ({ actor, params }) => readDocuments(actor, params.id),
  add: ({ actor, params, query, body }) => addDocument(actor, params.id, query, body),
  update: ({ actor, params, body }) => changeDocument(actor, params.id, body),
  remove: ({ actor, params, body }) => keepDocument(actor, params.id, body.version, false),
  restore: ({ actor, params, body }) => keepDocument(actor, params.id, body.version, true),
  file: async ({ actor, params, reply }) => {
    const { mime, name, bytes } = await openDocument(actor, params.id)
    return reply
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .type(mime)
      .send(bytes)
  },
})
