import type { z } from 'zod'
import { systemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { takeOnce } from '../../../../platform/sealed.ts'
import { conflict } from '../../../../shared/errors.ts'
import { type Device, openSession } from '../../server/commands.ts'
import { freeSlug, insertBusiness } from '../../server/registration.ts'
import type { identityApi } from '../contract.ts'
import type { SignedIn } from './commands.ts'
import { handoffOver, openHandoff } from './handoff.ts'

type RegistrationInput = z.output<(typeof identityApi)['register']['body']>

/** Opens a business for somebody whom the identity provider vouches for. Their address is verified already; there is no password. */
export const registerWithGoogle = async (
  input: RegistrationInput,
  cookie: string | undefined,
  device: Device,
): Promise<SignedIn> => {
  const sealed = openHandoff(input.code, cookie)
  const { data } = sealed
  if (data.kind !== 'register') throw handoffOver()
  if (!(await takeOnce(sealed))) throw handoffOver()
  const businessId = asBusinessId(newId())
  const userId = newId()
  const slug = await freeSlug(input.businessName)
  await withTenant({ businessId }, async (db) => {
    await insertBusiness(db, { ...input, email: data.email }, { slug, userId, passwordHash: null })
    const identity = await db
      .insertInto('accountIdentities')
      .values({ issuer: data.issuer, subject: data.subject, businessId, userId, createdAt: clock.iso() })
      .onConflict((c) => c.doNothing())
      .returning('subject')
      .executeTakeFirst()
    if (!identity) throw conflict('This Google account got a sign-in meanwhile. Sign in with Google again to use it.')
    await audit(
      db,
      systemActor(businessId),
      'account.register',
      { type: 'user', id: userId },
      { after: { by: 'google' } },
    )
  })
  return { session: await openSession(businessId, userId, device), next: data.next }
}
