import { systemActor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import type { BusinessId, TenantDb } from '../../../platform/db/tenant.ts'
import { conflict } from '../../../shared/errors.ts'
import { queueAccountMail } from './account-mail.ts'
import { type Device, type OpenSession, openSession } from './commands.ts'
import { endLinks, type OpenLink, readConfirmed, withLink } from './email-links.ts'
import { mails } from './templates.ts'

const purposes = ['verifyEmail', 'changeEmail', 'signIn'] as const
type Purpose = (typeof purposes)[number]

const markVerified = async (db: TenantDb, { person }: OpenLink): Promise<void> => {
  await db
    .updateTable('users')
    .set((eb) => ({ emailVerifiedAt: eb.fn.coalesce('emailVerifiedAt', eb.val(clock.iso())), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', person.id)
    .execute()
}

const takeNewAddress = async (db: TenantDb, { email, person }: OpenLink): Promise<void> => {
  const reserved = await db
    .insertInto('accountEmails')
    .values({ email, businessId: db.businessId, userId: person.id })
    .onConflict((c) => c.doNothing())
    .returning('email')
    .executeTakeFirst()
  if (!reserved) throw conflict('This address belongs to another account by now. Your old address stays as it is.')
  if (person.email) await db.deleteFrom('accountEmails').where('email', '=', person.email).execute()
  await db
    .updateTable('users')
    .set((eb) => ({ email, emailVerifiedAt: clock.iso(), updatedAt: clock.iso(), version: eb('version', '+', 1) }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', person.id)
    .execute()
  await endLinks(db, person.id, ['verifyEmail', 'changeEmail', 'signIn', 'resetPassword'])
  for (const address of [person.email, email])
    if (address)
      await queueAccountMail(
        db,
        { userId: person.id, address },
        `changed:${clock.iso()}:${address}`,
        mails.emailChanged(person.name, email),
      )
}

const work: Record<Purpose, (db: TenantDb, link: OpenLink) => Promise<void>> = {
  verifyEmail: markVerified,
  changeEmail: takeNewAddress,
  signIn: markVerified,
}

/**
 * Does what a mailed link is for. Only called by a page's own script: opening the address alone changes nothing, so a mail scanner that
 * follows links confirms nothing. What an address link has confirmed stays confirmed when it is opened again.
 */
export const useEmailLink = async (
  token: string,
  device: Device,
): Promise<{ purpose: Purpose; email: string; session: OpenSession | null }> => {
  const confirmed = await readConfirmed(token)
  if (confirmed) return { ...confirmed, session: null }
  const used = await withLink(token, purposes, async (db, link) => {
    const purpose = link.purpose as Purpose
    await work[purpose](db, link)
    await audit(db, systemActor(db.businessId), `account.${purpose}`, { type: 'user', id: link.person.id })
    return { purpose, email: link.email, businessId: db.businessId as BusinessId, userId: link.person.id }
  })
  const session = used.purpose === 'signIn' ? await openSession(used.businessId, used.userId, device) : null
  return { purpose: used.purpose, email: used.email, session }
}
