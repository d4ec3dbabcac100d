import { sql } from 'kysely'
import { hasPermission } from '../../../platform/actor.ts'
import { database } from '../../../platform/db/database.ts'
import { openStream } from '../../../platform/events/stream.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { isLeaving } from '../../../platform/leaving.ts'
import { log } from '../../../platform/log.ts'
import { withoutData } from '../../../shared/browserErrors.ts'
import { AppError } from '../../../shared/errors.ts'
import { screenAt } from '../../../shared/screens.ts'
import { systemApi } from '../contract.ts'
import { hearingOf } from './hearing.ts'
import { watchRights } from './queries.ts'
import { docsPage } from './templates.ts'

export const systemEndpoints = serve(
  'system',
  systemApi,
)({
  health: async () => ({ status: 'ok' }),
  apiHealth: async () => ({ status: 'ok' }),
  ready: async ({ reply }) => {
    if (isLeaving()) {
      reply.code(503)
      return { status: 'leaving' }
    }
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
  browserError: async ({ body, request }) => {
    await countUse(`client-errors:${request.ip}`, 60, 3600)
    const { message, stack, screen, app } = body
    log.warn(
      {
        browser: {
          app,
          screen: screenAt(screen)?.path ?? 'unknown',
          message: withoutData(message),
          stack: withoutData(stack),
        },
      },
      'an error in a browser',
    )
    return { status: 'ok' }
  },
  stream: async ({ actor, query, reply }) => {
    const office = actor.role !== 'Employee'
    const progress = office && hasPermission(actor, 'schedule')
    const hearing = office ? null : hearingOf(actor)
    const subscription = {
      progress,
      money: office && hasPermission(actor, 'payroll'),
      ...(hearing ? { hears: hearing.hears } : {}),
    }
    await hearing?.renew()
    const hasRights = await watchRights(actor)
    const mayListen = async () => {
      const may = await hasRights()
      if (may) await hearing?.renewIfUnknown()
      return may
    }
    await openStream(actor.businessId, { subscription, mayListen, sinceMs: query.sinceMs }, reply)
    // once more: what changed before this screen was listened for was said to nobody
    await hearing?.renew()
    return ''
  },
})
