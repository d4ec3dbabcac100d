import { type ComponentType, Suspense, use, useEffect, useReducer } from 'react'

/** A component whose code comes when it is first drawn, or `ahead` of that. */
export type LazyAhead<P extends object> = ComponentType<P> & {
  ahead: () => void
  /** Null once its code is here, or known not to come; else what settles then. */
  coming: () => Promise<unknown> | null
}

/**
 * As `lazy`, but what was fetched ahead is drawn at once. React's own shows its waiting sign first even when the code is there, and then holds
 * what comes after it back until that sign has stood for 300 ms.
 */
export const lazyAhead = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  asked: (load: () => Promise<ComponentType<P>>) => Promise<ComponentType<P>> = (load) => load(),
): LazyAhead<P> => {
  let found: ComponentType<P> | undefined
  let waiting: Promise<ComponentType<P>> | undefined
  let settled: Promise<unknown> | undefined
  let failed = false
  const keep = (component: ComponentType<P>) => {
    found = component
    return component
  }
  const wait = () => {
    waiting ??= asked(load).then(keep)
    return waiting
  }
  const drawn = (props: P) => {
    const Found = found ?? use(wait())
    return <Found {...props} />
  }
  const coming = () => {
    if (found || failed) return null
    settled ??= wait().catch(() => {
      failed = true
    })
    return settled
  }
  // what did not come ahead is asked for again when it is drawn, and only then said
  const ahead = () => void (found ?? waiting ?? load().then(keep, () => undefined))
  return Object.assign(drawn, { ahead, coming })
}

/**
 * Whether a component's code is here. Until then whoever asks draws the waiting sign themselves: one that React puts up for a part that is not
 * ready stands for at least 300 ms, however soon the code comes. Code that does not come counts as here: drawing it says why.
 */
export const useIsHere = (part: Pick<LazyAhead<never>, 'coming'> | undefined): boolean => {
  const [, look] = useReducer((looks: number) => looks + 1, 0)
  const coming = part?.coming() ?? null
  useEffect(() => {
    if (!coming) return
    let isOver = false
    void coming.then(() => {
      if (!isOver) look()
    })
    return () => {
      isOver = true
    }
  }, [coming])
  return coming === null
}

/**
 * A part that is not there at first, a dialog or an editor: its code comes after what the screen shows, and nothing around it waits for it. One
 * that is drawn closed comes by itself; one that is drawn only when it is asked for is fetched `ahead` as soon as somebody may ask for it.
 */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>): LazyAhead<P> => {
  const Part = lazyAhead(load)
  const drawn = (props: P) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  )
  return Object.assign(drawn, { ahead: Part.ahead, coming: Part.coming })
}

/** Fetches parts as soon as what they belong to is drawn, so that a press finds them. */
export const useAhead = (...parts: readonly { ahead: () => void }[]): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    for (const part of parts) part.ahead()
  }, [])
}
