import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { OpenedSession, Registration } from '../contract.ts'

const Code = z.string().min(20).max(100)
const SignedIn = OpenedSession.extend({
  /** The remembered path, else null: the start of the role. */
  next: z.string().nullable(),
})

/** What comes of a sign-in with Google, once the browser is back. */
const Finish = z.discriminatedUnion('kind', [
  SignedIn.extend({ kind: z.literal('signedIn') }),
  z.object({ kind: z.literal('prove'), email: z.string(), hasPassword: z.boolean() }),
  z.object({ kind: z.literal('register'), email: z.string(), name: z.string() }),
])
export type Finish = z.output<typeof Finish>

export const identityApi = {
  start: endpoint({
    method: 'GET',
    path: '/api/auth/google',
    access: 'public',
    query: z.object({ next: z.string().max(1000).optional(), invite: z.string().max(100).optional() }),
    response: z.any(),
    summary: 'Leads the browser to the identity provider; remembers where to come back to',
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/auth/google/callback',
    access: 'public',
    query: z.looseObject({ state: z.string().max(200).optional() }),
    response: z.any(),
    summary: 'Where the identity provider sends the browser back',
  }),
  finish: endpoint({
    method: 'POST',
    path: '/api/auth/google/finish',
    access: 'public',
    body: z.object({ code: Code }),
    response: Finish,
    summary: 'Trade the one-time code of /oauth-success for a session, or hear what is still needed',
  }),
  proveByPassword: endpoint({
    method: 'POST',
    path: '/api/auth/google/prove',
    access: 'public',
    body: z.object({ code: Code, password: z.string().min(1).max(128) }),
    response: SignedIn,
    summary: 'Connect Google to the account of this e-mail by its password',
  }),
  proveByMail: endpoint({
    method: 'POST',
    path: '/api/auth/google/prove/mail',
    access: 'public',
    body: z.object({ code: Code }),
    response: z.object({ sentTo: z.string() }),
    summary: 'Mail a link that connects Google to the account of this e-mail',
  }),
  connectByLink: endpoint({
    method: 'POST',
    path: '/api/auth/google/connect-link',
    access: 'public',
    body: z.object({ token: z.string().min(20).max(2000) }),
    response: SignedIn,
    summary: 'Connect Google by the mailed link; works once',
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/auth/google/register',
    access: 'public',
    body: Registration.omit({ email: true, password: true }).extend({
      code: Code,
      businessName: z.string().trim().min(1, 'Enter the name of your business').max(120),
    }),
    response: SignedIn,
    summary: 'Open an account with a business of its own, signed in with Google',
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/auth/google/status',
    access: 'member',
    response: z.object({ connected: z.boolean(), hasPassword: z.boolean(), available: z.boolean() }),
    summary: 'Whether the signed-in person can use Google',
  }),
  connect: endpoint({
    method: 'POST',
    path: '/api/auth/google/connect',
    access: 'member',
    body: z.object({ password: z.string().min(1).max(128) }),
    response: z.object({ url: z.string() }),
    summary: 'Begin to connect Google to the signed-in person; the password proves who asks',
  }),
  disconnect: endpoint({
    method: 'POST',
    path: '/api/auth/google/disconnect',
    access: 'member',
    response: z.object({ connected: z.literal(false) }),
    summary: 'Forget the Google sign-in; refused when there is no password',
  }),
}
