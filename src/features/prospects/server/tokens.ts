import { createHash } from 'node:crypto'
import { clock } from '../../../platform/clock.ts'
import type { ProspectsDb } from '../../../platform/db/prospects.ts'
import { randomToken } from '../../../platform/ids.ts'
import { hmacToken } from '../../../platform/keys.ts'

/**
 * - `browser`: the application of the browser that made it; it shows what was typed there and nothing else
 * - `application`: from a mail, so its bearer reads the lead's mail: the application and the Setup Sprint
 * - `call`: one booked call, to move or cancel it
 * - `unsubscribe`: ends our own mail to a lead
 */
export type ProspectTokenKind = 'browser' | 'application' | 'call' | 'unsubscribe'

export type TokenTarget = { kind: ProspectTokenKind; leadId: string; entityId: string }

const hash = (token: string): string => createHash('sha256').update(token).digest('hex')

const store = (db: ProspectsDb, token: string, target: TokenTarget) =>
  db
    .insertInto('tokens')
    .values({ tokenHash: hash(token), ...target, createdAt: clock.iso() })
    .onConflict((c) => c.column('tokenHash').doNothing())
    .execute()

/** The token of a link in a mail: made again from the link key whenever the link is written, so only its hash is stored. */
export const mailedToken = async (db: ProspectsDb, target: TokenTarget): Promise<string> => {
  const token = hmacToken('link', `prospect-${target.kind}:${target.entityId}`)
  await store(db, token, target)
  return token
}

/** A new random token for this browser; nobody can make it again. */
export const browserToken = async (db: ProspectsDb, leadId: string, applicationId: string): Promise<string> => {
  const token = randomToken()
  await store(db, token, { kind: 'browser', leadId, entityId: applicationId })
  return token
}

/** What a token of one of these kinds leads to, or null when it is unknown, expired or revoked. */
export const findToken = async (
  db: ProspectsDb,
  token: string,
  ...kinds: ProspectTokenKind[]
): Promise<TokenTarget | null> => {
  const row = await db
    .selectFrom('tokens')
    .select(['kind', 'leadId', 'entityId', 'expiresAt', 'revokedAt'])
    .where('tokenHash', '=', hash(token))
    .where('kind', 'in', kinds)
    .executeTakeFirst()
  if (!row?.leadId || row.revokedAt || (row.expiresAt && Date.parse(row.expiresAt) < clock.nowMs())) return null
  return { kind: row.kind as ProspectTokenKind, leadId: row.leadId, entityId: row.entityId }
}
