import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Endpoint } from '../../shared/endpoint.ts'
import { AppError } from '../../shared/errors.ts'
import { clock } from '../clock.ts'
import { inOneProspectsTransaction } from '../db/prospects.ts'
import { type BusinessId, inOneTransaction } from '../db/tenant.ts'

const keyShape = /^[\x21-\x7e]{8,200}$/

const hashOf = (request: FastifyRequest): string =>
  createHash('sha256')
    .update(`${request.method} ${request.url.split('?')[0]}\n`)
    .update(Buffer.isBuffer(request.body) ? request.body : JSON.stringify(request.body ?? null))
    .digest('hex')

const isForm = (request: FastifyRequest): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(request.headers['content-type'] ?? '')

const keyOf = (request: FastifyRequest): string | null => {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  if (typeof header !== 'string' || !keyShape.test(header))
    throw new AppError('bad_request', 'The Idempotency-Key must be 8 to 200 printable characters.')
  return header
}

/** Where the keys of a caller are: a person's in their business, the product owner's and a visitor's in the funnel. */
type Place = { businessId: BusinessId | null; caller: string }

const placeOf = (request: FastifyRequest): Place => {
  const { caller } = request
  if (caller?.kind === 'user') return { businessId: caller.businessId, caller: caller.userId }
  return { businessId: null, caller: caller ? `owner:${caller.name}` : 'visitor' }
}

type Row = { requestHash: string; answer: string | null }

/** The row of one key, in the running transaction of its place. */
const keyRow = (db: Kysely<never>, { businessId, caller }: Place, endpoint: string, key: string) => {
  const where = businessId
    ? sql`business_id = ${businessId} and actor = ${caller} and endpoint = ${endpoint} and key = ${key}`
    : sql`caller = ${caller} and endpoint = ${endpoint} and key = ${key}`
  return {
    /** Waits for whoever claimed it first; false when that one committed. */
    claim: async (hash: string): Promise<boolean> => {
      const { rows } = await (businessId
        ? sql`insert into idempotency_keys (business_id, actor, endpoint, key, request_hash, created_at)
            values (${businessId}, ${caller}, ${endpoint}, ${key}, ${hash}, ${clock.iso()}) on conflict do nothing returning key`
        : sql`insert into idempotency_keys (caller, endpoint, key, request_hash, created_at)
            values (${caller}, ${endpoint}, ${key}, ${hash}, ${clock.iso()}) on conflict do nothing returning key`
      ).execute(db)
      return rows.length === 1
    },
    find: async (): Promise<Row | undefined> =>
      (await sql<Row>`select request_hash, answer from idempotency_keys where ${where}`.execute(db)).rows[0],
    /** Locked, so that of two that end at once the second sees the answer of the first. */
    lock: async (): Promise<Row | undefined> =>
      (await sql<Row>`select request_hash, answer from idempotency_keys where ${where} for update`.execute(db)).rows[0],
    save: async (hash: string, answer: string): Promise<void> => {
      await sql`update idempotency_keys set request_hash = ${hash}, answer = ${answer} where ${where}`.execute(db)
    },
  }
}

type KeyRow = ReturnType<typeof keyRow>

const inPlace = <T>(place: Place, work: (db: Kysely<never>) => Promise<T>): Promise<T> =>
  place.businessId
    ? inOneTransaction({ businessId: place.businessId }, (db) => work(db as unknown as Kysely<never>))
    : inOneProspectsTransaction((db) => work(db as unknown as Kysely<never>))

/**
 * Looks for what a try beside a refused one did. A fault is not looked into, and where nothing can be read the refusal itself is what the person is told.
 */
export const ofRefused = async <T>(error: unknown, find: () => Promise<T | undefined>): Promise<T | undefined> =>
  error instanceof AppError && error.status < 500 ? find().catch(() => undefined) : undefined

/** The answer that was stored: ends the running transaction, which has done nothing. */
class Repeated extends Error {
  readonly answer: string
  constructor(answer: string) {
    super('answered before')
    this.answer = answer
  }
}

