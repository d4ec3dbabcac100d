import { AsyncLocalStorage } from 'node:async_hooks'
import type { Duplex } from 'node:stream'
import {
  type AccessMode,
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  Transaction,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { config } from '../config.ts'
import { log } from '../log.ts'
import { isStalePlan } from './errors.ts'
import { valueParsers } from './parsers.ts'
import type { DB as ProspectTables } from './prospect-types.generated.ts'
import type { DB } from './types.generated.ts'

/** The role under row-level security that every request and task works as. It owns nothing. */
export const appRole = 'swath_app'

/** The role that the product owner's funnel works as: nothing of a business is open to it, and nothing of its own to `swath_app`. */
export const prospectsRole = 'swath_prospects'

type Connected = {
  url: string
  app: pg.Pool
  kysely: Kysely<DB>
  owner: pg.Pool | undefined
  prospects: Kysely<ProspectTables> | undefined
}

let connected: Connected | undefined

/** The address without its `options`, and the options: pg would let those of the address replace ours. */
const splitOptions = (url: string): { address: string; options: string } => {
  const parsed = new URL(url)
  const options = parsed.searchParams.get('options') ?? ''
  parsed.searchParams.delete('options')
  return { address: parsed.toString(), options }
}

const makePool = (
  url: string,
  settings: { name: string; max: number; startup: Record<string, string>; types?: pg.CustomTypesConfig },
): pg.Pool => {
  const { address, options } = splitOptions(url)
  const startup = Object.entries(settings.startup).map(([key, value]) => `-c ${key}=${value}`)
  const pool = new pg.Pool({
    ...(settings.types ? { Client: PreparingClient } : {}),
    connectionString: address,
    application_name: settings.name,
    options: [options, ...startup].filter(Boolean).join(' '),
    max: settings.max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...(settings.types ? { types: settings.types } : {}),
  })
  // without listeners a restart of the database would end the process: the pool's is for resting connections, the client's for working ones
  const lost = (error: Error & { code?: string }): void => {
    if (!pool.ending) log.warn({ code: error.code, reason: error.message }, 'a database connection was lost')
  }
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return pool
}

/** Settings of each connection of the application. */
export const limits = {
  TimeZone: 'UTC',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '15s',
  lock_timeout: '3s',
  // After five runs PostgreSQL may keep one plan for all values of a prepared statement. It is made for a business of usual size and cannot use a partial
  // index whose condition comes as a value: it made the unbilled visits of a giant walk every visit of every job. Planning anew costs less.
  plan_cache_mode: 'force_custom_plan',
}

/** Statements with stable text are prepared by name, so that PostgreSQL parses each once a connection. */
const namedMost = 400
const seenMost = 2_000
const seenBeforeNamed = 2
const valuesMost = 60
const isStatement = /^\s*(select|insert|update|delete|with)\b/i
/** A list that is written out, of values or of rows, has another text for each length. */
const hasList = /\bin \(\$\d|\), ?\(\$\d/i
const names = new Map<string, string | null>()
let named = 0
let seen = new Map<string, number>()

/**
 * The name of a statement, null for one that is not worth a place: seen too seldom, a list of any length, or changed under us. One without values is never
 * named: PostgreSQL plans it once whatever plan_cache_mode says, and on a Citus the business of the transaction is a constant of that plan.
 */
const nameOf = (text: string, values: readonly unknown[]): string | null => {
  const known = names.get(text)
  if (known !== undefined) return known
  if (
    values.length === 0 ||
    named >= namedMost ||
    values.length > valuesMost ||
    !isStatement.test(text) ||
    hasList.test(text)
  )
    return null
  const times = (seen.get(text) ?? 0) + 1
  if (times <= seenBeforeNamed) {
    if (seen.size >= seenMost) seen = new Map()
    seen.set(text, times)
    return null
  }
  seen.delete(text)
  named += 1
  const name = `s${named}`
  names.set(text, name)
  return name
}

const isBegin = /^begin\b/

class PreparingClient extends pg.Client {
  constructor(settings?: pg.ClientConfig) {
    // what is asked before the last answer has come is sent at once: `begin` costs no wait of its own
    super({ ...settings, pipeline: true } as pg.ClientConfig)
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares seven shapes of this call; only the one that Kysely uses is changed
  override query(...call: any[]): any {
    const [text, values] = call as [unknown, unknown]
    if (typeof text !== 'string' || !Array.isArray(values) || call.length > 2) return super.query(...(call as [string]))
    const name = nameOf(text, values)
    if (name === null) {
      if (isBegin.test(text)) this.#waitForTheNext()
      return super.query(text, values)
    }
    return super.query({ name, text, values }).catch((error: unknown) => {
      // from then on it goes unnamed
      if (isStalePlan(error)) names.set(text, null)
      throw error
    })
  }

  /** Leaves with what follows in the same turn, in one write to the socket. */
  #waitForTheNext(): void {
    const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
}

type Opening = {
  statement: string | undefined
  connection: DatabaseConnection | undefined
  /** The transaction in which this one was opened. */
  outer: Opening | undefined
  over: boolean
}
const opening = new AsyncLocalStorage<Opening>()

const holdsConnection = (asked: Opening | undefined): boolean =>
  asked !== undefined && ((asked.connection !== undefined && !asked.over) || holdsConnection(asked.outer))

let whenHeldTwice = (error: Error): void => log.warn({ err: error }, 'a transaction asks for a second connection')

/** What happens when work inside of a transaction asks the pool for another connection; the log is told where nothing else is set. */
export const onSecondConnection = (tell: (error: Error) => void): void => {
  whenHeldTwice = tell
}

// what a transaction needs to be one and never uses: it opens no connection
const noDriver = new DummyDriver()
const noDialect = new PostgresDialect({ pool: () => Promise.reject(new Error('A transaction opens no connection.')) })

/** The same transaction; queries that are asked together travel together, where Kysely lets each wait for the answer to the one before. */
const sentTogether = <T>(transaction: Transaction<T>, connection: DatabaseConnection): Transaction<T> =>
  new Transaction<T>({
    config: { dialect: noDialect },
    dialect: noDialect,
    driver: noDriver,
    executor: transaction.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) }),
  })

