import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { forgetFailures, noteFailure, refuseWhilePaused } from '../../../../platform/http/rate-limit.ts'
import { newId } from '../../../../platform/ids.ts'
import { decryptField, encryptField } from '../../../../platform/keys.ts'
import { takeOnce, unseal } from '../../../../platform/sealed.ts'
import { newRecoveryCodes, newTotpSecret, recoveryHash, totpStep, totpUri } from '../../../../platform/totp.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import { requireTwoFactorTx } from '../../../businesses/server/row/commands.ts'
import { type Device, type OpenSession, openSession } from '../../server/commands.ts'
import { provePassword } from '../../server/proof.ts'
import type { TwoFactorState } from '../contract.ts'
import { type Challenge, challengePurpose, getTwoFactorState } from './queries.ts'

const wrongCode = () =>
  invalid([{ path: 'code', message: 'This code is wrong or was used already. Wait for the next one, then enter it.' }])

/** Runs a check of a code; failures slow down per person, however many browsers try. */
const slowly = async <T>(businessId: BusinessId, userId: string, check: () => Promise<T | null>): Promise<T> => {
  const key = `second-step:${businessId}:${userId}`
  await refuseWhilePaused(key)
  const outcome = await check()
  if (outcome === null) {
    await noteFailure(key)
    throw wrongCode()
  }
  await forgetFailures(key)
  return outcome
}

