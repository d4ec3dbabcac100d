import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { calendarFeedsApi } from '../contract.ts'
import { addFeed, revokeFeed } from './commands.ts'
import { listFeeds, readFeed } from './queries.ts'

export const calendarFeedsEndpoints = serve(
  'calendarFeeds',
  calendarFeedsApi,
)({
  list: ({ actor }) => withTenant(actor, async (db) => ({ items: await listFeeds(db, actor) })),
  create: ({ actor, body }) => addFeed(actor, body),
  revoke: ({ actor, params }) => revokeFeed(actor, params.id),
  file: async ({ params, reply }) =>
    reply
      .header('cache-control', 'private, max-age=300')
      .header('x-robots-tag', 'noindex')
      .header('content-disposition', 'inline; filename="swath.ics"')
      .type('text/calendar; charset=utf-8')
      .send(await readFeed(params.token)),
})
