import { verify } from '@node-rs/argon2'
import { config } from '../../../platform/config.ts'
import { forgetFailures, freePerAccount, noteFailure, refuseWhilePaused } from '../../../platform/http/rate-limit.ts'
import { ownerTokenSeconds, setOwnerAccount, signOwnerToken } from '../../../platform/http/session.ts'
import { AppError, invalid } from '../../../shared/errors.ts'
import { hashPassword } from '../../accounts/server/commands.ts'
import { demandOwnerCode } from './two-factor.ts'

/** The demo's password, the same for all its sign-ins; it exists only in local mode. */
const demoPassword = 'demo-swath-2026'
let demoHash: Promise<string> | undefined
let nobody: Promise<string> | undefined

/** Who the product owner is: from the environment, else the demo's, else nobody. */
const ownerAccount = async (): Promise<{ name: string; passwordHash: string } | null> => {
  if (config.ownerPasswordHash) return { name: config.ownerName, passwordHash: config.ownerPasswordHash }
  if (!config.demo) return null
  demoHash ??= hashPassword(demoPassword)
  return { name: config.ownerName, passwordHash: await demoHash }
}
setOwnerAccount(ownerAccount)

/** The product owner's account as a whole, wherever the tries come from. */
const ownerSignIn = 'owner-sign-in'

/**
 * Signs the product owner in. Failures slow down per address, and many from anywhere the account; a wrong name takes the same time and words as a wrong password.
 * @throws AppError invalid_credentials, two_factor_required, too_many_requests
 */
export const signInOwner = async (
  input: { username: string; password: string; code?: string | undefined },
  ip: string,
) => {
  const key = `owner:${ip}`
  await refuseWhilePaused(key)
  await refuseWhilePaused(ownerSignIn)
  const note = async (): Promise<void> => {
    await noteFailure(key)
    await noteFailure(ownerSignIn, freePerAccount)
  }
  const owner = await ownerAccount()
  nobody ??= hashPassword('nobody has this password')
  const matches = await verify(owner?.passwordHash ?? (await nobody), input.password)
  if (!owner || !matches || input.username !== owner.name) {
    await note()
    throw new AppError('invalid_credentials', 'Invalid credentials')
  }
  try {
    await demandOwnerCode(owner.name, input.code)
  } catch (error) {
    if (input.code) await note()
    throw error
  }
  await forgetFailures(key, ownerSignIn)
  return { token: await signOwnerToken(owner), name: owner.name, expiresInSeconds: ownerTokenSeconds }
}

/**
 * Asks the product owner for the password again: a desk left open must not lock its owner out.
 * @throws AppError validation_failed on the field `password`, too_many_requests
 */
export const proveOwner = async (name: string, password: string): Promise<void> => {
  const key = `owner-proof:${name}`
  await refuseWhilePaused(key)
  const owner = await ownerAccount()
  if (!owner || !(await verify(owner.passwordHash, password))) {
    await noteFailure(key)
    throw invalid([{ path: 'password', message: 'This is not your password. Nothing was changed.' }])
  }
  await forgetFailures(key)
}
