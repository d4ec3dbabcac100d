import { database } from '../../platform/db/database.ts'
import { asBusinessId, withTenant } from '../../platform/db/tenant.ts'

export type AccountLetter = { address: string; subject: string; text: string; createdAt: string }

const newest = 20

/** The newest mail and texts of accounts, whoever's: those that came with one of the newest links. */
export const listAccountLetters = async (): Promise<AccountLetter[]> => {
  const links = await database()
    .selectFrom('publicTokens')
    .where('kind', 'in', ['account', 'employee-invite'])
    .orderBy('createdAt', 'desc')
    .limit(newest)
    .select('businessId')
    .execute()
  const letters: AccountLetter[] = []
  for (const businessId of new Set(links.map((link) => asBusinessId(link.businessId))))
    letters.push(
      ...(await withTenant({ businessId, readOnly: true }, (db) =>
        db
          .selectFrom('messages')
          .where('businessId', '=', db.businessId)
          .where('purpose', '=', 'account')
          .where('direction', '=', 'outbound')
          .orderBy('id', 'desc')
          .limit(newest)
          .select(['address', 'subject', 'bodyText as text', 'createdAt'])
          .execute(),
      )),
    )
  return letters.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, newest)
}
