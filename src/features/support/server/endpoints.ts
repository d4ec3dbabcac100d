import { withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { supportApi } from '../contract.ts'
import { endSupport, grantSupport, leaveSupport, makeSupportCode, openSupport } from './commands.ts'
import { getSupportAccess, getSupportView, listOpenGrants } from './queries.ts'

export const supportEndpoints = serve(
  'support',
  supportApi,
)({
  get: ({ actor }) => withTenant(actor, getSupportAccess),
  grant: ({ actor, body }) => grantSupport(actor, body),
  end: ({ actor, params }) => endSupport(actor, params.id),
  openGrants: async () => ({ items: await listOpenGrants() }),
  makeCode: ({ actor, params }) => makeSupportCode(actor.name, params.id),
  open: async ({ body, request }) => {
    await countUse(`support-open:${request.ip}`, 60, 600)
    return openSupport(body.code)
  },
  view: ({ actor }) =>
    withTenant(actor, (db) =>
      getSupportView(db, {
        id: actor.userId,
        until: actor.support?.until ?? '',
        permissions: actor.permissions,
      }),
    ),
  leave: async ({ actor }) => {
    await leaveSupport(actor)
    return { left: true as const }
  },
})
