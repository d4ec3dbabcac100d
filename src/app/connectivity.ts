import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { noteReached, whenReached } from '../shared/reached.ts'

type State = { reached: boolean; checking: boolean }

const againMs = 8_000
let state: State = { reached: true, checking: false }
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const become = (next: State): void => {
  state = next
  for (const listener of listeners) listener()
}

/** Whether the server answers now. */
export const isServerThere = (): Promise<boolean> =>
  fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(6_000) }).then(
    (response) => response.ok,
    () => false,
  )

/** Asks the server whether it is there; while it is not, asks again every 8 s. */
export const checkConnection = async (): Promise<boolean> => {
  if (state.checking) return state.reached
  clearTimeout(timer)
  become({ ...state, checking: true })
  const reached = await isServerThere()
  become({ reached, checking: false })
  if (reached) noteReached()
  else timer = setTimeout(() => void checkConnection(), againMs)
  return reached
}

// Any answer says it sooner than the next question would.
whenReached(() => {
  if (state.reached) return
  clearTimeout(timer)
  become({ ...state, reached: true })
})

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the server answers; `onBack` runs when it does again. */
export const useConnection = (onBack: () => void) => {
  const now = useSyncExternalStore(subscribe, () => state)
  const [wasOffline, setWasOffline] = useState(false)
  useEffect(() => {
    const check = () => void checkConnection()
    window.addEventListener('online', check)
    window.addEventListener('offline', check)
    if (!navigator.onLine) check()
    return () => {
      window.removeEventListener('online', check)
      window.removeEventListener('offline', check)
    }
  }, [])
  useEffect(() => {
    if (!now.reached) setWasOffline(true)
    else if (wasOffline) {
      setWasOffline(false)
      onBack()
    }
  }, [now.reached, wasOffline, onBack])
  return { ...now, check: useCallback(() => void checkConnection(), []) }
}
