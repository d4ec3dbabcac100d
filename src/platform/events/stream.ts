import type { FastifyReply } from 'fastify'
import pg from 'pg'
import { z } from 'zod'
import { type Change, repeatedMs } from '../../shared/topics.ts'
import { databaseUrl } from '../db/database.ts'
import { log } from '../log.ts'
import { endAnswering } from '../quiet-moment.ts'
import { Changes, flushChanges, liveChannel } from './changes.ts'

const Progress = z.object({
  businessId: z.string(),
  progress: z.record(z.string(), z.unknown()),
  money: z.record(z.string(), z.unknown()),
})
const Notice = z.union([Changes, Progress])

/** What one screen may hear. */
export type SubscriptionOptions = {
  progress: boolean
  money: boolean
  /** False for a change that is nothing to this person; without it every change of the business is heard. */
  hears?: (change: Change) => boolean
}

const listeners = new Map<string, Map<FastifyReply, SubscriptionOptions>>()
let client: pg.Client | undefined
let closed = false
/** Settles when the database listens: a screen that opens its stream before would miss what happens in between. */
let listening: Promise<unknown> | undefined

/** What was said lately, oldest first: a screen opens its stream after it asked for what it shows, and hears what came in between. */
let lately: { atMs: number; businessId: string; change: Change }[] = []
/** More than this of all businesses is not kept. */
const mostLately = 20_000
/** Since when nothing of `lately` is missing. */
let completeSinceMs = Number.POSITIVE_INFINITY

const keep = (businessId: string, change: Change): void => {
  const nowMs = performance.now()
  lately.push({ atMs: nowMs, businessId, change })
  // an eighth at a time: not every change moves the whole list
  if (lately.length <= mostLately * 1.125 && (lately[0]?.atMs ?? nowMs) > nowMs - repeatedMs * 2) return
  const kept = lately.slice(-mostLately).filter(({ atMs }) => atMs > nowMs - repeatedMs)
  const dropped = lately[lately.length - kept.length - 1]
  if (dropped) completeSinceMs = Math.max(completeSinceMs, dropped.atMs)
  lately = kept
}

/** What this person would have heard in the last milliseconds, or that nobody knows. */
const repeat = (businessId: string, { hears }: SubscriptionOptions, sinceMs: number): string => {
  const from = performance.now() - sinceMs
  if (from < completeSinceMs) return 'event: missed\ndata: {}\n\n'
  return lately
    .filter((one) => one.businessId === businessId && one.atMs >= from && (hears?.(one.change) ?? true))
    .map(({ change }) => changeText(change))
    .join('')
}

const changeText = (change: Change): string => `event: change\ndata: ${JSON.stringify(change)}\n\n`

const progressText = (notice: z.output<typeof Progress>, subscription: SubscriptionOptions): string | null =>
  subscription.progress
    ? `event: progress\ndata: ${JSON.stringify({ ...notice.progress, ...(subscription.money ? notice.money : {}) })}\n\n`
    : null

const pass = (businessId: string, textFor: (subscription: SubscriptionOptions) => string | null): void => {
  for (const [reply, subscription] of listeners.get(businessId) ?? []) {
    const text = textFor(subscription)
    if (text) send(reply, text)
  }
}

const endStreams = (): void => {
  for (const replies of listeners.values()) for (const reply of replies.keys()) reply.raw.end()
}

