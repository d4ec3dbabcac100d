import { verify } from '@node-rs/argon2'
import type { z } from 'zod'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { AppError } from '../../../../shared/errors.ts'
import type { Registration } from '../../contract.ts'
import { openAccount } from '../../server/registration.ts'
import { portalPasswordMinimum } from '../rules.ts'

type Opened = { userId: string; name: string; email: string }

/** How long the same form sent again is taken for the same wish; later it would be a way to try passwords. */
const sameRequestMs = 15 * 60_000

/** The account that this very form opened a moment ago, and whose answer was lost. */
const findOpened = async (input: z.output<typeof Registration>): Promise<Opened | null> => {
  const lookup = await database()
    .selectFrom('accountEmails')
    .select(['businessId', 'userId'])
    .where('email', '=', input.email)
    .executeTakeFirst()
  if (!lookup) return null
  const businessId = asBusinessId(lookup.businessId)
  const row = await withTenant({ businessId }, (db) =>
    db
      .selectFrom('users')
      .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
      .select(['users.name', 'users.passwordHash'])
      .where('users.businessId', '=', businessId)
      .where('users.id', '=', lookup.userId)
      .where('users.createdAt', '>', new Date(clock.nowMs() - sameRequestMs).toISOString())
      .where('businesses.openedByProductOwner', '=', true)
      .executeTakeFirst(),
  )
  const isSame = row?.passwordHash && row.name === input.name && (await verify(row.passwordHash, input.password))
  return isSame ? { userId: lookup.userId, name: input.name, email: input.email } : null
}

/**
 * Opens an account for somebody and marks its business as opened by the product owner, who may then make a checkout for it. The same form again,
 * after a lost answer or a doubled click, is the same account.
 * @throws validation_failed, conflict when the address has an account already
 */
export const openAccountFor = async (input: z.output<typeof Registration>): Promise<Opened> => {
  const before = await findOpened(input)
  if (before) return before
  try {
    const { userId } = await openAccount(input, { passwordMinimum: portalPasswordMinimum, byProductOwner: true })
    return { userId, name: input.name, email: input.email }
  } catch (error) {
    const meanwhile = error instanceof AppError && error.code === 'conflict' ? await findOpened(input) : null
    if (meanwhile) return meanwhile
    if (error instanceof AppError && error.code === 'conflict')
      throw new AppError(
        'conflict',
        `${input.email} has an account already, so none was opened. They can sign in or reset their password; a mail to that address says so.`,
      )
    throw error
  }
}
