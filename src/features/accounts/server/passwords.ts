import { verify } from '@node-rs/argon2'
import type { Actor } from '../../../platform/actor.ts'
import { systemActor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import type { Once } from '../../../platform/http/idempotency.ts'
import { countUse, forgetFailures, noteFailure, refuseWhilePaused } from '../../../platform/http/rate-limit.ts'
import { steady } from '../../../platform/http/steady.ts'
import { conflict, invalid } from '../../../shared/errors.ts'
import { queueAccountMail } from './account-mail.ts'
import { hashPassword } from './commands.ts'
import { endLinks, makeLink, readLink, withLink } from './email-links.ts'
import { lockSessionsOf } from './session-lock.ts'
import { mails } from './templates.ts'

const hour = 3600
/** Longer than the work takes, so that a known address answers when an unknown one does. */
const answerMs = 300

export type KnownPerson = { businessId: BusinessId; userId: string; name: string }

/** The person who signs in with an address and may; null for everybody else. */
export const findActivePerson = async (email: string): Promise<KnownPerson | null> => {
  const lookup = await database().selectFrom('accountEmails').selectAll().where('email', '=', email).executeTakeFirst()
  if (!lookup) return null
  const businessId = asBusinessId(lookup.businessId)
  const person = await withTenant({ businessId }, (db) =>
    db
      .selectFrom('users')
      .select(['id', 'name'])
      .where('businessId', '=', businessId)
      .where('id', '=', lookup.userId)
      .where('status', '=', 'active')
      .where('archivedAt', 'is', null)
      .executeTakeFirst(),
  )
  return person ? { businessId, userId: person.id, name: person.name } : null
}

const tooMany = (seconds: number): string =>
  `We sent mail to this address already. Look for it, also under spam, or ask again in ${Math.ceil(seconds / 60)} minutes.`

const mailByAddress = async (
  email: string,
  ip: string,
  purpose: 'resetPassword' | 'signIn',
): Promise<{ message: string }> =>
  steady(answerMs, async () => {
    await countUse(`${purpose}-from:${ip}`, 60, hour)
    await countUse(`${purpose}:${email}`, 3, hour, tooMany)
    const person = await findActivePerson(email)
    if (person) {
      await withTenant(person, async (db) => {
        const link = await makeLink(db, { userId: person.userId, purpose, email })
        await queueAccountMail(
          db,
          { userId: person.userId, address: email },
          `link:${link.id}`,
          mails[purpose](person.name, link.url),
        )
        await audit(db, systemActor(db.businessId), `account.${purpose}.asked`, { type: 'user', id: person.userId })
      })
    }
    return {
      message:
        purpose === 'resetPassword'
          ? 'If this address has an account, a link to set a new password is on its way. It works for one hour.'
          : 'If this address has an account, a sign-in link is on its way. It works for 15 minutes.',
    }
  })

/** Mails a reset link to whoever owns the address; the answer and its time say nothing about whether anybody does. */
export const forgotPassword = (email: string, ip: string) => mailByAddress(email, ip, 'resetPassword')

/** Mails a link that signs in once. */
export const sendSignInLink = (email: string, ip: string) => mailByAddress(email, ip, 'signIn')

export const checkReset = async (token: string): Promise<{ valid: true; email: string }> => ({
  valid: true,
  email: (await readLink(token, ['resetPassword'])).email,
})

const setPassword = async (
  db: TenantDb,
  userId: string,
  passwordHash: string,
  keepFamilyOf: string | null,
): Promise<void> => {
  const now = clock.iso()
  await db
    .updateTable('users')
    .set((eb) => ({ passwordHash, version: eb('version', '+', 1), updatedAt: now }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .execute()
  await endSessions(db, userId, 'the password was changed', keepFamilyOf)
  await endLinks(db, userId, ['resetPassword', 'signIn', 'changeEmail'])
}

/** Ends every session of a person, but not the family of `keepFamilyOf` (the id of one of its sessions). @returns how many devices */
export const endSessions = async (
  db: TenantDb,
  userId: string,
  reason: string,
  keepFamilyOf: string | null,
): Promise<number> => {
  await lockSessionsOf(db, userId)
  const kept = keepFamilyOf
    ? await db
        .selectFrom('sessions')
        .select('familyId')
        .where('businessId', '=', db.businessId)
        .where('id', '=', keepFamilyOf)
        .executeTakeFirst()
    : undefined
  let wanted = db
    .updateTable('sessions')
    .set({ revokedAt: clock.iso(), revokedReason: reason })
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
  if (kept) wanted = wanted.where('familyId', '!=', kept.familyId)
  const ended = await wanted.returning(['familyId', 'usedAt']).execute()
  return new Set(ended.filter((row) => row.usedAt === null).map((row) => row.familyId)).size
}

/**
 * Sets a new password by a mailed link: once, within the hour. Every session of the person ends.
 * @throws AppError not_found 'Invalid or expired password reset token.'
 */
export const resetPassword = async (token: string, password: string): Promise<{ reset: true; email: string }> => {
  await readLink(token, ['resetPassword'])
  const passwordHash = await hashPassword(password)
  return withLink(token, ['resetPassword'], async (db, { email, person }) => {
    await setPassword(db, person.id, passwordHash, null)
    await db
      .updateTable('users')
      .set((eb) => ({ emailVerifiedAt: eb.fn.coalesce('emailVerifiedAt', eb.val(clock.iso())) }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', person.id)
      .execute()
    await audit(db, systemActor(db.businessId), 'account.password.reset', { type: 'user', id: person.id })
    await queueAccountMail(
      db,
      { userId: person.id, address: email },
      `reset:${clock.iso()}:${person.id}`,
      mails.passwordChanged(person.name, 'reset'),
    )
    return { reset: true as const, email }
  })
}

/**
 * Proof that the person at the screen is the one who signed in. Failures slow down per person.
 * @throws AppError validation_failed at `path`, too_many_requests, state_conflict without a password
 */
export const confirmPassword = async (actor: Actor, password: string, path = 'password'): Promise<void> => {
  const key = `confirm:${actor.userId}`
  await refuseWhilePaused(key)
  const person = await withTenant(actor, (db) =>
    db
      .selectFrom('users')
      .select('passwordHash')
      .where('businessId', '=', actor.businessId)
      .where('id', '=', actor.userId)
      .executeTakeFirst(),
  )
  if (!person?.passwordHash)
    throw conflict('You have no password yet. Sign out and choose "Forgot password?" to set one, then come back.')
  if (!(await verify(person.passwordHash, password))) {
    await noteFailure(key)
    throw invalid([{ path, message: 'This is not your password.' }])
  }
  await forgetFailures(key)
}

/** Changes the own password; all other devices are signed out and a notice goes to the person. */
export const changePassword = async (
  actor: Actor,
  input: { currentPassword: string; password: string },
  once: Once,
): Promise<{ changed: true }> => {
  await confirmPassword(actor, input.currentPassword, 'currentPassword')
  const passwordHash = await hashPassword(input.password)
  const change = async (db: TenantDb) => {
    await setPassword(db, actor.userId, passwordHash, actor.sessionId)
    await audit(db, actor, 'account.password.change', { type: 'user', id: actor.userId })
    const person = await db
      .selectFrom('users')
      .select(['email', 'name'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', actor.userId)
      .executeTakeFirstOrThrow()
    if (person.email)
      await queueAccountMail(
        db,
        { userId: actor.userId, address: person.email },
        `password:${clock.iso()}:${actor.userId}`,
        mails.passwordChanged(person.name, 'changed'),
      )
    return { changed: true as const }
  }
  return once(() => withTenant(actor, change))
}
