import type { FastifyRequest } from 'fastify'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import type { SessionKind } from '../../../shared/roles.ts'
import { accountsApi } from '../contract.ts'
import { openSession, refreshSession, signIn, signOut } from './commands.ts'
import { useEmailLink } from './link-use.ts'
import { checkReset, forgotPassword, resetPassword, sendSignInLink } from './passwords.ts'
import { getSessionUser } from './queries.ts'
import { countRegistration, openAccount } from './registration.ts'
import { authCookie, deviceOf, hintCookie, saveSession, sessionCookie } from './session-cookie.ts'

const kindOf = (request: FastifyRequest): SessionKind =>
  request.headers['x-client-app'] === 'employee' ? 'employee' : 'admin'

export const accountsEndpoints = serve(
  'accounts',
  accountsApi,
)({
  login: async ({ body, request, reply }) => saveSession(reply, await signIn(body, deviceOf(request))),
  refresh: async ({ request, reply }) =>
    saveSession(reply, await refreshSession(request.cookies[sessionCookie(kindOf(request))], deviceOf(request))),
  register: async ({ body, request, reply }) => {
    const { businessId, userId } = await countRegistration(request.ip, body.email, () => openAccount(body))
    return saveSession(reply, await openSession(businessId, userId, deviceOf(request)))
  },
  forgotPassword: ({ body, request }) => forgotPassword(body.email, request.ip),
  checkReset: ({ params }) => checkReset(params.token),
  resetPassword: ({ params, body }) => resetPassword(params.token, body.password),
  sendSignInLink: ({ body, request }) => sendSignInLink(body.email, request.ip),
  useEmailLink: async ({ params, request, reply }) => {
    const { session, ...used } = await useEmailLink(params.token, deviceOf(request))
    return { ...used, session: session ? saveSession(reply, session) : null }
  },
  verify: async ({ actor }) => ({ user: await withTenant(actor, (db) => getSessionUser(db, actor.userId)) }),
  logout: async ({ request, reply }) => {
    const kind = kindOf(request)
    await signOut(request.cookies[sessionCookie(kind)])
    reply.clearCookie(sessionCookie(kind), authCookie())
    reply.clearCookie('swath_app', hintCookie())
    reply.clearCookie('swath_nav', hintCookie())
    return { signedOut: true }
  },
})
