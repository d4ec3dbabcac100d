import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { calendarEventsApi } from '../contract.ts'
import { addEvent, changeEvent, removeEvent, restoreEvent } from './commands.ts'
import { getEvent } from './queries.ts'

export const calendarEventsEndpoints = serve(
  'calendarEvents',
  calendarEventsApi,
)({
  get: ({ actor, params }) => withTenant(actor, (db) => getEvent(db, actor, params.id)),
  create: ({ actor, body }) => addEvent(actor, body),
  update: ({ actor, params, body }) => changeEvent(actor, params.id, body),
  remove: ({ actor, params, body }) => removeEvent(actor, params.id, body.version),
  restore: ({ actor, params, body }) => restoreEvent(actor, params.id, body.version),
})
