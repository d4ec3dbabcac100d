import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

const Alive = z.object({ status: z.literal('ok') })

export const systemApi = {
  health: endpoint({
    method: 'GET',
    path: '/health',
    access: 'public',
    response: Alive,
    summary: 'The process answers',
  }),
  apiHealth: endpoint({
    method: 'GET',
    path: '/api/health',
    access: 'public',
    response: Alive,
    summary: 'The process answers; the browser asks this to know whether it is connected',
  }),
  ready: endpoint({
    method: 'GET',
    path: '/ready',
    access: 'public',
    response: z.object({ status: z.enum(['ready', 'leaving']) }),
    summary: 'The database answers; 503 for a server that is about to end',
  }),
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    response: z.record(z.string(), z.unknown()),
    summary: 'This description',
  }),
  docs: endpoint({
    method: 'GET',
    path: '/api/docs',
    access: 'public',
    response: z.string(),
    summary: 'The same to read',
  }),
  browserError: endpoint({
    method: 'POST',
    path: '/api/client-errors',
    access: 'public',
    body: z.object({
      message: z.string().min(1).max(300),
      stack: z.string().max(4_000),
      screen: z.string().max(100),
      app: z.enum(['admin', 'crew']),
    }),
    response: Alive,
    summary: 'A browser tells of an error; nothing of the person goes along',
  }),
  stream: endpoint({
    method: 'GET',
    path: '/api/events/stream',
    access: 'member',
    query: z.object({
      sinceMs: z.coerce.number().int().min(0).optional().describe('Also what was said in so many milliseconds before'),
    }),
    response: z.string(),
    summary:
      'Live changes of the business as server-sent events: `change` with {topic, ids, days, crewIds, by}; `missed` where some are not known any more',
  }),
}
