import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../shared/endpoint.ts'
import { AppError } from '../../shared/errors.ts'
import type { Actor } from '../actor.ts'
import { clock } from '../clock.ts'
import { withTenant } from '../db/tenant.ts'

const keyShape = /^[\x21-\x7e]{8,200}$/

const hashOf = (request: FastifyRequest): string =>
  createHash('sha256')
    .update(`${request.method} ${request.url.split('?')[0]}\n`)
    .update(Buffer.isBuffer(request.body) ? request.body : JSON.stringify(request.body ?? null))
    .digest('hex')

/**
 * Runs a handler once per `Idempotency-Key` (scope: person and endpoint). A repeat gets the stored answer; the same key with another body is
 * 409; a repeat while the first still runs is 409 too. A refusal is not stored, so it can be mended and sent again under the same key.
 * When the process died between the work and the stored answer, the key stays taken: the person is told to look, nothing is done twice.
 */
export const withIdempotency = async (
  endpoint: Endpoint,
  name: string,
  request: FastifyRequest,
  run: () => Promise<unknown>,
): Promise<unknown> => {
  const actor = request.caller as Actor | undefined
  const header = request.headers['idempotency-key']
  if (!endpoint.idempotent || actor?.kind !== 'user' || header === undefined) return run()
  if (typeof header !== 'string' || !keyShape.test(header))
    throw new AppError('bad_request', 'The Idempotency-Key must be 8 to 200 printable characters.')
  const id = { businessId: actor.businessId, actor: actor.userId, endpoint: name, key: header }
  const requestHash = hashOf(request)

  const taken = await withTenant(actor, async (db) => {
    const made = await db
      .insertInto('idempotencyKeys')
      .values({ ...id, requestHash, createdAt: clock.iso() })
      .onConflict((c) => c.columns(['businessId', 'actor', 'endpoint', 'key']).doNothing())
      .returning('key')
      .executeTakeFirst()
    if (made) return null
    return db
      .selectFrom('idempotencyKeys')
      .select(['requestHash', 'status', 'response'])
      .where('businessId', '=', id.businessId)
      .where('actor', '=', id.actor)
      .where('endpoint', '=', id.endpoint)
      .where('key', '=', id.key)
      .executeTakeFirstOrThrow()
  })
  if (taken) {
    if (taken.requestHash !== requestHash)
      throw new AppError(
        'idempotency_mismatch',
        'This was sent before with other contents. Reload the page and try again.',
      )
    if (taken.status === null)
      throw new AppError('idempotency_running', 'This is already being done. Look at the result before you try again.')
    return (taken.response as { body: unknown }).body
  }
  const row = (db: Parameters<Parameters<typeof withTenant>[1]>[0]) =>
    db
      .updateTable('idempotencyKeys')
      .where('businessId', '=', id.businessId)
      .where('actor', '=', id.actor)
      .where('endpoint', '=', id.endpoint)
      .where('key', '=', id.key)
  let body: unknown
  try {
    body = await run()
  } catch (error) {
    // 5xx may have happened after a commit: the key stays taken. A refusal changed nothing: it is free again.
    if (error instanceof AppError && error.status < 500) {
      await withTenant(actor, (db) =>
        db
          .deleteFrom('idempotencyKeys')
          .where('businessId', '=', id.businessId)
          .where('actor', '=', id.actor)
          .where('endpoint', '=', id.endpoint)
          .where('key', '=', id.key)
          .execute(),
      )
    }
    throw error
  }
  await withTenant(actor, (db) =>
    row(db)
      .set({ status: 200, response: JSON.stringify({ body: body ?? null }) })
      .execute(),
  )
  return body
}
