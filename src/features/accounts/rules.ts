import { ApiError, serverMessage } from '../../shared/client.ts'
import type { SessionKind } from '../../shared/roles.ts'

/** Refresh tokens live 30 days from their last use. */
export const refreshSeconds = 30 * 24 * 3600

/**
 * How long a used refresh token still gets the same successor, as long as that successor was not used itself: two tabs that race
 * stay signed in; the crew app has longer, because answers get lost in the field.
 */
export const graceSeconds = (kind: SessionKind): number => (kind === 'employee' ? 60 : 10)

export type StoredSession = {
  usedAt: string | null
  revokedAt: string | null
  expiresAt: string
  successorUsed: boolean
}

/**
 * What a refresh token is worth now: `rotate` (first use), `repeat` (the same successor again), `reuse` (somebody else used it:
 * the family ends) or `ended`.
 */
export const refreshVerdict = (
  session: StoredSession,
  kind: SessionKind,
  nowMs: number,
): 'rotate' | 'repeat' | 'reuse' | 'ended' => {
  if (session.revokedAt || Date.parse(session.expiresAt) <= nowMs) return 'ended'
  if (!session.usedAt) return 'rotate'
  const inGrace = nowMs - Date.parse(session.usedAt) <= graceSeconds(kind) * 1000
  return inGrace && !session.successorUsed ? 'repeat' : 'reuse'
}

/** Passwords that somebody sets for themselves. */
export const passwordMinimum = 8
export const passwordTooShort = `Password must be at least ${passwordMinimum} characters long`

/** The ranges of customers that a new business chooses from, with the number that stands for each. */
export const customerRanges = [
  { value: '0-10', label: '0-10', count: 0 },
  { value: '11-25', label: '11-25', count: 11 },
  { value: '26-50', label: '26-50', count: 26 },
  { value: '51-100', label: '51-100', count: 51 },
  { value: '100+', label: '100+', count: 100 },
] as const

/** The number that a chosen range stands for; anything else is 0. */
export const customerCountOf = (range: string): number =>
  customerRanges.find((known) => known.value === range)?.count ?? 0

export const companySizes = [
  { value: 'solo', label: 'Just me' },
  { value: 'small', label: '2-5 employees' },
  { value: 'medium', label: '6-20' },
  { value: 'large', label: '20+' },
] as const

/** A name as it may stand in an address: `Whitfield & Sons Lawn Care` becomes `whitfield-sons-lawn-care`. Never shorter than 3 or longer than 40. */
export const slugOf = (name: string): string => {
  const slug = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
  return slug.length >= 3 ? slug : `lawn-${slug}`.replace(/-+$/, '') || 'lawn'
}

/** What a mailed link may do, and for how long. */
export const linkSeconds = {
  verifyEmail: 7 * 24 * 3600,
  changeEmail: 24 * 3600,
  signIn: 15 * 60,
  resetPassword: 3600,
} as const
export type LinkPurpose = keyof typeof linkSeconds

export type StoredLink = { purpose: string; email: string; expiresAt: string; usedAt: string | null }

/** Whether a mailed link still does what it was sent for: unused, in time, and for one of these purposes. */
export const isLinkOpen = (link: StoredLink, purposes: readonly LinkPurpose[], nowMs: number): boolean =>
  link.usedAt === null && Date.parse(link.expiresAt) > nowMs && (purposes as readonly string[]).includes(link.purpose)

const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'Chromebook'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
]
const browsers: [RegExp, string][] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** What a browser calls itself, in words for a person: "Chrome on Windows". */
export const deviceName = (userAgent: string): string => {
  const system = systems.find(([shape]) => shape.test(userAgent))?.[1]
  const browser = browsers.find(([shape]) => shape.test(userAgent))?.[1]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}

/** How long a closed business can still be opened again. */
export const closedDays = 30

/** What to say when an account could not be opened. */
export const registrationMessage = (error: unknown): string => {
  if (error instanceof Error && error.message === 'Invalid token response') return error.message
  if (error instanceof ApiError && error.status === 0) return 'Registration failed. Please try again later.'
  return serverMessage(error, 'Registration failed')
}
