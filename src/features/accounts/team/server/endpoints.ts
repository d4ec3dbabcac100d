import type { FastifyReply, FastifyRequest } from 'fastify'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { authCookie, cookieNamed, deviceOf, saveSession } from '../../server/session-cookie.ts'
import { teamApi } from '../contract.ts'
import { acceptInvite, cancelInvite, invitePerson, resetPin, signInByPin } from './commands.ts'
import { parseDevice } from './devices.ts'
import { getInvite } from './queries.ts'

// Browsers cap a cookie's life at 400 days; each sign-in begins it anew.
const deviceSeconds = 400 * 24 * 3600
const deviceName = (): string => cookieNamed('swath_device')
const deviceKeyOf = (request: FastifyRequest) => parseDevice(request.cookies[deviceName()])
const saveDevice = (reply: FastifyReply, cookie: string | undefined | null): void => {
  if (cookie) reply.setCookie(deviceName(), cookie, { ...authCookie(), maxAge: deviceSeconds })
}

export const teamEndpoints = serve(
  'team',
  teamApi,
)({
  invite: ({ actor, params, body }) => invitePerson(actor, params.id, body.channel),
  cancelInvite: ({ actor, params }) => cancelInvite(actor, params.id),
  resetPin: ({ actor, params }) => resetPin(actor, params.id),
  showInvite: ({ params }) => getInvite(params.token),
  acceptInvite: async ({ params, body, request, reply }) => {
    await countUse(`invite:${request.ip}`, 60, 600)
    const taken = await acceptInvite(params.token, body, deviceOf(request), deviceKeyOf(request))
    saveDevice(reply, taken.deviceCookie)
    return saveSession(reply, taken.session)
  },
  pinSignIn: async ({ body, request, reply }) => {
    const session = await signInByPin(body, deviceOf(request), deviceKeyOf(request))
    saveDevice(reply, request.cookies[deviceName()])
    return saveSession(reply, session)
  },
})
