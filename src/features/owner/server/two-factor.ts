import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { forgetFailures, noteFailure, refuseWhilePaused } from '../../../platform/http/rate-limit.ts'
import { decryptField, encryptField } from '../../../platform/keys.ts'
import { newRecoveryCodes, newTotpSecret, recoveryHash, totpStep, totpUri } from '../../../platform/totp.ts'
import { AppError, conflict, invalid } from '../../../shared/errors.ts'

const wrongCode = () =>
  invalid([{ path: 'code', message: 'This code is wrong or was used already. Wait for the next one, then enter it.' }])

const find = (name: string) =>
  database().selectFrom('productOwnerTwoFactor').selectAll().where('name', '=', name).executeTakeFirst()

/** Takes a code of the app once, or a recovery code once: the row itself says no to the second of two at once. */
const takeCode = async (name: string, code: string): Promise<boolean> => {
  const row = await find(name)
  if (!row) return false
  const step = totpStep(decryptField(row.secret), code, clock.nowMs())
  if (step !== null) {
    const taken = await database()
      .updateTable('productOwnerTwoFactor')
      .set({ lastStep: step })
      .where('name', '=', name)
      .where((eb) => eb.or([eb('lastStep', 'is', null), eb('lastStep', '<', step)]))
      .returning('name')
      .executeTakeFirst()
    return taken !== undefined
  }
  const hash = recoveryHash(name, code)
  const taken = await database()
    .updateTable('productOwnerTwoFactor')
    .set({ recoveryHashes: sql`array_remove(recovery_hashes, ${hash})` })
    .where('name', '=', name)
    .where(sql<boolean>`${hash} = any(recovery_hashes)`)
    .returning('name')
    .executeTakeFirst()
  return taken !== undefined
}

/**
 * Demands a good code. Failures slow down for the name, however many addresses try.
 * @throws AppError validation_failed, too_many_requests
 */
const proveCode = async (name: string, code: string): Promise<void> => {
  const key = `owner-second-step:${name}`
  await refuseWhilePaused(key)
  if (!(await takeCode(name, code))) {
    await noteFailure(key)
    throw wrongCode()
  }
  await forgetFailures(key)
}

export const ownerTwoFactor = async (name: string): Promise<{ enabled: boolean; recoveryCodesLeft: number }> => {
  const row = await find(name)
  const enabled = Boolean(row?.confirmedAt)
  return { enabled, recoveryCodesLeft: enabled ? (row?.recoveryHashes.length ?? 0) : 0 }
}

/**
 * Stands between the right password and the token.
 * @throws AppError two_factor_required without a code, validation_failed with a wrong one
 */
export const demandOwnerCode = async (name: string, code: string | undefined): Promise<void> => {
  if (!(await ownerTwoFactor(name)).enabled) return
  if (!code) throw new AppError('two_factor_required', 'Enter the code that your authenticator app shows now.')
  await proveCode(name, code)
}

/** A new key; nothing changes until a code of it was entered. */
export const beginOwnerTwoFactor = async (name: string): Promise<{ key: string; uri: string }> => {
  const secret = newTotpSecret()
  const made = await database()
    .insertInto('productOwnerTwoFactor')
    .values({ name, secret: encryptField(secret), createdAt: clock.iso() })
    .onConflict((c) =>
      c
        .column('name')
        .doUpdateSet({ secret: encryptField(secret), lastStep: null, createdAt: clock.iso() })
        .where('productOwnerTwoFactor.confirmedAt', 'is', null),
    )
    .returning('name')
    .executeTakeFirst()
  if (!made) throw conflict('The second step is on already. Switch it off first to use another phone.')
  return { key: secret, uri: totpUri(secret, name) }
}

const newCodes = async (name: string, changes: { confirmedAt?: string } = {}): Promise<string[]> => {
  const codes = newRecoveryCodes()
  await database()
    .updateTable('productOwnerTwoFactor')
    .set({ ...changes, recoveryHashes: codes.map((one) => recoveryHash(name, one)) })
    .where('name', '=', name)
    .execute()
  return codes
}

export const confirmOwnerTwoFactor = async (name: string, code: string): Promise<string[]> => {
  if ((await ownerTwoFactor(name)).enabled) throw conflict('The second step is on already.')
  await proveCode(name, code)
  return newCodes(name, { confirmedAt: clock.iso() })
}

/** Ten new recovery codes; the old ones end, also those that nobody used. */
export const renewOwnerRecoveryCodes = async (name: string, code: string): Promise<string[]> => {
  if (!(await ownerTwoFactor(name)).enabled) throw conflict('The second step is off. Switch it on first.')
  await proveCode(name, code)
  return newCodes(name)
}

export const disableOwnerTwoFactor = async (name: string, code: string): Promise<void> => {
  if (!(await ownerTwoFactor(name)).enabled) throw conflict('The second step is off already.')
  await proveCode(name, code)
  await database().deleteFrom('productOwnerTwoFactor').where('name', '=', name).execute()
}
