import type { Kysely } from 'kysely'
import { log } from '../log.ts'
import { arePeopleWaiting, letPeopleFirst } from '../quiet-moment.ts'
import { transactionWith } from './database.ts'
import { databaseError } from './errors.ts'
import { sharedTransactions } from './shared-transaction.ts'
import type { DB } from './types.generated.ts'

export type BusinessId = string & { readonly __brand: 'BusinessId' }

/** What may end or leave the tenant's transaction is not there. */
export type Escapes =
  | 'transaction'
  | 'startTransaction'
  | 'connection'
  | 'destroy'
  | 'withPlugin'
  | 'withoutPlugins'
  | 'withSchema'
  | typeof Symbol.asyncDispose

declare const tenantBrand: unique symbol

/** The database inside one business's transaction. Only `withTenant` makes one. `sql` of kysely runs on it: ``sql`...`.execute(db)``. */
export type TenantDb = Omit<Kysely<DB>, Escapes> & {
  readonly businessId: BusinessId
  /** The transaction cannot write, whatever is tried. */
  readonly readOnly: boolean
  /** IANA zone of the business where whoever opened the transaction knew it; ask `timeZoneOf`. */
  readonly timeZone: string | undefined
  readonly [tenantBrand]: true
}

/** Whoever works for one business; an actor is one. */
export type TenantScope = {
  readonly businessId: BusinessId
  /** Who may only look: the database itself refuses every write. */
  readonly readOnly?: true
  /** IANA zone of the business, as it was read with who asks. */
  readonly timeZone?: string
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * A text as the id of a business; the only cast. It checks the shape, not that the business exists.
 * @throws Error when it is not a UUID
 */
export const asBusinessId = (text: string): BusinessId => {
  if (!uuidShape.test(text)) throw new Error('Not the id of a business.')
  return text.toLowerCase() as BusinessId
}

type AfterCommit = () => unknown

const waiting = new WeakMap<object, AfterCommit[]>()

/** Runs `fn` once this transaction has committed, never when it was rolled back. For waking listeners; what must not get lost is a task. */
export const afterCommit = (db: TenantDb, fn: AfterCommit): void => {
  const list = waiting.get(db)
  if (!list) throw new Error('afterCommit needs the database of a running withTenant.')
  list.push(fn)
}

const runAfterCommit = async (list: AfterCommit[]): Promise<void> => {
  for (const fn of list) {
    try {
      await fn()
    } catch (error) {
      log.error({ err: error }, 'a follow-up after the commit failed')
    }
  }
}

const transact = async <T>(scope: TenantScope, work: (db: TenantDb) => Promise<T>): Promise<T> => {
  const businessId = asBusinessId(scope.businessId)
  const followUps: AfterCommit[] = []
  const readOnly = scope.readOnly === true
  let result: T
  if (arePeopleWaiting()) await letPeopleFirst()
  try {
    // a statement, not set_config(): Citus carries SET LOCAL to its workers; the id was checked above
    result = await transactionWith(
      `set local app.business_id = '${businessId}'`,
      readOnly ? 'read only' : 'read write',
      async (transaction) => {
        const db = Object.assign(transaction, { businessId, readOnly, timeZone: scope.timeZone }) as unknown as TenantDb
        waiting.set(db, followUps)
        try {
          return await work(db)
        } finally {
          waiting.delete(db)
        }
      },
    )
  } catch (error) {
    throw databaseError(error)
  }
  await runAfterCommit(followUps)
  return result
}

const together = sharedTransactions<TenantDb>()

/**
 * Runs `work` in one transaction of one business: row-level security shows and takes only its rows. Commits when `work` resolves, rolls back when
 * it throws, retries nothing. Nothing slow (HTTP, mail, hashing) belongs inside. Under one
 * `Promise.all` stand only reads (`npm run check` holds it): when one of them fails, the rollback may leave before the others. Inside `inOneTransaction` of the same business it joins that
 * transaction. Else a nested call opens its own connection and its own transaction: it does not see uncommitted rows of the outer one and may wait
 * for its locks, so hand `db` on instead.
 * For a scope that is `readOnly` the transaction is too.
 * @throws AppError('unavailable') when a lock took too long or the database is away, 'forbidden' for a write of who may only look; other
 * database errors as they are
 */
export const withTenant = <T>(scope: TenantScope, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  together.join((db) => db.businessId === scope.businessId, work) ?? transact(scope, work)

/**
 * One transaction for everything that `work` does with this business through `withTenant`, however many calls that takes; what waits for the
 * commit runs once, after it. A refusal inside undoes all of it: `work` must not catch one and go on.
 * @throws as withTenant
 */
export const inOneTransaction = <T>(scope: TenantScope, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  transact(scope, (db) => together.open(db, work))
