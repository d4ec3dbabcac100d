import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../shared/client.ts'
import { checkConnection } from './connectivity.ts'

/** A lost answer may mean a lost connection: the banner finds out. */
const onError = (error: unknown): void => {
  if (error instanceof ApiError && error.code === 'network') void checkConnection()
}

/** The client repeats lost requests itself, so the cache does not; it also never waits for the browser to believe that it is online. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 15_000, gcTime: 10 * 60_000, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
