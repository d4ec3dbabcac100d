import { verify } from '@node-rs/argon2'
import { type BusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { forgetFailures, noteFailure, refuseWhilePaused } from '../../../platform/http/rate-limit.ts'
import { invalid } from '../../../shared/errors.ts'

/**
 * Asks for the password of a known person before something that changes how they get in. Failures slow down per person.
 * @throws AppError validation_failed on the field `password`, too_many_requests
 */
export const provePassword = async (businessId: BusinessId, userId: string, password: string): Promise<void> => {
  const key = `proof:${businessId}:${userId}`
  await refuseWhilePaused(key)
  const person = await withTenant({ businessId }, (db) =>
    db
      .selectFrom('users')
      .select('passwordHash')
      .where('businessId', '=', businessId)
      .where('id', '=', userId)
      .where('status', '=', 'active')
      .where('archivedAt', 'is', null)
      .executeTakeFirst(),
  )
  if (!person?.passwordHash || !(await verify(person.passwordHash, password))) {
    await noteFailure(key)
    throw invalid([{ path: 'password', message: 'This is not your password. Nothing was changed.' }])
  }
  await forgetFailures(key)
}
