import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
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
  const { rows } = await sql<SessionRow & { lastUsedAt: string }>`
    select * from who_asks(${claims.businessId}, ${claims.userId}, ${claims.sessionId})`.execute(database())
  const row = rows[0]
  if (row && !row.revokedAt && clock.nowMs() - Date.parse(row.lastUsedAt) > useNotedMs)
    await noteUse(claims, row.lastUsedAt)
  return row
}
