import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { fetchFailure } from './labels.ts'

/** How long a banner stays: good news 5 s, bad news 8 s. */
export const noticeMs = { done: 5_000, error: 8_000 } as const

export type Notice = { tone: 'done' | 'error'; message: string }

/** The one banner of the desk; newer news takes the place of older. */
export const useNoticeState = () => {
  const [notice, setNotice] = useState<Notice | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const close = useCallback(() => {
    clearTimeout(timer.current)
    setNotice(null)
  }, [])
  const notify = useCallback((tone: Notice['tone'], message: string) => {
    clearTimeout(timer.current)
    setNotice({ tone, message })
    timer.current = setTimeout(() => setNotice(null), noticeMs[tone])
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return useMemo(() => ({ notice, notify, close }), [notice, notify, close])
}

const Context = createContext<((tone: Notice['tone'], message: string) => void) | null>(null)
export const NotifyContext = Context.Provider

/** Says what happened, in the banner of the desk. */
export const useNotify = () => {
  const notify = use(Context)
  if (!notify) throw new Error('There is no banner here.')
  return notify
}

/** Says each time that leads could not be fetched, also when the reason is the same again. */
export const useNotifyFailure = ({ error, errorUpdatedAt }: { error: Error | null; errorUpdatedAt: number }) => {
  const notify = useNotify()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of the failure is what is new
  useEffect(() => {
    if (error) notify('error', fetchFailure(error))
  }, [errorUpdatedAt])
}
