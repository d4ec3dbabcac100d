import { type SystemActor, systemActor } from '../actor.ts'
import type { BusinessId } from '../db/tenant.ts'
import { log } from '../log.ts'

/**
 * Does something with each of a list, one after the other; one that fails is logged and stops nobody.
 * @param what names the walk in the log
 * @param name what the log says of one that failed
 * @throws Error at the end when some failed, so that the task is tried again and seen when it gives up
 */
export const forEach = async <T>(
  what: string,
  list: readonly T[],
  name: (one: T) => Record<string, string>,
  work: (one: T) => Promise<unknown>,
): Promise<void> => {
  const failures: unknown[] = []
  for (const one of list) {
    try {
      await work(one)
    } catch (error) {
      failures.push(error)
      log.error({ err: error, ...name(one) }, `${what} failed for one; going on with the others`)
    }
  }
  if (failures.length > 0)
    throw new Error(`${what} failed for ${failures.length} of ${list.length}`, { cause: failures[0] })
}

let listBusinesses = async (): Promise<BusinessId[]> => {
  throw new Error('Nobody said which businesses there are.')
}

/** Says which businesses there are; set once at start from the feature that holds them. */
export const setBusinessList = (source: typeof listBusinesses): void => {
  listBusinesses = source
}

/** Work of the night: once for every business, whatever happens with the others. @throws like `forEach` */
export const forEachBusiness = async (what: string, work: (actor: SystemActor) => Promise<unknown>): Promise<void> =>
  forEach(
    what,
    await listBusinesses(),
    (businessId) => ({ businessId }),
    (businessId) => work(systemActor(businessId)),
  )
