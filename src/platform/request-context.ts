import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** Runs everything that one request causes under its id. */
export const underRequest = (requestId: string, work: () => void): void => current.run(requestId, work)

/** The id of the request that this work is done for, as in its answer and its line in the log; null for background work. */
export const requestIdOf = (): string | null => current.getStore() ?? null
