import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

/** Six digits of the app, or a recovery code. */
const Code = z.string().trim().min(6, 'Enter the six digits').max(20)
const Recovery = z.object({ recoveryCodes: z.array(z.string()) })
export const TwoFactor = z.object({ enabled: z.boolean(), recoveryCodesLeft: z.number().int() })
export type TwoFactor = z.output<typeof TwoFactor>

export const ownerApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/owner/login',
    access: 'public',
    body: z.object({
      username: z.string().trim().min(1).max(80),
      password: z.string().min(1).max(128),
      code: Code.optional(),
    }),
    response: z.object({ token: z.string(), name: z.string(), expiresInSeconds: z.number().int() }),
    summary: 'The product owner signs in; the token is theirs alone and lasts 8 hours',
  }),
  session: endpoint({
    method: 'GET',
    path: '/api/owner/session',
    access: 'productOwner',
    response: z.object({ name: z.string() }),
    summary: 'Whether this is a session of the product owner',
  }),
  twoFactor: endpoint({
    method: 'GET',
    path: '/api/owner/two-factor',
    access: 'productOwner',
    response: TwoFactor,
    summary: 'Whether the second step is on',
  }),
  beginTwoFactor: endpoint({
    method: 'POST',
    path: '/api/owner/two-factor/begin',
    access: 'productOwner',
    body: z.object({ password: z.string().min(1, 'Enter your password').max(128) }),
    response: z.object({ key: z.string(), uri: z.string() }),
    summary: 'A new key for an authenticator app',
  }),
  confirmTwoFactor: endpoint({
    method: 'POST',
    path: '/api/owner/two-factor/confirm',
    access: 'productOwner',
    body: z.object({ code: Code }),
    response: Recovery,
    summary: 'Switch the second step on by a code; the recovery codes are shown this once',
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/owner/two-factor/recovery-codes',
    access: 'productOwner',
    body: z.object({ code: Code }),
    response: Recovery,
    summary: 'Ten new recovery codes; the old ones end',
  }),
  disableTwoFactor: endpoint({
    method: 'POST',
    path: '/api/owner/two-factor/disable',
    access: 'productOwner',
    body: z.object({ code: Code }),
    response: TwoFactor,
    summary: 'Switch the second step off, by a code',
  }),
}
