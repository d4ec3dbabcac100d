import type { Kysely } from 'kysely'
import { prospectsDatabase } from './database.ts'
import { databaseError } from './errors.ts'
import type { DB } from './prospect-types.generated.ts'
import { sharedTransactions } from './shared-transaction.ts'
import type { Escapes } from './tenant.ts'

declare const prospectsBrand: unique symbol

/** The database inside one transaction of the product owner's funnel. Only `withProspects` makes one; no business's table is in it. */
export type ProspectsDb = Omit<Kysely<DB>, Escapes> & { readonly [prospectsBrand]: true }

const transact = async <T>(work: (db: ProspectsDb) => Promise<T>): Promise<T> => {
  try {
    return await prospectsDatabase()
      .transaction()
      .execute((transaction) => work(transaction as unknown as ProspectsDb))
  } catch (error) {
    throw databaseError(error)
  }
}

const together = sharedTransactions<ProspectsDb>()

/**
 * Runs `work` in one transaction as the role of the funnel, which can read nothing of any business. Commits when `work` resolves, rolls back
 * when it throws. Nothing slow belongs inside. Do not open it inside `withTenant` or the other way round: they are two connections, and
 * neither waits for the other's commit. Inside `inOneProspectsTransaction` it joins that transaction.
 * @throws AppError('unavailable') when a lock took too long or the database is away; other database errors as they are
 */
export const withProspects = <T>(work: (db: ProspectsDb) => Promise<T>): Promise<T> =>
  together.join(() => true, work) ?? transact(work)

/** One transaction for everything that `work` does with the funnel through `withProspects`. @throws as withProspects */
export const inOneProspectsTransaction = <T>(work: (db: ProspectsDb) => Promise<T>): Promise<T> =>
  transact((db) => together.open(db, work))
