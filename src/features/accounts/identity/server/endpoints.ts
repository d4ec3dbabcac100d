import type { FastifyReply, FastifyRequest } from 'fastify'
import { config } from '../../../../platform/config.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { AppError } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { countRegistration } from '../../server/registration.ts'
import { authCookie, cookieNamed, deviceOf, saveSession } from '../../server/session-cookie.ts'
import { identityApi } from '../contract.ts'
import {
  awaySeconds,
  beginConnect,
  beginSignIn,
  type CameBack,
  comeBack,
  connectByLink,
  disconnect,
  finishSignIn,
  proveByMail,
  proveByPassword,
  type SignedIn,
} from './commands.ts'
import { makeHandoff } from './handoff.ts'
import { currentMode } from './provider.ts'
import { getSignInMethodsTx } from './queries.ts'
import { registerWithGoogle } from './registration.ts'

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Where the browser reaches us: the configured address; locally the one it used, as the port may be any. */
const originOf = (request: FastifyRequest): string =>
  !config.production && loopback.test(request.headers.host ?? '') ? `http://${request.headers.host}` : config.publicUrl

// One for each journey, so that two tabs do not take each other's.
const awayName = (state: string): string => cookieNamed(`swath_away_${state.replace(/[^\w-]/g, '').slice(0, 16)}`)
const handoffName = (): string => cookieNamed('swath_handoff')

const sendAway = (reply: FastifyReply, begun: { state: string; cookie: string }): void => {
  reply.setCookie(awayName(begun.state), begun.cookie, { ...authCookie(), maxAge: awaySeconds })
}

const landing = (reply: FastifyReply, back: CameBack): string => {
  if ('problem' in back) return `${paths.oauthSuccess}?problem=${back.problem}`
  if ('connected' in back) return `${paths.oauthSuccess}?connected=google`
  const { code, cookie, seconds } = makeHandoff(back.handoff)
  reply.setCookie(handoffName(), cookie, { ...authCookie(), maxAge: seconds })
  return `${paths.oauthSuccess}?code=${code}`
}

const welcome = (reply: FastifyReply, { session, next }: SignedIn) => {
  reply.clearCookie(handoffName(), authCookie())
  return { ...saveSession(reply, session), next }
}

export const identityEndpoints = serve(
  'identity',
  identityApi,
)({
  start: async ({ query, request, reply }) => {
    await countUse(`google:${request.ip}`, 60, 600)
    const begun = await beginSignIn(originOf(request), query)
    sendAway(reply, begun)
    return reply.redirect(begun.url, 302)
  },
  callback: async ({ query, request, reply }) => {
    const origin = originOf(request)
    const name = awayName(query.state ?? '')
    const back = await comeBack(origin, new URL(request.url, origin), request.cookies[name])
    reply.clearCookie(name, authCookie())
    return reply.redirect(landing(reply, back), 302)
  },
  finish: async ({ body, request, reply }) => {
    const outcome = await finishSignIn(body.code, request.cookies[handoffName()], deviceOf(request))
    return 'session' in outcome ? { kind: 'signedIn' as const, ...welcome(reply, outcome) } : outcome
  },
  proveByPassword: async ({ body, request, reply }) =>
    welcome(reply, await proveByPassword(body.code, request.cookies[handoffName()], body.password, deviceOf(request))),
  proveByMail: ({ body, request }) => proveByMail(body.code, request.cookies[handoffName()]),
  connectByLink: async ({ body, request, reply }) => welcome(reply, await connectByLink(body.token, deviceOf(request))),
  register: async ({ body, request, reply }) => {
    const cookie = request.cookies[handoffName()]
    const register = () => registerWithGoogle(body, cookie, deviceOf(request))
    return welcome(reply, await countRegistration(request.ip, null, register))
  },
  status: async ({ actor }) => {
    const { connected, hasPassword } = await withTenant(actor, (db) => getSignInMethodsTx(db, actor.userId))
    return { connected, hasPassword, available: currentMode().mode !== 'off' }
  },
  connect: async ({ actor, body, request, reply }) => {
    if (currentMode().mode === 'off')
      throw new AppError('unavailable', 'Google sign-in is not set up on this server yet.')
    const begun = await beginConnect(actor, originOf(request), body.password)
    sendAway(reply, begun)
    return { url: begun.url }
  },
  disconnect: async ({ actor }) => {
    await disconnect(actor)
    return { connected: false as const }
  },
})