const takeTotp = async (db: TenantDb, userId: string, code: string, confirmed: boolean): Promise<boolean> => {
  const row = await db
    .selectFrom('twoFactors')
    .select(['secret', 'lastStep'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('confirmedAt', confirmed ? 'is not' : 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const step = row ? totpStep(decryptField(row.secret), code, clock.nowMs()) : null
  if (step === null || (row?.lastStep != null && step <= Number(row.lastStep))) return false
  await db
    .updateTable('twoFactors')
    .set({ lastStep: step })
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .execute()
  return true
}

const takeRecovery = async (db: TenantDb, userId: string, code: string): Promise<boolean> => {
  const used = await db
    .updateTable('recoveryCodes')
    .set({ usedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('codeHash', '=', recoveryHash(userId, code))
    .where('usedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}

/** Takes a code of the app or a recovery code, each once; null when it is neither. */
const takeCode = async (db: TenantDb, userId: string, code: string): Promise<'app' | 'recovery' | null> => {
  if (await takeTotp(db, userId, code, true)) return 'app'
  return (await takeRecovery(db, userId, code)) ? 'recovery' : null
}

const newCodesTx = async (db: TenantDb, userId: string): Promise<string[]> => {
  await db.deleteFrom('recoveryCodes').where('businessId', '=', db.businessId).where('userId', '=', userId).execute()
  const codes = newRecoveryCodes()
  await db
    .insertInto('recoveryCodes')
    .values(
      codes.map((code) => ({
        businessId: db.businessId,
        id: newId(),
        userId,
        codeHash: recoveryHash(userId, code),
      })),
    )
    .execute()
  return codes
}

const proveWhereThereIsOne = async (actor: Actor, password: string): Promise<void> => {
  const { hasPassword } = await withTenant(actor, (db) => getTwoFactorState(db, actor.userId))
  if (hasPassword) await provePassword(actor.businessId, actor.userId, password)
}

/** A new key, not yet in force: the one that is stays until a code of the new one was entered. */
export const beginTwoFactor = async (actor: Actor, password: string): Promise<{ key: string; uri: string }> => {
  await proveWhereThereIsOne(actor, password)
  const secret = newTotpSecret()
  const label = await withTenant(actor, async (db) => {
    const person = await db
      .selectFrom('users')
      .select(['email', 'name'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', actor.userId)
      .executeTakeFirstOrThrow()
    const made = await db
      .insertInto('twoFactors')
      .values({ businessId: db.businessId, userId: actor.userId, secret: encryptField(secret), createdAt: clock.iso() })
      .onConflict((c) =>
        c
          .columns(['businessId', 'userId'])
          .doUpdateSet({ secret: encryptField(secret), lastStep: null, createdAt: clock.iso() })
          .where('twoFactors.confirmedAt', 'is', null),
      )
      .returning('userId')
      .executeTakeFirst()
    if (!made) throw conflict('The second step is on already. Switch it off first to use another phone.')
    return person.email ?? person.name
  })
  return { key: secret, uri: totpUri(secret, label) }
}

/** Switches the second step on by a code of the new key. */
export const confirmTwoFactor = async (actor: Actor, code: string): Promise<string[]> =>
  slowly(actor.businessId, actor.userId, () =>
    withTenant(actor, async (db) => {
      if (!(await takeTotp(db, actor.userId, code, false))) return null
      await db
        .updateTable('twoFactors')
        .set({ confirmedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('userId', '=', actor.userId)
        .execute()
      await audit(db, actor, 'account.two_factor_on', { type: 'user', id: actor.userId })
      return newCodesTx(db, actor.userId)
    }),
  )

export const renewRecoveryCodes = async (actor: Actor, code: string): Promise<string[]> =>
  slowly(actor.businessId, actor.userId, () =>
    withTenant(actor, async (db) => {
      if (!(await takeTotp(db, actor.userId, code, true))) return null
      await audit(db, actor, 'account.recovery_codes', { type: 'user', id: actor.userId })
      return newCodesTx(db, actor.userId)
    }),
  )

/** Switches the second step off, by password and code; refused while the business asks for it. */
export const disableTwoFactor = async (
  actor: Actor,
  input: { password: string; code: string },
): Promise<TwoFactorState> => {
  const { required } = await withTenant(actor, (db) => getTwoFactorState(db, actor.userId))
  if (required && actor.role !== 'Owner')
    throw conflict('Your business asks everybody in the office for a second step. Only the owner can change that.')
  await proveWhereThereIsOne(actor, input.password)
  await slowly(actor.businessId, actor.userId, () =>
    withTenant(actor, async (db) => {
      if (!(await takeCode(db, actor.userId, input.code))) return null
      await db
        .deleteFrom('twoFactors')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', actor.userId)
        .execute()
      await db
        .deleteFrom('recoveryCodes')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', actor.userId)
        .execute()
      await audit(db, actor, 'account.two_factor_off', { type: 'user', id: actor.userId })
      return true
    }),
  )
  return withTenant(actor, (db) => getTwoFactorState(db, actor.userId))
}

/** Asks the second step of everybody in the office. Who asks it has it: else the owner would lock the own door. */
export const requireTwoFactor = async (actor: Actor, required: boolean): Promise<TwoFactorState> =>
  withTenant(actor, async (db) => {
    const state = await getTwoFactorState(db, actor.userId)
    if (required && !state.enabled) throw conflict('Switch on your own second step first, then ask it of the others.')
    await requireTwoFactorTx(db, required)
    await audit(
      db,
      actor,
      'business.require_two_factor',
      { type: 'business', id: db.businessId },
      { after: { required } },
    )
    return getTwoFactorState(db, actor.userId)
  })

/**
 * The second step of a sign-in. The challenge is good once and for five minutes, a code once.
 * @throws AppError state_conflict for a challenge that is over, validation_failed for a code, too_many_requests
 */
export const takeSecondStep = async (challenge: string, code: string, device: Device): Promise<OpenSession> => {
  const sealed = unseal<Challenge>(challengePurpose, challenge)
  const over = () => conflict('This took too long. Please sign in again.')
  if (!sealed) throw over()
  const businessId = asBusinessId(sealed.data.businessId)
  const { userId } = sealed.data
  const how = await slowly(businessId, userId, () =>
    withTenant({ businessId }, async (db) => {
      const person = await db
        .selectFrom('users')
        .select('id')
        .where('businessId', '=', businessId)
        .where('id', '=', userId)
        .where('status', '=', 'active')
        .where('archivedAt', 'is', null)
        .executeTakeFirst()
      return person ? takeCode(db, userId, code) : null
    }),
  )
  if (!(await takeOnce(sealed))) throw over()
  if (how === 'recovery')
    await withTenant({ businessId }, (db) =>
      audit(db, { kind: 'system', businessId }, 'account.recovery_code_used', { type: 'user', id: userId }),
    )
  return openSession(businessId, userId, device, { secondStep: 'taken', reopen: sealed.data.reopen })
}