/**
 * A transaction that begins with `statement`, in the same message as `begin`; the first query is sent behind it without waiting. Where `begin`
 * fails, the commit does. Queries under one `Promise.all` are one round trip, run in the order in which they were asked.
 */
export const transactionWith = <T>(
  statement: string,
  accessMode: AccessMode,
  work: (transaction: Transaction<DB>) => Promise<T>,
): Promise<T> => {
  const asked: Opening = { statement, connection: undefined, outer: opening.getStore(), over: false }
  return opening
    .run(asked, () =>
      database()
        .transaction()
        .setAccessMode(accessMode)
        .execute((transaction) => work(asked.connection ? sentTogether(transaction, asked.connection) : transaction)),
    )
    .finally(() => {
      asked.over = true
    })
}

/**
 * The rows of one query that is a transaction of its own, in one round trip: PostgreSQL runs a message of two statements as one transaction, which on a
 * Citus reaches the workers, while a statement by itself does not. No values: what is put into the text was escaped.
 */
export const rowsInOneMessage = async <T>(query: string): Promise<T[]> => {
  const [, answer] = (await current().app.query(`select; ${query}`)) as unknown as [unknown, { rows: T[] }]
  return answer.rows
}

class OneMessageDriver extends PostgresDriver {
  readonly #begun = new WeakMap<DatabaseConnection, Promise<unknown>>()

