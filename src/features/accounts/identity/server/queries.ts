import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { KnownPerson } from '../rules.ts'

const statusOf = async (businessId: BusinessId, userId: string): Promise<KnownPerson | null> => {
  const row = await withTenant({ businessId }, (db) =>
    db
      .selectFrom('users')
      .select(['status', 'archivedAt'])
      .where('businessId', '=', businessId)
      .where('id', '=', userId)
      .executeTakeFirst(),
  )
  if (!row) return null
  return { businessId, userId, status: row.archivedAt ? 'disabled' : row.status }
}

/** Whom an identity belongs to. */
export const findLinked = async (issuer: string, subject: string): Promise<KnownPerson | null> => {
  const row = await database()
    .selectFrom('accountIdentities')
    .select(['businessId', 'userId'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row ? statusOf(asBusinessId(row.businessId), row.userId) : null
}

/** Whose sign-in an e-mail is. */
export const findAccount = async (email: string | null): Promise<KnownPerson | null> => {
  if (!email) return null
  const row = await database()
    .selectFrom('accountEmails')
    .select(['businessId', 'userId'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row ? statusOf(asBusinessId(row.businessId), row.userId) : null
}

/** How a person can get in: with a password, with Google. */
export const getSignInMethodsTx = async (
  db: TenantDb,
  userId: string,
): Promise<{ connected: boolean; hasPassword: boolean; email: string | null }> => {
  const person = await db
    .selectFrom('users')
    .select(['passwordHash', 'email'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const identity = await db
    .selectFrom('accountIdentities')
    .select('subject')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return { connected: identity !== undefined, hasPassword: person.passwordHash !== null, email: person.email }
}
