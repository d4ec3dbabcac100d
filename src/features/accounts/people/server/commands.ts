import type { Updateable } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { DB } from '../../../../platform/db/types.generated.ts'
import { invalid } from '../../../../shared/errors.ts'
import { toE164 } from '../../../../shared/phone.ts'
import type { Permission, Role } from '../../../../shared/roles.ts'

/** People as other features change them: their account is the accounts' matter, who they are at work is not. */

/** A person's own number in E.164, null where none was typed. @throws AppError validation_failed for one that is not North American */
export const requirePhone = (text: string | null | undefined): string | null => {
  if (!text) return null
  const phone = toE164(text)
  if (!phone) throw invalid([{ path: 'phone', message: 'A phone number needs ten digits' }])
  return phone
}

/** One e-mail is one sign-in, over all businesses. @throws AppError validation_failed when it has one */
export const takeEmailTx = async (db: TenantDb, email: string, userId: string): Promise<void> => {
  const made = await db
    .insertInto('accountEmails')
    .values({ email, businessId: db.businessId, userId })
    .onConflict((c) => c.doNothing())
    .returning('email')
    .executeTakeFirst()
  if (!made) throw invalid([{ path: 'email', message: 'This e-mail already has a sign-in. Use another one.' }])
}

/** Another e-mail for a person without a sign-in, or none. */
export const replaceEmailTx = async (db: TenantDb, userId: string, email: string | null): Promise<void> => {
  await db.deleteFrom('accountEmails').where('businessId', '=', db.businessId).where('userId', '=', userId).execute()
  if (email) await takeEmailTx(db, email, userId)
}

export type NewPerson = {
  id: string
  name: string
  email: string | null
  phone: string | null
  role: Role
  permissions: Permission[]
  language: 'en' | 'es'
}

/** Adds somebody who is to be invited. */
export const addPersonTx = async (db: TenantDb, person: NewPerson): Promise<void> => {
  const now = clock.iso()
  await db
    .insertInto('users')
    .values({ ...person, businessId: db.businessId, status: 'invited', createdAt: now, updatedAt: now })
    .execute()
}

type PersonColumns =
  | 'name'
  | 'phone'
  | 'email'
  | 'emailVerifiedAt'
  | 'language'
  | 'permissions'
  | 'status'
  | 'pinHash'
  | 'skills'

/** Changes a person; whoever has them open sees that. */
export const changePersonTx = async (
  db: TenantDb,
  userId: string,
  change: Pick<Updateable<DB['users']>, PersonColumns>,
): Promise<void> => {
  await db
    .updateTable('users')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .execute()
}
