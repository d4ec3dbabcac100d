import type { SessionUser } from '../../features/accounts/contract.ts'
import { navCookie } from '../../features/marketing/rules.ts'
import type { SessionKind } from '../../shared/roles.ts'

/** The little that a browser remembers of a session: which kind the tab had, the crew app's profile, a sign-out that did not reach the server. */
export type Memory = {
  kind: () => SessionKind | null
  /** Which session this tab means, and what the public pages may know of it: that there is one. */
  setKind: (kind: SessionKind, user: Pick<SessionUser, 'subscriptionTier'>) => void
  profile: (kind: SessionKind) => SessionUser | null
  setProfile: (kind: SessionKind, user: SessionUser) => void
  unfinishedSignOut: () => SessionKind | null
  setUnfinishedSignOut: (kind: SessionKind | null) => void
  clear: (kind: SessionKind, options?: { onlyTab?: boolean }) => void
}

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const hintName = 'swath_app'
const kindKey = 'swath.kind'
const signOutKey = 'swath.sign-out'
const profileKey = (kind: SessionKind): string => `swath.profile.${kind}`
const hint = (name: string, value: string): string => `${name}=${value}; Path=/; Max-Age=2592000; SameSite=Lax`
const asKind = (text: string | null | undefined): SessionKind | null =>
  text === 'admin' || text === 'employee' ? text : null

/** Private windows may refuse storage; the product then forgets at the end of the tab and works all the same. */
const quietly = (store: () => Store): Store => {
  const attempt = <T>(work: (s: Store) => T, otherwise: T): T => {
    try {
      return work(store())
    } catch {
      return otherwise
    }
  }
  return {
    getItem: (key) => attempt((s) => s.getItem(key), null),
    setItem: (key, value) => attempt((s) => s.setItem(key, value), undefined),
    removeItem: (key) => attempt((s) => s.removeItem(key), undefined),
  }
}

export type CookieJar = { read: () => string; write: (cookie: string) => void }

export const createMemory = ({
  tab,
  device,
  cookies,
}: {
  tab: () => Store
  device: () => Store
  cookies: CookieJar
}): Memory => {
  const [tabStore, deviceStore] = [quietly(tab), quietly(device)]
  const hinted = (): SessionKind | null => asKind(new RegExp(`(?:^|; )${hintName}=([a-z]+)`).exec(cookies.read())?.[1])
  return {
    kind: () => asKind(tabStore.getItem(kindKey)) ?? hinted(),
    setKind: (kind, user) => {
      tabStore.setItem(kindKey, kind)
      cookies.write(hint(navCookie, user.subscriptionTier ? 'tier' : 'notier'))
      cookies.write(hint(hintName, kind))
    },
    profile: (kind) => {
      try {
        return JSON.parse(deviceStore.getItem(profileKey(kind)) ?? 'null') as SessionUser | null
      } catch {
        return null
      }
    },
    setProfile: (kind, user) => deviceStore.setItem(profileKey(kind), JSON.stringify(user)),
    unfinishedSignOut: () => asKind(deviceStore.getItem(signOutKey)),
    setUnfinishedSignOut: (kind) => (kind ? deviceStore.setItem(signOutKey, kind) : deviceStore.removeItem(signOutKey)),
    clear: (kind, { onlyTab = false } = {}) => {
      tabStore.removeItem(kindKey)
      if (onlyTab) return
      deviceStore.removeItem(profileKey(kind))
      if (hinted() !== kind) return
      for (const name of [hintName, navCookie]) cookies.write(`${name}=; Path=/; Max-Age=0; SameSite=Lax`)
    },
  }
}

export const browserMemory = (): Memory =>
  createMemory({
    tab: () => sessionStorage,
    device: () => localStorage,
    cookies: {
      read: () => document.cookie,
      write: (cookie) => {
        // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser, and this hint holds no secret
        document.cookie = cookie
      },
    },
  })
