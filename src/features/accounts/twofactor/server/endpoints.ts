import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { deviceOf, saveSession } from '../../server/session-cookie.ts'
import { twoFactorApi } from '../contract.ts'
import {
  beginTwoFactor,
  confirmTwoFactor,
  disableTwoFactor,
  renewRecoveryCodes,
  requireTwoFactor,
  takeSecondStep,
} from './commands.ts'
import { getTwoFactorState } from './queries.ts'

export const twoFactorEndpoints = serve(
  'twoFactor',
  twoFactorApi,
)({
  status: ({ actor }) => withTenant(actor, (db) => getTwoFactorState(db, actor.userId)),
  begin: ({ actor, body }) => beginTwoFactor(actor, body.password),
  confirm: async ({ actor, body }) => ({ recoveryCodes: await confirmTwoFactor(actor, body.code) }),
  renew: async ({ actor, body }) => ({ recoveryCodes: await renewRecoveryCodes(actor, body.code) }),
  disable: ({ actor, body }) => disableTwoFactor(actor, body),
  require: ({ actor, body }) => requireTwoFactor(actor, body.required),
  secondStep: async ({ body, request, reply }) =>
    saveSession(reply, await takeSecondStep(body.challenge, body.code, deviceOf(request))),
})