const listen = async (isAgain: boolean): Promise<void> => {
  const next = new pg.Client({ connectionString: databaseUrl(), application_name: 'swath-live', keepAlive: true })
  const again = (): void => {
    if (closed || client !== next) return
    client = undefined
    completeSinceMs = Number.POSITIVE_INFINITY
    setTimeout(
      () => void listen(true).catch((error) => log.warn({ err: error }, 'live updates are away')),
      1_000,
    ).unref()
  }
  client = next
  next.on('error', again)
  next.on('end', again)
  next.on('notification', ({ payload }) => {
    const notice = Notice.safeParse(payload ? JSON.parse(payload) : null)
    if (!notice.success) return
    const { data } = notice
    if ('progress' in data) return pass(data.businessId, (subscription) => progressText(data, subscription))
    for (const { businessId, ...change } of data.changes) {
      keep(businessId, change)
      const text = changeText(change)
      pass(businessId, ({ hears }) => (hears && !hears(change) ? null : text))
    }
  })
  listening = next.connect().then(() => next.query(`listen ${liveChannel}`))
  try {
    await listening
    lately = []
    completeSinceMs = performance.now()
    // Nobody repeats what was said meanwhile: a screen whose stream ends opens another one and asks again for all that it shows.
    if (isAgain) endStreams()
  } catch (error) {
    again()
    throw error
  }
}

/** One listening connection for the whole process; it comes back by itself when the database restarts. */
export const startStream = (): Promise<void> => {
  closed = false
  return listen(false)
}

export const stopStream = async (): Promise<void> => {
  closed = true
  await flushChanges()
  endStreams()
  listeners.clear()
  lately = []
  completeSinceMs = Number.POSITIVE_INFINITY
  const last = client
  client = undefined
  await last?.end().catch(() => undefined)
}

const pulseMs = 20_000
/** Every third pulse asks whether the person may still listen: somebody signed out hears nothing after a minute. */
const pulsesToCheck = 3
/** Who reads nothing any more and whose connection still stands would be remembered byte by byte. */
const mostUnreadBytes = 256 * 1024

const send = (reply: FastifyReply, text: string): void => {
  if (reply.raw.writableLength > mostUnreadBytes) reply.raw.destroy()
  else reply.raw.write(text)
}

export type StreamOptions = {
  subscription: SubscriptionOptions
  /** Asked every minute; false ends the stream. */
  mayListen: () => Promise<boolean>
  /** How long ago this screen began to ask for what it shows, in milliseconds; it hears what was said since. */
  sinceMs?: number | undefined
  /** How often a comment keeps middle boxes from closing the stream, in milliseconds. */
  pulseEveryMs?: number
}

/** How many streams are open in this process. */
export const openStreams = (): number => [...listeners.values()].reduce((sum, replies) => sum + replies.size, 0)

/** Turns a request into a stream of `change` and `progress` events of one business, until the screen leaves or may not listen any more. */
export const openStream = async (
  businessId: string,
  { subscription, mayListen, sinceMs, pulseEveryMs = pulseMs }: StreamOptions,
  reply: FastifyReply,
): Promise<void> => {
  reply.hijack()
  endAnswering(reply.raw)
  let timer: ReturnType<typeof setInterval> | undefined
  const leave = (): void => {
    clearInterval(timer)
    const set = listeners.get(businessId)
    set?.delete(reply)
    if (set?.size === 0) listeners.delete(businessId)
  }
  // before anything is waited for: who leaves meanwhile says so only once
  reply.raw.on('close', leave)
  reply.raw.on('error', () => undefined)
  // When the database is away the stream opens all the same and hears again once it is back.
  await listening?.catch(() => undefined)
  if (reply.raw.destroyed || reply.raw.writableEnded) return
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  })
  reply.raw.write('retry: 2000\n\n')
  const set = listeners.get(businessId) ?? new Map<FastifyReply, SubscriptionOptions>()
  listeners.set(businessId, set.set(reply, subscription))
  if (sinceMs !== undefined) send(reply, repeat(businessId, subscription, sinceMs))
  let pulses = 0
  timer = setInterval(() => {
    send(reply, ': here\n\n')
    pulses += 1
    if (pulses % pulsesToCheck !== 0) return
    mayListen().then(
      (may) => {
        if (!may) reply.raw.end()
      },
      // the database is away: the next time is soon enough
      (error: unknown) => log.debug({ err: error }, 'a stream could not be checked'),
    )
  }, pulseEveryMs)
}
