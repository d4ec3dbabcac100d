import { accountsApi, type SessionUser } from '../../features/accounts/contract.ts'
import type { Session, SessionState } from '../../features/accounts/web/session.ts'
import { ApiError, call } from '../../shared/client.ts'
import { type SessionKind, sessionKindOf } from '../../shared/roles.ts'
import { breaker } from './breaker.ts'
import type { SessionChannel, SessionMessage } from './channel.ts'
import type { Memory } from './memory.ts'

export const notices = {
  invalidToken: 'Invalid token response',
  conflict: 'Session conflict detected - please log in again',
  tooMany: 'Too many authentication failures. Please log in again.',
  failed: 'Authentication failed. Please log in again.',
} as const

export type SessionParts = {
  fetch: typeof fetch
  memory: Memory
  channel: SessionChannel
  /** Runs one at a time over all tabs of this browser. */
  exclusive: <T>(name: string, work: () => Promise<T>) => Promise<T>
  now: () => number
  /** The kind this entry means when neither the tab nor the browser remembers one. */
  fallbackKind: SessionKind
  /** The crew app opens on the remembered profile when there is no signal. */
  remembersProfile: boolean
  pause: (ms: number) => Promise<void>
  /** Whether something typed on the screen would be lost by leaving it. */
  hasUnsavedInput: () => boolean
}

/** On bad reception no answer comes for half a minute: whoever is remembered waits no longer than this for what is on their phone. */
const patienceMs = 1_000

type Answer = { token: string; user: SessionUser }

const isAnswer = (value: unknown): value is Answer => {
  const answer = value as Partial<Answer> | null
  return typeof answer?.token === 'string' && answer.token !== '' && typeof answer.user?._id === 'string'
}

/** Whether an answer says nothing about the session: the server is away, broken or busy, or a proxy of a hotel answers with a page of its own. */
const isNoVerdict = ({ status, headers }: Response): boolean =>
  status >= 500 || status === 429 || !(headers.get('content-type') ?? '').includes('json')

const awayError = (status: number): ApiError =>
  status === 429
    ? new ApiError('too_many_requests', 'Too much at once. Nothing was lost; please try again in a minute.', status)
    : new ApiError(
        'unavailable',
        'Swath is away for a moment. Nothing was lost; please try again.',
        status < 500 ? 503 : status,
      )

/**
 * The one place that knows who is signed in. The access token lives in this closure and nowhere else; the refresh token is a cookie
 * that scripts cannot read. See decisions 3 for the rules of two tabs, two kinds of session and no signal.
 */
