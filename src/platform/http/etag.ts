import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * Gives every JSON answer to a read its ETag, and 304 without a body to who has it already. The answer is made all the same: what a person
 * may see is judged anew each time. Register before compression.
 */
export const addEtags = (app: FastifyInstance): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    if (!request.url.startsWith('/api/') || !/json/.test(String(reply.getHeader('content-type') ?? ''))) return payload
    const etag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`
    reply.header('etag', etag)
    // a proxy that compresses marks it as weak
    if (request.headers['if-none-match']?.replace(/^W\//, '') !== etag) return payload
    reply.code(304).removeHeader('content-type')
    return ''
  })
}
