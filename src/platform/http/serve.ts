import type {} from '@fastify/cookie'
import type {} from '@fastify/swagger'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ResponseSerializationError, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { safeEncode, type z } from 'zod'
import type { BodyOf, ContractTable, Endpoint, ParamsOf, QueryOf, ReplyOf } from '../../shared/endpoint.ts'
import type { Actor, ProductOwner } from '../actor.ts'
import { authorize } from './access.ts'
import { type Run, Sent, withIdempotency } from './idempotency.ts'
import { withoutLinks } from './support.ts'
import { withoutTokens } from './tour.ts'

type Named<A> = A extends readonly (infer K)[] ? K : A
type Somebody<A> = A extends 'member' | 'office' | 'owner' | 'support' | 'tour'
  ? Actor
  : A extends 'productOwner'
    ? ProductOwner
    : undefined
type ActorOf<E extends Endpoint> = Somebody<Named<E['access']>>

/** What a handler gets: everything checked against the contract, and who asks. */
export type Call<E extends Endpoint> = {
  actor: ActorOf<E>
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  request: FastifyRequest
  reply: FastifyReply
} & (E['idempotent'] extends 'steps' ? Run : unknown)

export type Handlers<A extends ContractTable> = { [K in keyof A]: (call: Call<A[K]>) => Promise<ReplyOf<A[K]>> }

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/**
 * Binds the handlers of a feature to its contract: `serve('invoices', invoicesApi)({ list: ({ actor, query }) => ... })`.
 * A missing or extra handler and a wrong reply shape do not compile; what a reply has beyond its schema is stripped.
 */
export const serve =
  <const A extends ContractTable>(feature: string, api: A) =>
  (handlers: NoInfer<Handlers<A>>): FastifyPluginAsync & { contract: A; feature: string } => {
    const plugin: FastifyPluginAsync = async (app: FastifyInstance) => {
      const entries = Object.entries(api) as [string, Endpoint][]
      const mount = (scope: FastifyInstance, hooks: boolean) => {
        for (const [name, definition] of entries) {
          if ((definition.access === 'webhook') === hooks)
            route(scope, feature, name, definition, handlers[name] as never)
        }
      }
      mount(app, false)
      if (!entries.some(([, definition]) => definition.access === 'webhook')) return
      // A signature is over the bytes as they came: inside this scope a body is never parsed.
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
        mount(scope, true)
      })
    }
    return Object.assign(plugin, { contract: api, feature })
  }

const route = (
  app: FastifyInstance,
  feature: string,
  name: string,
  definition: Endpoint,
  handler: (call: Call<Endpoint>) => Promise<unknown>,
): void => {
  const toJson = (answer: unknown): string => {
    const { data, error } = safeEncode(definition.response, answer)
    if (error) throw new ResponseSerializationError(definition.method, definition.path, { cause: error })
    return JSON.stringify(data ?? null)
  }
  app.withTypeProvider<ZodTypeProvider>().route({
    method: definition.method,
    url: definition.path,
    config: { endpoint: definition },
    ...(definition.bodyLimitBytes ? { bodyLimit: definition.bodyLimitBytes } : {}),
    schema: {
      operationId: `${feature}.${name}`,
      tags: [feature],
      ...(definition.summary ? { summary: definition.summary } : {}),
      ...(definition.access === 'public' || definition.access === 'webhook' ? {} : { security: [{ bearer: [] }] }),
      ...(definition.params ? { params: definition.params } : {}),
      ...(definition.query ? { querystring: definition.query } : {}),
      ...(definition.body && definition.access !== 'webhook' ? { body: definition.body } : {}),
      response: { 200: definition.response as z.ZodType },
    } as never,
    // Who may call is settled before the body is judged: a stranger learns nothing about shapes.
    preValidation: async (request) => {
      request.caller = await authorize(definition, request)
    },
    handler: async (request, reply) => {
      const call = {
        actor: request.caller as never,
        params: request.params as never,
        query: request.query as never,
        body: request.body as never,
        request,
        reply,
      }
      const answer = await withIdempotency(definition, `${feature}.${name}`, request, toJson, (own) =>
        handler({ ...call, ...own }),
      )
      const send = (json: string) => reply.type('application/json; charset=utf-8').send(json)
      if (answer instanceof Sent) return send(answer.json)
      if (request.caller?.kind !== 'user') return answer
      if (request.caller.tour) return send(withoutTokens(toJson(answer)))
      return request.caller.support ? send(withoutLinks(toJson(answer))) : answer
    },
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Actor | ProductOwner | undefined
  }
}
