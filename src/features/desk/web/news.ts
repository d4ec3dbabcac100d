import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { fetchFailure } from './words.ts'

/** How long a banner stays: good news 5 s, bad news 8 s. */
export const newsMs = { done: 5_000, error: 8_000 } as const

export type News = { tone: 'done' | 'error'; words: string }

/** The one banner of the desk; newer news takes the place of older. */
export const useNewsState = () => {
  const [news, setNews] = useState<News | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const close = useCallback(() => {
    clearTimeout(timer.current)
    setNews(null)
  }, [])
  const tell = useCallback((tone: News['tone'], words: string) => {
    clearTimeout(timer.current)
    setNews({ tone, words })
    timer.current = setTimeout(() => setNews(null), newsMs[tone])
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return useMemo(() => ({ news, tell, close }), [news, tell, close])
}

const Context = createContext<((tone: News['tone'], words: string) => void) | null>(null)
export const TellContext = Context.Provider

/** Says what happened, in the banner of the desk. */
export const useTell = () => {
  const tell = use(Context)
  if (!tell) throw new Error('There is no banner here.')
  return tell
}

/** Says each time that leads could not be fetched, also when the reason is the same again. */
export const useTellFailure = ({ error, errorUpdatedAt }: { error: Error | null; errorUpdatedAt: number }) => {
  const tell = useTell()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of the failure is what is new
  useEffect(() => {
    if (error) tell('error', fetchFailure(error))
  }, [errorUpdatedAt])
}
