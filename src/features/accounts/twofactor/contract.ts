import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { OpenedSession } from '../contract.ts'

/** Six digits of the app, or a recovery code. */
const Code = z.string().trim().min(6, 'Enter the six digits').max(20)
/** Not asked of who signs in with Google only. */
const Password = z.string().max(128).default('')

export const TwoFactorState = z.object({
  enabled: z.boolean(),
  recoveryCodesLeft: z.number().int(),
  hasPassword: z.boolean(),
  /** The business asks it of everybody in the office. */
  required: z.boolean(),
})
export type TwoFactorState = z.output<typeof TwoFactorState>

const Recovery = z.object({ recoveryCodes: z.array(z.string()) })

export const twoFactorApi = {
  status: endpoint({
    method: 'GET',
    path: '/api/auth/two-factor',
    access: 'office',
    beforeSecondFactor: true,
    response: TwoFactorState,
    summary: 'Whether the second step is on',
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/auth/two-factor/begin',
    access: 'office',
    beforeSecondFactor: true,
    body: z.object({ password: Password }),
    response: z.object({ key: z.string(), uri: z.string() }),
    summary: 'A new key for an authenticator app; nothing changes until a code of it was entered',
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/auth/two-factor/confirm',
    access: 'office',
    beforeSecondFactor: true,
    body: z.object({ code: Code }),
    response: Recovery,
    summary: 'Switch the second step on by a code; the recovery codes are shown this once',
  }),
  renew: endpoint({
    method: 'POST',
    path: '/api/auth/two-factor/recovery-codes',
    access: 'office',
    body: z.object({ code: Code }),
    response: Recovery,
    summary: 'Ten new recovery codes; the old ones end',
  }),
  disable: endpoint({
    method: 'POST',
    path: '/api/auth/two-factor/disable',
    access: 'office',
    body: z.object({ password: Password, code: Code }),
    response: TwoFactorState,
    summary: 'Switch the second step off, by password and code',
  }),
  require: endpoint({
    method: 'PUT',
    path: '/api/auth/two-factor/requirement',
    access: 'owner',
    body: z.object({ required: z.boolean() }),
    response: TwoFactorState,
    summary: 'Ask the second step of everybody in the office, or not',
  }),
  secondStep: endpoint({
    method: 'POST',
    path: '/api/auth/second-step',
    access: 'public',
    body: z.object({ challenge: z.string().min(20).max(1000), code: Code }),
    response: OpenedSession,
    summary: 'The second step of a sign-in: the challenge of the first and a code',
  }),
}
