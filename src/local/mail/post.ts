import type { FastifyInstance } from 'fastify'
import { providersApi } from '../../features/providers/contract.ts'
import { mailSecret } from '../../features/providers/server/policy.ts'
import { AppError } from '../../shared/errors.ts'

/** Hands a mail over as the mail server would. @returns whether anybody took it */
export const postMail = async (app: FastifyInstance, to: string, raw: string | Buffer): Promise<boolean> => {
  const answer = await app.inject({
    method: 'POST',
    url: `${providersApi.mail.path}?to=${encodeURIComponent(to)}`,
    headers: { authorization: `Bearer ${mailSecret() ?? ''}`, 'content-type': 'message/rfc822' },
    payload: raw,
  })
  if (answer.statusCode !== 200)
    throw new AppError('unavailable', 'The simulator could not hand the mail over. What you typed is still here.')
  return answer.json<{ received: boolean }>().received
}
