import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { changePassword } from '../../server/passwords.ts'
import { meApi } from '../contract.ts'
import {
  askForEmail,
  cancelEmailChange,
  changeMe,
  endDevice,
  resendVerification,
  signOutEverywhere,
} from './commands.ts'
import { getMe, listDevices } from './queries.ts'

export const meEndpoints = serve(
  'me',
  meApi,
)({
  get: ({ actor }) => withTenant(actor, (db) => getMe(db, actor.userId)),
  update: ({ actor, body }) => changeMe(actor, body),
  changeEmail: ({ actor, body, once }) => askForEmail(actor, body, once),
  cancelEmailChange: ({ actor }) => cancelEmailChange(actor),
  resendVerification: ({ actor, once }) => resendVerification(actor, once),
  changePassword: ({ actor, body, once }) => changePassword(actor, body, once),
  devices: async ({ actor }) => ({ items: await withTenant(actor, (db) => listDevices(db, actor)) }),
  endDevice: async ({ actor, params }) => ({ items: await endDevice(actor, params.id) }),
  signOutEverywhere: ({ actor, body }) => signOutEverywhere(actor, body.exceptThisDevice),
})
