import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hmacToken, isHmacToken } from '../platform/keys.ts'
import { storeWebhook } from '../platform/webhooks.ts'
import { AppError } from '../shared/errors.ts'

/** Signature of a webhook of a played phone over its raw body. */
export const signLocalSms = (rawBody: string): string => hmacToken('webhook-local', `sms:${rawBody}`)

/** Keeps what a played phone posted. @throws AppError forbidden when the signature does not fit */
export const takeLocalWebhook = async (provider: string, request: FastifyRequest): Promise<{ received: true }> => {
  const raw = String(request.body ?? '')
  if (!isHmacToken('webhook-local', `sms:${raw}`, String(request.headers['x-swath-signature'] ?? '')))
    throw new AppError('forbidden', 'The signature does not fit.')
  const payload = JSON.parse(raw) as { id: string; kind: string }
  await storeWebhook({ provider, account: '', eventId: payload.id, type: payload.kind, payload })
  return { received: true }
}

/** Posts to a webhook of this server, as a provider would. */
const postLocally = async (
  app: FastifyInstance,
  url: string,
  headers: Record<string, string>,
  payload: string,
): Promise<void> => {
  const answer = await app.inject({ method: 'POST', url, headers, payload })
  if (answer.statusCode !== 200) throw new AppError('unavailable', 'The simulator could not post its webhook.')
}

/** Posts what a played phone does, signed. */
export const postSigned = (app: FastifyInstance, url: string, update: object): Promise<void> => {
  const raw = JSON.stringify(update)
  return postLocally(app, url, { 'x-swath-signature': signLocalSms(raw), 'content-type': 'application/json' }, raw)
}
