import pg from 'pg'
import { clock } from '../../../platform/clock.ts'
import { rowsInOneMessage } from '../../../platform/db/database.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import type { Claims, SessionRow } from '../../../platform/http/session.ts'

/** How exactly it is known when a session was last used; noting every request would write at every read. */
const useNotedMs = 5 * 60_000

const noteUse = (claims: Claims, before: string): Promise<unknown> =>
  withTenant(claims, (db) =>
    db
      .updateTable('sessions')
      .set({ lastUsedAt: clock.iso() })
      .where('businessId', '=', claims.businessId)
      .where('id', '=', claims.sessionId)
      .where('lastUsedAt', '=', before)
      .execute(),
  )

/** The person, the session and the business behind a token, in one round trip; the use of the session is noted every five minutes. */
export const readSession = async (claims: Claims): Promise<SessionRow | undefined> => {
  const ids = [claims.businessId, claims.userId, claims.sessionId].map(pg.escapeLiteral).join(', ')
  const [row] = await rowsInOneMessage<SessionRow & { lastUsedAt: string }>(
    `select name, role, permissions, status, token_version as "tokenVersion", archived_at as "archivedAt", time_zone as "timeZone", plan_tier as "planTier",
       subscription_status as "subscriptionStatus", past_due_since as "pastDueSince", require_two_factor as "requireTwoFactor",
       revoked_at as "revokedAt", last_used_at as "lastUsedAt", two_factor_since as "twoFactorSince"
     from who_asks(${ids})`,
  )
  if (row && !row.revokedAt && clock.nowMs() - Date.parse(row.lastUsedAt) > useNotedMs)
    await noteUse(claims, row.lastUsedAt)
  return row
}
