import type { ProspectsDb } from '../../../../platform/db/prospects.ts'

/** Whether an address of a prospect is suppressed, and for what; the widest suppression wins. */
export const findProspectSuppression = async (
  db: ProspectsDb,
  channel: 'email' | 'sms',
  address: string,
): Promise<{ purpose: 'all' | 'marketing'; reason: string } | null> => {
  const rows = await db
    .selectFrom('suppressions')
    .select(['purpose', 'reason'])
    .where('channel', '=', channel)
    .where('address', '=', address)
    .execute()
  const row = rows.find((one) => one.purpose === 'all') ?? rows[0]
  return row ? { purpose: row.purpose, reason: row.reason } : null
}

/** The last word of a prospect on being written to at an address. */
export const findProspectConsent = async (
  db: ProspectsDb,
  channel: 'email' | 'sms',
  address: string,
): Promise<'grant' | 'revoke' | null> => {
  const row = await db
    .selectFrom('consentEvents')
    .select('action')
    .where('channel', '=', channel)
    .where('address', '=', address)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.action ?? null
}
