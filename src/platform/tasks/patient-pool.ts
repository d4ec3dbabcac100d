import type { Pool, PoolClient } from 'pg'
import { isConnectionFailure } from '../db/errors.ts'

// cannot_connect_now: the one code by which the library means "the database is away" and asks again (3 s, then later each time)
const awayCode = '57P03'

const asAway = (error: unknown): unknown => {
  if (!isConnectionFailure(error)) return error
  const away = new Error((error as Error).message, { cause: error })
  return Object.assign(away, { code: awayCode })
}

const passOn = <T extends object>(target: T, name: string | symbol): unknown => {
  const value: unknown = Reflect.get(target, name, target)
  return typeof value === 'function' ? value.bind(target) : value
}

const patientClient = (client: PoolClient): PoolClient =>
  new Proxy(client, {
    get: (target, name) =>
      name === 'query'
        ? async (...args: Parameters<PoolClient['query']>) => {
            try {
              return await target.query(...args)
            } catch (error) {
              throw asAway(error)
            }
          }
        : passOn(target, name),
  })

/**
 * A pool for graphile-worker whose connection errors all have the one code that it waits on. It notes the end of a task without awaiting the note:
 * any other error there is a rejection that nobody handles, which ends the process, and the task stays taken by a worker that lives.
 */
export const patientPool = (pool: Pool): Pool =>
  new Proxy(pool, {
    get: (target, name) => {
      if (name !== 'connect') return passOn(target, name)
      return (callback?: Parameters<Pool['connect']>[0]) => {
        // the listening connection has its own way of coming back
        if (callback) return target.connect(callback)
        return target.connect().then(patientClient, (error: unknown) => {
          throw asAway(error)
        })
      }
    },
  })
