import type { FastifyReply, FastifyRequest } from 'fastify'
import { config } from '../../../platform/config.ts'
import type { SessionKind } from '../../../shared/roles.ts'
import { refreshSeconds } from '../rules.ts'
import type { Device, OpenSession } from './commands.ts'

export const deviceOf = (request: FastifyRequest): Device => ({
  userAgent: request.headers['user-agent'] ?? '',
  ip: request.ip,
})

const prefix = (): string => (config.production ? '__Secure-' : '')

/** A cookie's name in this mode: browsers keep `__Secure-` ones from being set over plain http. */
export const cookieNamed = (name: string): string => `${prefix()}${name}`

export const sessionCookie = (kind: SessionKind): string => cookieNamed(`swath_${kind}`)

/** Only calls below /api/auth carry it, and no script can read it. */
export const authCookie = () =>
  ({ path: '/api/auth', httpOnly: true, secure: config.production, sameSite: 'lax' }) as const

/** What the server and the public pages may know without a call: which app to serve and which navigation to show. Nothing secret. */
export const hintCookie = () => ({ path: '/', httpOnly: false, secure: config.production, sameSite: 'lax' }) as const

/** Gives the browser its session: refresh token as a cookie, access token and person as the answer. */
export const saveSession = (reply: FastifyReply, session: OpenSession) => {
  reply.setCookie(sessionCookie(session.kind), session.refreshToken, { ...authCookie(), maxAge: refreshSeconds })
  reply.setCookie('swath_app', session.kind, { ...hintCookie(), maxAge: refreshSeconds })
  reply.setCookie('swath_nav', session.user.subscriptionTier ? 'tier' : 'notier', {
    ...hintCookie(),
    maxAge: refreshSeconds,
  })
  return { token: session.token, user: session.user }
}