export const createSession = ({
  fetch,
  memory,
  channel,
  exclusive,
  now,
  fallbackKind,
  remembersProfile,
  pause,
  hasUnsavedInput,
}: SessionParts): Session & { outage: () => ApiError | null } => {
  let state: SessionState = { phase: 'starting' }
  let token: string | null = null
  let tokenAt = 0
  let kind: SessionKind = memory.kind() ?? fallbackKind
  let refreshing: Promise<boolean> | null = null
  /** What came of the last refresh where nobody said whether the session stands. */
  let outage: ApiError | null = null
  /** Another one since somebody left or came: what was asked before is an answer to nobody. */
  let era = 0
  const listeners = new Set<() => void>()
  const failures = breaker({ limit: 3, withinMs: 60_000, now })

  const become = (next: SessionState): void => {
    state = next
    for (const listener of listeners) listener()
  }

  const enter = (answer: Answer, share: boolean): void => {
    token = answer.token
    tokenAt = now()
    kind = sessionKindOf(answer.user.role)
    memory.setKind(kind, answer.user)
    const remembered = memory.profile(kind)
    // Where the office lets somebody else in, the crew app does not open on the one before.
    if (remembersProfile || (remembered && remembered._id !== answer.user._id)) memory.setProfile(kind, answer.user)
    become({ phase: 'signedIn', user: answer.user, verified: true })
    if (share) channel.post({ type: 'token', kind, ...answer })
  }

  /**
   * Forgets the person; work that the crew app has not sent yet is kept elsewhere and stays. After a conflict what the device
   * remembers is already the other person's, so only this tab forgets.
   */
  const leave = (notice?: string, left = false): void => {
    const user = currentUser()
    era += 1
    token = null
    memory.clear(kind, { onlyTab: notice === notices.conflict })
    // Somebody else's token ends everything here; a session that ran out waits for its person as long as something typed would be lost.
    if (user && notice && notice !== notices.conflict && hasUnsavedInput()) become({ phase: 'expired', user, notice })
    else become({ phase: 'signedOut', ...(notice ? { notice } : {}), ...(left ? { left: true as const } : {}) })
  }

  const currentUser = (): SessionUser | null =>
    state.phase === 'signedIn' || state.phase === 'expired' ? state.user : null
  const isSomebodyElse = (user: SessionUser): boolean => {
    const mine = currentUser()
    return mine !== null && mine._id !== user._id
  }

  const ask = async (of: SessionKind): Promise<Response> => {
    try {
      return await fetch(accountsApi.refresh.path, {
        method: 'POST',
        credentials: 'same-origin',
        headers: { accept: 'application/json', 'x-client-app': of },
        signal: AbortSignal.timeout(30_000),
      })
    } catch {
      throw new ApiError('network', 'We could not reach Swath. Check your connection and try again.', 0)
    }
  }

  /**
   * @returns true with a new token; false when there is none, and the session is over or was refused
   * @throws ApiError where nobody says so: no signal, a server that is away or busy, a page of somebody else's. Nothing of the session changes by it.
   */
  const refreshOnce = async (asked: number): Promise<boolean> => {
    if (token !== null && tokenAt > asked) return true
    if (failures.isOpen()) {
      leave(notices.tooMany)
      return false
    }
    const asker = era
    const response = await ask(kind)
    if (isNoVerdict(response)) throw awayError(response.status)
    const answer: unknown = response.ok ? await response.json().catch(() => null) : null
    if (era !== asker) return token !== null
    if (isAnswer(answer)) {
      if (isSomebodyElse(answer.user)) {
        leave(notices.conflict)
        return false
      }
      failures.reset()
      enter(answer, true)
      return true
    }
    failures.add()
    if (failures.isOpen()) leave(notices.tooMany)
    else if (response.ok) leave(notices.invalidToken)
    else if (response.status === 401) leave(currentUser() ? notices.failed : undefined)
    return false
  }

  const refresh = (): Promise<boolean> => {
    if (state.phase === 'signedOut' || state.phase === 'expired') {
      outage = null
      return Promise.resolve(false)
    }
    const asked = now()
    refreshing ??= exclusive(`swath-session-${kind}`, () => refreshOnce(asked))
      .then((got) => {
        outage = null
        return got
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        outage = error
        return false
      })
      .finally(() => {
        refreshing = null
      })
    return refreshing
  }

  const endOnServer = async (of: SessionKind): Promise<boolean> => {
    const response = await fetch(accountsApi.logout.path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { accept: 'application/json', 'x-client-app': of },
    }).catch(() => null)
    return response !== null && response.status < 500
  }

  const start = async ({ needsUser = true } = {}): Promise<void> => {
    const unfinished = memory.unfinishedSignOut()
    if (unfinished) {
      if (await endOnServer(unfinished)) memory.setUnfinishedSignOut(null)
      become({ phase: 'signedOut' })
      return
    }
    if (!needsUser && memory.kind() === null) {
      become({ phase: 'signedOut' })
      return
    }
    for (const next of new Set([kind, fallbackKind])) {
      kind = next
      become({ phase: 'starting' })
      // What comes later still counts: an answer that lets the person in, or one that does not.
      await (remembersProfile && memory.profile(kind) ? Promise.race([refresh(), pause(patienceMs)]) : refresh())
      const after = session.get()
      if (after.phase === 'signedIn' || (after.phase === 'signedOut' && after.notice)) return
      if (after.phase === 'starting') break
    }
    if (session.get().phase === 'signedOut') return
    const remembered = remembersProfile ? memory.profile(kind) : null
    become(remembered ? { phase: 'signedIn', user: remembered, verified: false } : { phase: 'unreachable' })
  }

  const adopt = (answer: unknown): SessionUser => {
    if (!isAnswer(answer)) throw new Error(notices.invalidToken)
    era += 1
    failures.reset()
    memory.setUnfinishedSignOut(null)
    enter(answer, true)
    return answer.user
  }

  const signIn = async (email: string, password: string, options: { reopen?: boolean } = {}): Promise<SessionUser> =>
    adopt(await call(accountsApi.login, { body: { email, password, ...options } }, { retries: 0 }))

  const signOut = async (): Promise<void> => {
    const of = kind
    leave(undefined, true)
    channel.post({ type: 'signedOut', kind: of })
    memory.setUnfinishedSignOut(of)
    if (await endOnServer(of)) memory.setUnfinishedSignOut(null)
  }

  const refreshUser = async (): Promise<SessionUser | null> => {
    if (state.phase !== 'signedIn') return null
    try {
      const { user } = await call(accountsApi.verify, {}, { retries: 1 })
      if (isSomebodyElse(user)) leave(notices.conflict)
      else {
        memory.setKind(kind, user)
        if (remembersProfile) memory.setProfile(kind, user)
        become({ phase: 'signedIn', user, verified: true })
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401 && currentUser()) leave(notices.failed)
    }
    return currentUser()
  }

  channel.listen((message: SessionMessage) => {
    if (message.kind !== kind) return
    if (message.type === 'signedOut') {
      if (state.phase !== 'signedOut') leave(undefined, true)
    } else if (isSomebodyElse(message.user)) leave(notices.conflict)
    else if (state.phase !== 'signedOut') enter(message, false)
  })

  const session = {
    get: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start,
    signIn,
    adopt,
    signOut,
    refreshUser,
    refresh,
    outage: () => outage,
    token: () => token,
    kind: () => kind,
  }
  return session
}
