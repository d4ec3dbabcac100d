import { type FastifyInstance, fastify } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { z } from 'zod'
import { readSession } from '../features/accounts/server/session-reader.ts'
import { createCustomer } from '../features/customers/server/commands.ts'
import { audit } from '../platform/audit.ts'
import { connectDatabase } from '../platform/db/database.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { answerError } from '../platform/http/errors.ts'
import { serve } from '../platform/http/serve.ts'
import { setSessionReader } from '../platform/http/session.ts'
import { newId } from '../platform/ids.ts'
import { endpoint } from '../shared/endpoint.ts'
import { AppError } from '../shared/errors.ts'

// A small server for what no endpoint of ours does at will: to fail, to wait or to die at a named moment of its work. Started by itself it is
// a process that a test may kill.

const shape = { body: z.object({ name: z.string() }), response: z.object({ id: z.string(), mark: z.string() }) }

export const probeApi = {
  whole: endpoint({ method: 'POST', path: '/api/probe/whole', access: 'office', idempotent: true, ...shape }),
  steps: endpoint({ method: 'POST', path: '/api/probe/steps', access: 'office', idempotent: 'steps', ...shape }),
}

/** The moments of one request, in order; `first` is before anything slow, `sent` after the commit and before the answer leaves. */
export const moments = ['first', 'begun', 'between', 'written', 'sent'] as const
export type Moment = (typeof moments)[number]

/** What happens at a moment named in the header `x-at-<moment>`. */
export type Happenings = Record<string, () => unknown>

export const happenings: Happenings = {
  die: () => process.kill(process.pid, 'SIGKILL'),
  break: () => {
    throw new TypeError('a fault of ours')
  },
  refuse: () => {
    throw new AppError('conflict', 'Not like this. Nothing was changed.')
  },
}

export const probeServer = async (extra: Happenings = {}): Promise<FastifyInstance> => {
  const known = { ...happenings, ...extra }
  setSessionReader(readSession)
  const app = fastify({ logger: false })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  app.decorateRequest('caller', undefined)
  const at = async (moment: Moment, headers: Record<string, unknown>): Promise<void> => {
    const name = headers[`x-at-${moment}`]
    if (typeof name !== 'string') return
    await known[name]?.()
    // a signal to oneself arrives a moment later
    if (name === 'die') await new Promise(() => undefined)
  }
  app.addHook('onSend', async (request) => at('sent', request.headers))
  await app.register(
    serve(
      'probe',
      probeApi,
    )({
      whole: async ({ actor, body, request: { headers } }) => {
        await at('begun', headers)
        const { id } = await createCustomer(actor, { name: body.name, allowDuplicate: false })
        await at('between', headers)
        await withTenant(actor, (db) => audit(db, actor, 'probe', { type: 'customer', id }))
        await at('written', headers)
        return { id, mark: newId() }
      },
      steps: async ({ actor, body, once, request: { headers } }) => {
        await at('first', headers)
        return once(async () => {
          await at('begun', headers)
          const { id } = await createCustomer(actor, { name: body.name, allowDuplicate: false })
          await at('between', headers)
          await withTenant(actor, (db) => sql`select 1`.execute(db))
          await at('written', headers)
          return { id, mark: newId() }
        })
      },
    }),
  )
  return app
}

if (import.meta.main) {
  connectDatabase({ url: process.argv[2] ?? '', max: 3 })
  console.log(await (await probeServer()).listen({ port: 0, host: '127.0.0.1' }))
}