const assertSame = (row: Row, hash: string): void => {
  if (row.requestHash !== hash)
    throw new AppError(
      'idempotency_mismatch',
      'This was sent before with other contents. Reload the page and try again.',
    )
}

const stillBusy = (error: unknown): boolean =>
  error instanceof AppError && (error.cause as { code?: unknown } | undefined)?.code === '55P03'

/** Each waits for `lock_timeout` (3 s): longer together than a transaction may take. */
const claims = 5

/** Claims the key in a transaction of its own try; a first press that takes long is waited for. */
const claimed = async <T>(
  place: Place,
  row: (db: Kysely<never>) => KeyRow,
  hash: string,
  work: (row: KeyRow) => Promise<T>,
) => {
  for (let left = claims; ; left -= 1) {
    let waiting = true
    try {
      return await inPlace(place, async (db) => {
        const own = row(db)
        if (!(await own.claim(hash))) {
          const before = await own.lock()
          if (before) assertSame(before, hash)
          if (before?.answer) throw new Repeated(before.answer)
        }
        waiting = false
        return work(own)
      })
    } catch (error) {
      if (!waiting || !stillBusy(error)) throw error
      if (left === 1)
        throw new AppError(
          'unavailable',
          'Your first try is still being worked on. Nothing is lost and nothing is done twice: wait a moment, then try again.',
          { cause: error },
        )
    }
  }
}

/** What a handler of an endpoint in steps does last: `work` and the stored answer are one transaction. `work` gives the reply itself. */
export type Once = <T>(work: () => Promise<T>) => Promise<T>

/** What a run is given beside its call. */
export type Run = {
  once: Once
  /** This key was seen before without an answer: what it asked for may be done in part. */
  again: boolean
}

/** For whoever calls such a command without a request. */
export const directly: Once = (work) => work()

const alone: Run = { once: directly, again: false }

/** A reply that is JSON text already. */
export class Sent {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

/**
 * Runs a handler once per `Idempotency-Key` (scope: caller and endpoint): decision 004. The key is the first row of the work's own transaction
 * and the answer its last, so a repeat at the same time waits and gets the same answer, and what was rolled back leaves the key free.
 * The same key with another body is 409.
 * @param toJson the reply as it will be sent
 */
export const withIdempotency = async (
  endpoint: Endpoint,
  name: string,
  request: FastifyRequest,
  toJson: (reply: unknown) => string,
  run: (own: Run) => Promise<unknown>,
): Promise<unknown> => {
  // a page without JavaScript sends no key and is led to a page, also by a refusal
  if (!endpoint.idempotent || isForm(request)) return run(alone)
  const place = placeOf(request)
  const key = keyOf(request)
  const inSteps = endpoint.idempotent === 'steps'
  if (key === null)
    return inSteps ? run({ ...alone, once: (work) => inPlace(place, work) }) : inPlace(place, () => run(alone))
  const hash = hashOf(request)
  const row = (db: Kysely<never>) => keyRow(db, place, name, key)
  const keep = async (own: KeyRow, reply: unknown): Promise<Sent> => {
    const sent = new Sent(toJson(reply))
    await own.save(hash, sent.json)
    return sent
  }
  try {
    if (!inSteps) return await claimed(place, row, hash, async (own) => keep(own, await run(alone)))
    const again = await inPlace(place, async (db) => {
      if (await row(db).claim(hash)) return false
      const before = await row(db).find()
      if (before) assertSame(before, hash)
      if (before?.answer) throw new Repeated(before.answer)
      return true
    })
    let sent: Sent | undefined
    const once: Once = (work) =>
      claimed(place, row, hash, async (own) => {
        const reply = await work()
        sent = await keep(own, reply)
        return reply
      })
    try {
      await run({ once, again })
    } catch (error) {
      // refused by what this key did itself, in a try beside this one that ended first
      const own = await ofRefused(error, () => inPlace(place, (db) => row(db).find()))
      if (own?.answer && own.requestHash === hash) throw new Repeated(own.answer)
      throw error
    }
    if (!sent) throw new Error(`${name} works in steps and never asked for its last one.`)
    return sent
  } catch (error) {
    if (error instanceof Repeated) return new Sent(error.answer)
    throw error
  }
}
