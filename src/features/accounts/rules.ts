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
