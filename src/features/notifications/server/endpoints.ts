import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { notificationsApi } from '../contract.ts'
import { markRead } from './commands.ts'
import { getNavCounts, listNotifications } from './queries.ts'

export const notificationsEndpoints = serve(
  'notifications',
  notificationsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listNotifications(db, actor.userId, query)),
  markRead: ({ actor, body }) =>
    markRead(actor, body.notificationIds === undefined ? undefined : [body.notificationIds].flat()),
  navCounts: ({ actor }) => withTenant(actor, getNavCounts),
})
