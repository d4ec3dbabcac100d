import { serve } from '../../../platform/http/serve.ts'
import { ownerApi } from '../contract.ts'
import { proveOwner, signInOwner } from './commands.ts'
import {
  beginOwnerTwoFactor,
  confirmOwnerTwoFactor,
  disableOwnerTwoFactor,
  ownerTwoFactor,
  renewOwnerRecoveryCodes,
} from './two-factor.ts'

export const ownerEndpoints = serve(
  'owner',
  ownerApi,
)({
  login: ({ body, request }) => signInOwner(body, request.ip),
  session: async ({ actor }) => ({ name: actor.name }),
  twoFactor: ({ actor }) => ownerTwoFactor(actor.name),
  beginTwoFactor: async ({ actor, body }) => {
    await proveOwner(actor.name, body.password)
    return beginOwnerTwoFactor(actor.name)
  },
  confirmTwoFactor: async ({ actor, body }) => ({ recoveryCodes: await confirmOwnerTwoFactor(actor.name, body.code) }),
  renewRecoveryCodes: async ({ actor, body }) => ({
    recoveryCodes: await renewOwnerRecoveryCodes(actor.name, body.code),
  }),
  disableTwoFactor: async ({ actor, body }) => {
    await disableOwnerTwoFactor(actor.name, body.code)
    return ownerTwoFactor(actor.name)
  },
})
