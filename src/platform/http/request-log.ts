import type { FastifyReply, FastifyRequest } from 'fastify'
import { log } from '../log.ts'

const callerName = (caller: FastifyRequest['caller']): string => {
  if (caller?.kind !== 'user') return caller?.kind ?? 'public'
  return caller.support ? 'support' : caller.tour ? 'tour' : 'user'
}

/** One line a request: the pattern of its route, never its address, which may hold ids, tokens and what somebody searched for. */
export const logRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const { caller, id, method, routeOptions } = request
  log.info(
    {
      requestId: id,
      business: caller?.kind === 'user' ? caller.businessId : undefined,
      caller: callerName(caller),
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  )
}
