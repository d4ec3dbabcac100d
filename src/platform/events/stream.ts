import type { FastifyReply } from 'fastify'
import pg from 'pg'
import { z } from 'zod'
import { databaseUrl } from '../db/database.ts'
import { log } from '../log.ts'

const Change = z.object({ businessId: z.string(), topic: z.string(), ids: z.array(z.string()) })
const Progress = z.object({
  businessId: z.string(),
  progress: z.record(z.string(), z.unknown()),
  money: z.record(z.string(), z.unknown()),
})
const Notice = z.union([Change, Progress])

/** What one screen may hear beside changes. */
export type Hears = { progress: boolean; money: boolean }

const listeners = new Map<string, Map<FastifyReply, Hears>>()
let client: pg.Client | undefined
let closed = false
/** Settles when the database listens: a screen that opens its stream before would miss what happens in between. */
let listening: Promise<unknown> | undefined

const textFor = (notice: z.output<typeof Notice>, hears: Hears): string | null => {
  if ('topic' in notice) return `event: change\ndata: ${JSON.stringify({ topic: notice.topic, ids: notice.ids })}\n\n`
  if (!hears.progress) return null
  return `event: progress\ndata: ${JSON.stringify({ ...notice.progress, ...(hears.money ? notice.money : {}) })}\n\n`
}

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
    for (const [reply, hears] of listeners.get(notice.data.businessId) ?? []) {
      const text = textFor(notice.data, hears)
      if (text) reply.raw.write(text)
    }
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
  for (const replies of listeners.values()) for (const reply of replies.keys()) reply.raw.end()
  listeners.clear()
  const last = client
  client = undefined
  await last?.end().catch(() => undefined)
}

/** Turns a request into a stream of `change` and `progress` events of one business; a comment every 20 s keeps middle boxes from closing it. */
export const openStream = async (businessId: string, hears: Hears, reply: FastifyReply): Promise<void> => {
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
  const set = listeners.get(businessId) ?? new Map<FastifyReply, Hears>()
  listeners.set(businessId, set.set(reply, hears))
  const timer = setInterval(() => reply.raw.write(': here\n\n'), 20_000)
  reply.raw.on('close', () => {
    clearInterval(timer)
    set.delete(reply)
    if (set.size === 0) listeners.delete(businessId)
  })
}