  /** Whoever holds one connection and waits for another holds up everybody when all of them do: as many at once as the pool has, and nobody gets any. */
  override acquireConnection(): ReturnType<PostgresDriver['acquireConnection']> {
    if (holdsConnection(opening.getStore()))
      whenHeldTwice(new Error('A transaction asks for a second connection: hand its own on, or ask before it.'))
    return super.acquireConnection()
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const asked = opening.getStore()
    const statement = asked?.statement
    if (!asked || statement === undefined) return super.beginTransaction(connection, settings)
    asked.statement = undefined
    asked.connection = connection
    const begin = settings.accessMode === 'read only' ? 'begin read only' : 'begin'
    const begun = connection.executeQuery(CompiledQuery.raw(`${begin}; ${statement}`))
    begun.catch(() => undefined)
    this.#begun.set(connection, begun)
  }

  /** What a transaction that never began has done is not to be believed. */
  override async commitTransaction(connection: Parameters<PostgresDriver['commitTransaction']>[0]): Promise<void> {
    await this.#begun.get(connection)
    this.#begun.delete(connection)
    return super.commitTransaction(connection)
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    this.#begun.delete(connection)
    return super.rollbackTransaction(connection)
  }
}

class OneMessageDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }
  override createDriver(): Driver {
    return new OneMessageDriver({ pool: this.#pool })
  }
}

const kyselyOn = <T>(pool: pg.Pool): Kysely<T> =>
  new Kysely<T>({
    dialect: new OneMessageDialect(pool),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })

/**
 * Opens the application's pool. The address is the owner's (migrations, worker); each connection of this pool becomes `swath_app` as it starts,
 * and `reset role` leads back to `swath_app`.
 */
export const connectDatabase = (settings: { url: string; max?: number }): Kysely<DB> => {
  if (connected) throw new Error('The database is connected already.')
  const app = makePool(settings.url, {
    name: `swath-${config.role}`,
    max: settings.max ?? config.poolSize,
    startup: { role: appRole, ...limits },
    types: valueParsers,
  })
  const kysely = kyselyOn<DB>(app)
  connected = { url: settings.url, app, kysely, owner: undefined, prospects: undefined }
  return kysely
}

const current = (): Connected => {
  if (!connected) throw new Error('The database is not connected yet: call connectDatabase() first.')
  return connected
}

export const isDatabaseConnected = (): boolean => connected !== undefined

/** Ends both pools; running queries finish first. */
export const closeDatabase = async (): Promise<void> => {
  const closing = connected
  connected = undefined
  if (!closing) return
  await Promise.all([closing.app.end(), closing.owner?.end(), closing.prospects?.destroy()])
}

/** Kysely as `swath_app` without a tenant: sees only the global tables. For a business's rows use `withTenant`. */
export const database = (): Kysely<DB> => current().kysely

/** Kysely as `swath_prospects` in the funnel's own schema, on connections of its own. For work use `withProspects`. Opened when first asked for. */
export const prospectsDatabase = (): Kysely<ProspectTables> => {
  const state = current()
  state.prospects ??= kyselyOn<ProspectTables>(
    makePool(state.url, {
      name: `swath-${config.role}-prospects`,
      max: 6,
      startup: { role: prospectsRole, search_path: 'prospects', ...limits },
      types: valueParsers,
    }),
  )
  return state.prospects
}

/** Connections as the owner, for the task runner and LISTEN only: no time-outs, plain pg values. Opened when first asked for. */
export const ownerPool = (): pg.Pool => {
  const state = current()
  state.owner ??= makePool(state.url, { name: `swath-${config.role}-tasks`, max: 10, startup: { TimeZone: 'UTC' } })
  return state.owner
}

/** The owner's address, for what must open its own connection (LISTEN). */
export const databaseUrl = (): string => current().url

export type PoolStats = { total: number; idle: number; waiting: number; max: number }

/** How busy the application's pool is, in connections. */
export const poolStats = (): PoolStats => {
  const { app } = current()
  return { total: app.totalCount, idle: app.idleCount, waiting: app.waitingCount, max: app.options.max }
}
