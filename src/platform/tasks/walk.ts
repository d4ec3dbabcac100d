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

type ListBusinesses = () => Promise<BusinessId[]>

const nobodySaid: ListBusinesses = async () => {
  throw new Error('Nobody said which businesses there are.')
}
let lists: { all: ListBusinesses; open: ListBusinesses } = { all: nobodySaid, open: nobodySaid }

/** Says which businesses there are, and which of them were not closed; set once at start from the feature that holds them. */
export const setBusinessList = (source: typeof lists): void => {
  lists = source
}

type Work = (actor: SystemActor) => Promise<unknown>

const walk = async (what: string, list: ListBusinesses, work: Work): Promise<void> =>
  forEach(
    what,
    await list(),
    (businessId) => ({ businessId }),
    (businessId) => work(systemActor(businessId)),
  )

/**
 * Work that settles what began, looks after it or tidies up: once for every business, also one that was closed, whatever happens with the others.
 * @throws like `forEach`
 */
export const forEachBusiness = (what: string, work: Work): Promise<void> => walk(what, lists.all, work)

/**
 * Work that begins something new, money above all: once for every business that was not closed. A closed one charges, bills and reminds nobody.
 * @throws like `forEach`
 */
export const forEachOpenBusiness = (what: string, work: Work): Promise<void> => walk(what, lists.open, work)
