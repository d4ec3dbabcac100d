import { clock } from '../../../../platform/clock.ts'
import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import { quietUntil } from '../../../messages/rules.ts'

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

/** Telephone Consumer Protection Act, 47 CFR 64.1200(c)(1): 8:00 to 21:00 at the recipient. */
const quiet = { startMinute: 1260, endMinute: 480 }

/** When a text of this purpose may leave to a lead in a zone (the product owner's where none is known); null for now. */
export const quietHoursOf = async (
  db: ProspectsDb,
  purpose: Parameters<typeof quietUntil>[0],
  leadTimeZone: string | null | undefined,
): Promise<string | null> => {
  const { timeZone } = await db.selectFrom('settings').select('timeZone').executeTakeFirstOrThrow()
  return quietUntil(purpose, clock.now(), leadTimeZone ?? timeZone, quiet)
}
