import { useCallback, useState } from 'react'

/** Whose account was opened last; the links below it are for them. */
export type Registered = { userId: string; name: string; email: string }

/** A checkout link, and for which plan it is. */
export type CheckoutLink = { url: string; plan: string }

type Opened = { registered: Registered; link: CheckoutLink | null }

const key = 'swath.owner-portal.opened'

const read = (): Opened | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Opened | null
  } catch {
    return null
  }
}

const write = (opened: Opened | null): void => {
  try {
    if (opened) sessionStorage.setItem(key, JSON.stringify(opened))
    else sessionStorage.removeItem(key)
  } catch {
    // a private window forgets it with a reload
  }
}

/** The account opened last in this tab with the link made for it; a reload leaves both, signing out does not. */
export const useOpened = () => {
  const [opened, setOpened] = useState(read)
  const keep = useCallback((next: Opened | null) => {
    write(next)
    setOpened(next)
  }, [])
  return [opened, keep] as const
}
