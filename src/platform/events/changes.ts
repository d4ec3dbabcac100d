import { sql } from 'kysely'
import { z } from 'zod'
import type { Change, Scope, Topic } from '../../shared/topics.ts'
import { database, isDatabaseConnected } from '../db/database.ts'
import { afterCommit, type TenantDb } from '../db/tenant.ts'
import { log } from '../log.ts'
import { tabOfRequest } from './origin.ts'

/** The channel on which every process hears what all of them published. */
export const liveChannel = 'swath_live'

/** What is published within this time goes out as one notice. */
const windowMs = 100
/** What could not be sent, because the database was away, waits this long for another try. */
const againMs = 1_000
/** More than this and a part of a change means "any". */
const most = 50
/** A notice of the database holds 8000 bytes. */
const mostBytes = 7_500

type Published = Change & { businessId: string }

/** Changes as they come over the channel. */
export const Changes: z.ZodType<{ changes: Published[] }> = z.object({
  changes: z.array(
    z.object({
      businessId: z.string(),
      topic: z.string(),
      ids: z.array(z.string()),
      days: z.array(z.string()),
      crewIds: z.array(z.string()),
      by: z.string().nullable(),
    }),
  ),
})

const inTransaction = new WeakMap<TenantDb, Published[]>()
let waiting = new Map<string, Published>()
let timer: NodeJS.Timeout | undefined
let sending: Promise<void> = Promise.resolve()

/** Both parts; an empty one means "any", and so does what gets too long to say. */
const joined = (one: readonly string[], other: readonly string[]): string[] => {
  if (one.length === 0 || other.length === 0) return []
  const all = [...new Set([...one, ...other])]
  return all.length > most ? [] : all
}

const join = (one: Published, other: Published): Published => ({
  ...one,
  ids: joined(one.ids, other.ids),
  days: joined(one.days, other.days),
  crewIds: joined(one.crewIds, other.crewIds),
})

const keyOf = ({ businessId, topic, by }: Published): string => `${businessId} ${topic} ${by ?? ''}`

/** Notices small enough for the channel. */
const noticesOf = (changes: readonly Published[]): string[] => {
  const notices: string[] = []
  let batch: string[] = []
  let bytes = 0
  const close = () => {
    if (batch.length > 0) notices.push(`{"changes":[${batch.join(',')}]}`)
    batch = []
    bytes = 0
  }
  for (const change of changes) {
    const text = JSON.stringify(change)
    if (bytes + text.length > mostBytes) close()
    batch.push(text)
    bytes += text.length + 1
  }
  close()
  return notices
}

const send = async (changes: readonly Published[]): Promise<void> => {
  for (const notice of noticesOf(changes)) await sql`select pg_notify(${liveChannel}, ${notice})`.execute(database())
}

/** Sends what waits, now; at the end of a process. What cannot be sent waits for the next time, as long as this process has a database. */
export const flushChanges = (): Promise<void> => {
  clearTimeout(timer)
  timer = undefined
  const ready = [...waiting.values()]
  waiting = new Map()
  if (ready.length > 0)
    sending = sending
      .then(() => send(ready))
      .catch((error) => {
        if (!isDatabaseConnected()) return
        log.warn({ err: error }, 'open screens were not told of changes yet; they are as soon as the database is back')
        queue(ready, againMs)
      })
  return sending
}

const queue = (changes: readonly Published[], inMs = windowMs): void => {
  for (const change of changes) {
    const known = waiting.get(keyOf(change))
    waiting.set(keyOf(change), known ? join(known, change) : change)
  }
  timer ??= setTimeout(() => void flushChanges(), inMs).unref()
}

const short = (list: readonly (string | null | undefined)[] = []): string[] => {
  const all = [...new Set(list.filter((one) => typeof one === 'string'))]
  return all.length > most ? [] : all
}

/**
 * Tells the open screens of this business, once the transaction has committed, that records of a topic changed. The notice leaves outside of the
 * transaction, gathered with those of its moment: a notice inside would make the commits of the whole database wait for each other.
 * @param ids the records; none means any
 * @param scope days and crews whose plan shows them; none means any. Name the old and the new ones.
 */
export const publishChange = async (
  db: TenantDb,
  topic: Topic,
  ids: readonly string[] = [],
  scope: Scope = {},
): Promise<void> => {
  const change: Published = {
    businessId: db.businessId,
    topic,
    ids: short(ids),
    days: short(scope.days),
    crewIds: short(scope.crewIds),
    by: tabOfRequest(),
  }
  const known = inTransaction.get(db)
  if (known) {
    known.push(change)
    return
  }
  const changes = [change]
  inTransaction.set(db, changes)
  afterCommit(db, () => queue(changes))
}
