import type { Role } from '../shared/roles.ts'
import { movedTo, type ScreenEntry, screenAt, tidyPath } from '../shared/screens.ts'

export const messages = {
  signIn: 'Please sign in to access this page.',
  subscribe: 'Active subscription required to access this feature.',
} as const

export type EntryUser = {
  role: Role
  email: string | null
  subscriptionActive: boolean
  subscriptionTier: string | null
}

export type EntryRequest = {
  user: EntryUser | null
  platform: 'web' | 'native'
  path: string
  /** With its question mark, or empty. */
  search?: string
}

export type RedirectState = { message?: string; email?: string | null }

export type Entry =
  | { redirect: string; state?: RedirectState; show?: undefined }
  /** `as` is the build that draws it. */
  | { show: ScreenEntry; as: 'public' | 'admin' | 'crew'; redirect?: undefined }

/** Where a person starts: the crew's day or the office's. */
export const startOf = (user: Pick<EntryUser, 'role'>): string =>
  user.role === 'Employee' ? '/employee-dashboard' : '/dashboard'

/** In the native app these are no pages but the way to the own start. */
const leavesFor = (platform: EntryRequest['platform'], screen: ScreenEntry): boolean =>
  platform === 'native' && (screen.path === '/' || screen.webOnly === true)

/** Whether who is signed in decides what stands at a path: then nothing is drawn, and nobody led away, before that is known. */
export const dependsOnUser = ({ platform, path }: Pick<EntryRequest, 'platform' | 'path'>): boolean => {
  const screen = screenAt(tidyPath(path))
  return screen?.access !== 'open' || leavesFor(platform, screen)
}

/**
 * Every redirect of the product: moved addresses, the native app's own, role, sign-in and subscription. Pure, so that a table of
 * cases can hold all of them; the caller refreshes the user once before it believes a redirect to /pricing.
 */
export const resolveEntry = ({ user, platform, path, search = '' }: EntryRequest): Entry => {
  const at = tidyPath(path)
  const moved = movedTo(at, search)
  if (moved) return { redirect: moved }

  const screen = screenAt(at)
  if (!screen) return { redirect: '/' }

  if (leavesFor(platform, screen)) return { redirect: user ? startOf(user) : '/signin' }

  if (screen.access === 'open') return { show: screen, as: screen.surface === 'public' ? 'public' : 'admin' }
  if (!user) return { redirect: '/signin', state: { message: messages.signIn } }

  const isCrew = user.role === 'Employee'
  if (screen.access !== 'member' && isCrew) return { redirect: '/employee-dashboard' }
  if (screen.access === 'subscribed' && !(user.subscriptionActive && user.subscriptionTier)) {
    return { redirect: '/pricing', state: { message: messages.subscribe, email: user.email } }
  }
  if (screen.surface === 'byRole') return { show: screen, as: isCrew ? 'crew' : 'admin' }
  return { show: screen, as: screen.surface === 'crew' ? 'crew' : 'admin' }
}
