import type { FastifyReply, FastifyRequest } from 'fastify'
import { config } from '../../../platform/config.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import type { SessionKind } from '../../../shared/roles.ts'
import { accountsApi } from '../contract.ts'
import { refreshSeconds } from '../rules.ts'
import { type Device, type OpenSession, openSession, refreshSession, signIn, signOut } from './commands.ts'
import { useEmailLink } from './link-use.ts'
import { checkReset, forgotPassword, resetPassword, sendSignInLink } from './passwords.ts'
import { getSessionUser } from './queries.ts'
import { openAccount } from './registration.ts'

const deviceOf = (request: FastifyRequest): Device => ({
  userAgent: request.headers['user-agent'] ?? '',
  ip: request.ip,
})

const kindOf = (request: FastifyRequest): SessionKind =>
  request.headers['x-client-app'] === 'employee' ? 'employee' : 'admin'

const cookieName = (kind: SessionKind): string => `${config.production ? '__Secure-' : ''}swath_${kind}`

const options = { path: '/api/auth', httpOnly: true, secure: config.production, sameSite: 'lax' } as const
// What the server and the public pages may know without a call: which app to serve and which navigation to show. Nothing secret.
const hint = { path: '/', httpOnly: false, secure: config.production, sameSite: 'lax' } as const

const keep = (reply: FastifyReply, session: OpenSession) => {
  reply.setCookie(cookieName(session.kind), session.refreshToken, { ...options, maxAge: refreshSeconds })
  reply.setCookie('swath_app', session.kind, { ...hint, maxAge: refreshSeconds })
  reply.setCookie('swath_nav', session.user.subscriptionTier ? 'tier' : 'notier', { ...hint, maxAge: refreshSeconds })
  return { token: session.token, user: session.user }
}

export const accountsEndpoints = serve(
  'accounts',
  accountsApi,
)({
  login: async ({ body, request, reply }) => keep(reply, await signIn(body, deviceOf(request))),
  refresh: async ({ request, reply }) =>
    keep(reply, await refreshSession(request.cookies[cookieName(kindOf(request))], deviceOf(request))),
  register: async ({ body, request, reply }) => {
    await countUse(`register:${request.ip}`, 20, 3600)
    const { businessId, userId } = await openAccount(body)
    return keep(reply, await openSession(businessId, userId, deviceOf(request)))
  },
  forgotPassword: ({ body, request }) => forgotPassword(body.email, request.ip),
  checkReset: ({ params }) => checkReset(params.token),
  resetPassword: ({ params, body }) => resetPassword(params.token, body.password),
  sendSignInLink: ({ body, request }) => sendSignInLink(body.email, request.ip),
  useEmailLink: async ({ params, request, reply }) => {
    const { session, ...used } = await useEmailLink(params.token, deviceOf(request))
    return { ...used, session: session ? keep(reply, session) : null }
  },
  verify: async ({ actor }) => ({ user: await withTenant(actor, (db) => getSessionUser(db, actor.userId)) }),
  logout: async ({ request, reply }) => {
    const kind = kindOf(request)
    await signOut(request.cookies[cookieName(kind)])
    reply.clearCookie(cookieName(kind), options)
    reply.clearCookie('swath_app', hint)
    reply.clearCookie('swath_nav', hint)
    return { signedOut: true }
  },
})
