import type { SessionUser } from '../../features/accounts/contract.ts'
import type { SessionKind } from '../../shared/roles.ts'

/** What the tabs of one browser tell each other. A token travels so only from memory to memory and is never stored. */
export type SessionMessage =
  | { type: 'token'; kind: SessionKind; token: string; user: SessionUser }
  | { type: 'signedOut'; kind: SessionKind }

export type SessionChannel = {
  post: (message: SessionMessage) => void
  listen: (listener: (message: SessionMessage) => void) => void
}

const silent: SessionChannel = { post: () => undefined, listen: () => undefined }

export const browserChannel = (): SessionChannel => {
  if (typeof BroadcastChannel === 'undefined') return silent
  const channel = new BroadcastChannel('swath-session')
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => {
      channel.onmessage = (event: MessageEvent<SessionMessage>) => listener(event.data)
    },
  }
}

/** One at a time over all tabs; where a browser has no locks the server's grace for a used refresh token covers the race. */
export const browserExclusive = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  typeof navigator !== 'undefined' && navigator.locks ? (navigator.locks.request(name, work) as Promise<T>) : work()
