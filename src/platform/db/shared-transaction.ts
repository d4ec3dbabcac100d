import { AsyncLocalStorage } from 'node:async_hooks'
import { databaseError } from './errors.ts'

type Shared<Db> = { db: Db; over: boolean; failed: boolean }

/**
 * A transaction that several calls of one piece of work share without handing it on. `join` takes part in the one that is open here, or is null
 * where none fits. A call that failed spoils it for good: PostgreSQL or the half-done work would not let it end well.
 */
export const sharedTransactions = <Db>() => {
  const current = new AsyncLocalStorage<Shared<Db>>()
  return {
    join: <T>(fits: (db: Db) => boolean, work: (db: Db) => Promise<T>): Promise<T> | null => {
      const shared = current.getStore()
      if (!shared || shared.over || !fits(shared.db)) return null
      const takePart = async (): Promise<T> => {
        try {
          return await work(shared.db)
        } catch (error) {
          shared.failed = true
          throw databaseError(error)
        }
      }
      return takePart()
    },
    open: async <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => {
      const shared: Shared<Db> = { db, over: false, failed: false }
      try {
        const result = await current.run(shared, () => work(db))
        if (shared.failed) throw new Error('A refusal inside a shared transaction was caught; nothing was saved.')
        return result
      } finally {
        shared.over = true
      }
    },
  }
}
