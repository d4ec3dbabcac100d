import type { FastifyReply } from 'fastify'
import pg from 'pg'
import { z } from 'zod'
import { databaseUrl } from '../db/database.ts'
import { log } from '../log.ts'

const Notice = z.object({ businessId: z.string(), topic: z.string(), ids: z.array(z.string()) })

const listeners = new Map<string, Set<FastifyReply>>()
let client: pg.Client | undefined
let closed = false
/** Settles when the database listens: a screen that opens its stream before would miss what happens in between. */
let listening: Promise<unknown> | undefined

/** One listening connection for the whole process; it comes back by itself when the database restarts. */
export const startStream = async (): Promise<void> => {
  closed = false
  const next = new pg.Client({ connectionString: databaseUrl(), application_name: 'swath-live', keepAlive: true })
  const again = (): void => {
    if (closed || client !== next) return
    client = undefined
    setTimeout(
      () => void startStream().catch((error) => log.warn({ err: error }, 'live updates are away')),
      1_000,
    ).unref()
  }
  client = next
  next.on('error', again)
  next.on('end', again)
  next.on('notification', ({ payload }) => {
    const notice = Notice.safeParse(payload ? JSON.parse(payload) : null)
    if (!notice.success) return
    const text = `event: change\ndata: ${JSON.stringify({ topic: notice.data.topic, ids: notice.data.ids })}\n\n`
    for (const reply of listeners.get(notice.data.businessId) ?? []) reply.raw.write(text)
  })
  listening = next.connect().then(() => next.query('listen swath_live'))
  try {
    await listening
  } catch (error) {
    again()
    throw error
  }
}

export const stopStream = async (): Promise<void> => {
  closed = true
  for (const replies of listeners.values()) for (const reply of replies) reply.raw.end()
  listeners.clear()
  const last = client
  client = undefined
  await last?.end().catch(() => undefined)
}

/** Turns a request into a stream of `change` events of one business; a comment every 20 s keeps middle boxes from closing it. */
export const openStream = async (businessId: string, reply: FastifyReply): Promise<void> => {
  reply.hijack()
  // When the database is away the stream opens all the same and hears again once it is back.
  await listening?.catch(() => undefined)
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  })
  reply.raw.write('retry: 2000\n\n')
  const set = listeners.get(businessId) ?? new Set()
  listeners.set(businessId, set.add(reply))
  const timer = setInterval(() => reply.raw.write(': here\n\n'), 20_000)
  reply.raw.on('close', () => {
    clearInterval(timer)
    set.delete(reply)
    if (set.size === 0) listeners.delete(businessId)
  })
}
