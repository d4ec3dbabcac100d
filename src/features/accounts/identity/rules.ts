import { screenAt } from '../../../shared/screens.ts'

const google = 'https://accounts.google.com'

/** What the server was started with, as far as it decides who vouches for people. */
export type IdentitySettings = {
  production: boolean
  googleClientId: string | undefined
  googleClientSecret: string | undefined
  oidcIssuer: string | undefined
}

export type IdentityMode =
  | { mode: 'real'; issuer: string }
  /** The provider of this computer, for trying things out. */
  | { mode: 'local' }
  | { mode: 'off'; missing: ('GOOGLE_CLIENT_ID' | 'GOOGLE_CLIENT_SECRET')[] }

/** Which identity provider is asked. Half a configuration is none: it stays off and says what is missing. */
export const identityMode = (settings: IdentitySettings): IdentityMode => {
  const { googleClientId, googleClientSecret, oidcIssuer } = settings
  if (googleClientId && googleClientSecret) return { mode: 'real', issuer: oidcIssuer ?? google }
  const missing = [
    ...(googleClientId ? [] : (['GOOGLE_CLIENT_ID'] as const)),
    ...(googleClientSecret ? [] : (['GOOGLE_CLIENT_SECRET'] as const)),
  ]
  if (settings.production || googleClientId || googleClientSecret || oidcIssuer) return { mode: 'off', missing }
  return { mode: 'local' }
}

/** Google signs as either of two names; they are one issuer. */
export const issuerNames = (issuer: string): string[] => {
  const tidy = issuer.replace(/\/+$/, '')
  return tidy === google || tidy === 'accounts.google.com' ? [google, 'accounts.google.com'] : [issuer]
}

/** The name under which identities of an issuer are kept. */
export const canonicalIssuer = (issuer: string): string => issuerNames(issuer)[0] ?? issuer

/**
 * The path to come back to after signing in, or null: only a screen of ours that needs somebody signed in, never another site, never an
 * address that does something by itself.
 */
export const returnPath = (path: string | null | undefined): string | null => {
  if (!path || path.length > 500 || !/^\/[^/\\]/.test(path) || /[\\\s]/.test(path)) return null
  let url: URL
  try {
    url = new URL(path, 'http://here.invalid')
  } catch {
    return null
  }
  if (url.origin !== 'http://here.invalid') return null
  const screen = screenAt(url.pathname)
  return screen && screen.access !== 'open' ? `${url.pathname}${url.search}` : null
}

export type Claims = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

export type KnownPerson = { businessId: string; userId: string; status: 'invited' | 'active' | 'disabled' }

export type IdentityFacts = {
  claims: Claims
  /** Whom this identity belongs to already. */
  linked: KnownPerson | null
  /** Whose sign-in this e-mail is. */
  account: KnownPerson | null
  /** The invitation that the person came with. */
  invite: { open: boolean; email: string | null; userId: string } | null
  /** The signed-in person who asked to connect, having given the password. */
  connectTo: { businessId: string; userId: string } | null
}

/** Why somebody is not let in, each with a page that says so. */
export const identityProblems = [
  'canceled',
  'lost',
  'failed',
  'off',
  'email_not_verified',
  'invited',
  'disabled',
  'invite_email',
  'invite_over',
  'taken',
] as const
export type IdentityProblem = (typeof identityProblems)[number]

export type IdentityVerdict =
  | { kind: 'signIn'; businessId: string; userId: string }
  | { kind: 'connect'; businessId: string; userId: string }
  | { kind: 'takeInvite' }
  /** The e-mail is somebody's sign-in: they have to prove that it is theirs. */
  | { kind: 'prove'; businessId: string; userId: string }
  | { kind: 'register' }
  | { kind: 'problem'; problem: IdentityProblem }

const problem = (name: IdentityProblem): IdentityVerdict => ({ kind: 'problem', problem: name })

/**
 * What a person whom an identity provider vouches for may do. The identity is issuer and subject; an e-mail alone never opens an
 * account, because whoever registered first with somebody else's address would share it.
 */
export const identityVerdict = ({ claims, linked, account, invite, connectTo }: IdentityFacts): IdentityVerdict => {
  if (connectTo) {
    if (linked && (linked.userId !== connectTo.userId || linked.businessId !== connectTo.businessId))
      return problem('taken')
    return claims.emailVerified ? { kind: 'connect', ...connectTo } : problem('email_not_verified')
  }
  if (invite) {
    if (!invite.open) return problem('invite_over')
    if (linked) return problem('taken')
    if (!claims.emailVerified) return problem('email_not_verified')
    return invite.email !== null && invite.email === claims.email ? { kind: 'takeInvite' } : problem('invite_email')
  }
  if (linked)
    return linked.status === 'active'
      ? { kind: 'signIn', businessId: linked.businessId, userId: linked.userId }
      : problem('disabled')
  if (!claims.email || !claims.emailVerified) return problem('email_not_verified')
  if (!account) return { kind: 'register' }
  if (account.status === 'disabled') return problem('disabled')
  if (account.status === 'invited') return problem('invited')
  return { kind: 'prove', businessId: account.businessId, userId: account.userId }
}
