import { type ComponentType, use } from 'react'

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
