import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { versionConflict } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { Once } from '../../../../platform/http/idempotency.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import type { SessionUser } from '../../contract.ts'
import { requirePhone } from '../../people/server/commands.ts'
import { queueAccountMail } from '../../server/account-mail.ts'
import { endLinks, makeLink } from '../../server/email-links.ts'
import { confirmPassword, endSessions, findActivePerson } from '../../server/passwords.ts'
import { getSessionUser } from '../../server/queries.ts'
import { mailVerification } from '../../server/registration.ts'
import { lockSessionsOf } from '../../server/session-lock.ts'
import { mails } from '../../server/templates.ts'
import type { Device, Me, meApi } from '../contract.ts'
import { getMe, listDevices } from './queries.ts'

const hour = 3600
const tooMany = (seconds: number): string =>
  `We sent you mail already. Look for it, also under spam, or try again in ${Math.ceil(seconds / 60)} minutes.`

/** Changes what a person keeps of themselves: name, phone, language. */
export const changeMe = async (
  actor: Actor,
  change: z.output<(typeof meApi)['update']['body']>,
): Promise<{ user: SessionUser; profile: Me }> => {
  const { version, phone: typed, ...fields } = change
  const phone = typed === undefined ? undefined : requirePhone(typed)
  return withTenant(actor, async (db) => {
    let wanted = db
      .updateTable('users')
      .set((eb) => ({
        ...fields,
        ...(phone === undefined ? {} : { phone }),
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', actor.userId)
    if (version !== undefined) wanted = wanted.where('version', '=', version)
    const changed = await wanted.returning('id').executeTakeFirst()
    if (!changed) {
      const now = await getMe(db, actor.userId)
      throw versionConflict('your details', now.version)
    }
    await audit(db, actor, 'account.change', { type: 'user', id: actor.userId }, { after: { ...fields, phone } })
    await publishChange(db, 'crews', [actor.userId])
    return { user: await getSessionUser(db, actor.userId), profile: await getMe(db, actor.userId) }
  })
}

/**
 * Asks for another e-mail: the old address is told, the new one gets a link, and until that is opened nothing changes. An address that has
 * an account already gets a note instead, and the answer is the same.
 */
export const askForEmail = async (
  actor: Actor,
  input: { email: string; password: string },
  once: Once,
): Promise<Me> => {
  await confirmPassword(actor, input.password)
  await countUse(`change-email:${actor.userId}`, 3, hour, tooMany)
  const taken = await database()
    .selectFrom('accountEmails')
    .select('businessId')
    .where('email', '=', input.email)
    .executeTakeFirst()
  const other = taken ? await findActivePerson(input.email) : null
  if (other && other.userId !== actor.userId)
    await withTenant(other, async (db) => {
      await queueAccountMail(
        db,
        { userId: other.userId, address: input.email },
        `wanted:${other.userId}:${clock.iso().slice(0, 10)}`,
        mails.changeToUsedEmail(other.name, absoluteUrl(paths.signin)),
      )
    })
  const ask = async (db: TenantDb) => {
    const me = await getMe(db, actor.userId)
    if (me.email === input.email) throw invalid([{ path: 'email', message: 'This is your address already' }])
    await endLinks(db, actor.userId, ['changeEmail'])
    const link = await makeLink(db, { userId: actor.userId, purpose: 'changeEmail', email: input.email })
    const business = await db
      .selectFrom('businesses')
      .select('name')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    if (!taken)
      await queueAccountMail(
        db,
        { userId: actor.userId, address: input.email },
        `link:${link.id}`,
        mails.changeEmail(me.name, link.url, business.name),
      )
    if (me.email)
      await queueAccountMail(
        db,
        { userId: actor.userId, address: me.email },
        `asked:${link.id}`,
        mails.emailChangeAsked(me.name, input.email),
      )
    await audit(db, actor, 'account.email.asked', { type: 'user', id: actor.userId }, { after: { email: input.email } })
    return getMe(db, actor.userId)
  }
  return once(() => withTenant(actor, ask))
}

export const cancelEmailChange = async (actor: Actor): Promise<Me> =>
  withTenant(actor, async (db) => {
    await endLinks(db, actor.userId, ['changeEmail'])
    await audit(db, actor, 'account.email.kept', { type: 'user', id: actor.userId })
    return getMe(db, actor.userId)
  })

/** Mails the link that confirms the e-mail again; three times an hour. */
export const resendVerification = async (actor: Actor, once: Once): Promise<{ sentTo: string }> => {
  const me = await withTenant(actor, (db) => getMe(db, actor.userId))
  const { email } = me
  if (!email) throw conflict('You have no e-mail on your account. Add one first.')
  if (me.emailVerified) throw conflict('Your e-mail is confirmed already.')
  await countUse(`verify:${actor.userId}`, 3, hour, tooMany)
  return once(async () => {
    await withTenant(actor, (db) => mailVerification(db, { userId: me._id, name: me.name, email }))
    return { sentTo: email }
  })
}

/** Signs one device out. @throws not_found when it is not the person's own */
export const endDevice = async (actor: Actor, familyId: string): Promise<Device[]> =>
  withTenant(actor, async (db) => {
    await lockSessionsOf(db, actor.userId)
    const ended = await db
      .updateTable('sessions')
      .set({ revokedAt: clock.iso(), revokedReason: 'signed out from the list of devices' })
      .where('businessId', '=', db.businessId)
      .where('userId', '=', actor.userId)
      .where('familyId', '=', familyId)
      .where('revokedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!ended) throw notFound('device')
    await audit(db, actor, 'account.device.end', { type: 'user', id: actor.userId }, { after: { familyId } })
    return listDevices(db, actor)
  })

export const signOutEverywhere = async (actor: Actor, exceptThisDevice: boolean): Promise<{ ended: number }> =>
  withTenant(actor, async (db) => {
    const ended = await endSessions(
      db,
      actor.userId,
      'signed out everywhere',
      exceptThisDevice ? actor.sessionId : null,
    )
    await audit(
      db,
      actor,
      'account.signOutEverywhere',
      { type: 'user', id: actor.userId },
      { after: { exceptThisDevice, ended } },
    )
    return { ended }
  })
