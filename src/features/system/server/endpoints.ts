import { sql } from 'kysely'
import { hasPermission } from '../../../platform/actor.ts'
import { database } from '../../../platform/db/database.ts'
import { openStream } from '../../../platform/events/stream.ts'
import { serve } from '../../../platform/http/serve.ts'
import { AppError } from '../../../shared/errors.ts'
import { systemApi } from '../contract.ts'
import { watchRights } from './queries.ts'
import { docsPage } from './templates.ts'

export const systemEndpoints = serve(
  'system',
  systemApi,
)({
  health: async () => ({ status: 'ok' }),
  apiHealth: async () => ({ status: 'ok' }),
  ready: async () => {
    await sql`select 1`.execute(database()).catch((cause) => {
      throw new AppError('unavailable', 'The database does not answer yet.', { cause })
    })
    return { status: 'ready' }
  },
  openApi: async ({ request }) => request.server.swagger() as never,
  docs: async ({ request, reply }) => {
    reply.type('text/html; charset=utf-8').serializer((text: unknown) => String(text))
    return docsPage(request.server.swagger() as never)
  },
  stream: async ({ actor, reply }) => {
    const office = actor.role !== 'Employee'
    const progress = office && hasPermission(actor, 'schedule')
    const hears = { progress, money: office && hasPermission(actor, 'payroll') }
    await openStream(actor.businessId, { hears, mayListen: await watchRights(actor) }, reply)
    return ''
  },
})
