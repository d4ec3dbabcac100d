import { paths } from '../../../shared/paths.ts'
import type { Role } from '../../../shared/roles.ts'

const key = 'swath.return-to'

/** Only a path of our own: one slash, no scheme, no other host. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])/.test(path) && !/[\r\n]/.test(path)

/** Keeps the page that somebody wanted before they had to sign in, over a trip to an outside provider too. */
export const rememberReturn = (path: string): void => {
  try {
    if (isOwnPath(path)) sessionStorage.setItem(key, path)
  } catch {
    // a private window forgets it: the person starts at their dashboard
  }
}

const takeReturn = (): string | null => {
  try {
    const path = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return path && isOwnPath(path) ? path : null
  } catch {
    return null
  }
}

export const startOf = (role: Role): string => (role === 'Employee' ? paths.employeeDashboard : paths.dashboard)

/** Where a person goes after signing in: the page they wanted, else the start of their role. */
export const afterSignIn = (role: Role): string => takeReturn() ?? startOf(role)
