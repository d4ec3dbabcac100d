import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { seal } from '../../../../platform/sealed.ts'
import { AppError } from '../../../../shared/errors.ts'
import type { TwoFactorState } from '../contract.ts'

/** The challenge between the two steps lives five minutes. */
export const challengeSeconds = 300
export const challengePurpose = 'second-step'
/** `reopen`: the wish to open a closed business again, said at the first step. */
export type Challenge = { businessId: string; userId: string; reopen: boolean }

/** Whether a person has the second step switched on. */
export const hasTwoFactor = async (db: TenantDb, userId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('twoFactors')
    .select('confirmedAt')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return Boolean(row?.confirmedAt)
}

/**
 * Stands before every session that is opened, whatever the first proof was.
 * @throws AppError two_factor_required with a challenge, when the person has a second step
 */
export const demandSecondStep = async (db: TenantDb, userId: string, reopen: boolean): Promise<void> => {
  if (!(await hasTwoFactor(db, userId))) return
  const challenge: Challenge = { businessId: db.businessId, userId, reopen }
  throw new AppError('two_factor_required', 'Enter the code that your authenticator app shows now.', {
    details: {
      challenge: seal(challengePurpose, challenge, challengeSeconds),
      expiresInSeconds: challengeSeconds,
    },
  })
}

export const getTwoFactorState = async (db: TenantDb, userId: string): Promise<TwoFactorState> => {
  const person = await db
    .selectFrom('users')
    .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
    .select(['users.passwordHash', 'users.role', 'businesses.requireTwoFactor'])
    .where('users.businessId', '=', db.businessId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  const { left } = await db
    .selectFrom('recoveryCodes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    enabled: await hasTwoFactor(db, userId),
    recoveryCodesLeft: Number(left),
    hasPassword: person.passwordHash !== null,
    required: person.requireTwoFactor && person.role !== 'Employee',
  }
}
