import { type ComponentType, Suspense, use, useEffect } from 'react'

/** A component whose code comes when it is first drawn, or `ahead` of that. */
export type LazyAhead<P extends object> = ComponentType<P> & { ahead: () => void }

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
  const keep = (component: ComponentType<P>) => {
    found = component
    return component
  }
  const drawn = (props: P) => {
    if (!found) waiting ??= asked(load).then(keep)
    const Found = found ?? use(waiting as Promise<ComponentType<P>>)
    return <Found {...props} />
  }
  // what did not come ahead is asked for again when it is drawn, and only then said
  const ahead = () => void (found ?? waiting ?? load().then(keep, () => undefined))
  return Object.assign(drawn, { ahead })
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
  return Object.assign(drawn, { ahead: Part.ahead })
}

/** Fetches parts as soon as what they belong to is drawn, so that a press finds them. */
export const useAhead = (...parts: readonly { ahead: () => void }[]): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    for (const part of parts) part.ahead()
  }, [])
}
