import { verify } from '@node-rs/argon2'
import type { z } from 'zod'
import { systemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { AppError, conflict } from '../../../../shared/errors.ts'
import type { Registration } from '../../contract.ts'
import { queueAccountMail } from '../../server/account-mail.ts'
import { endLinks, makeLink } from '../../server/email-links.ts'
import { openAccount, openBusiness } from '../../server/registration.ts'
import { mails } from '../../server/templates.ts'
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

type Invited = Pick<
  z.output<typeof Registration>,
  'name' | 'email' | 'businessName' | 'timeZone' | 'companySize' | 'customerCount'
>
export type InviteState = 'invited' | 'sent_again' | 'sent_already'

const inviteSeconds = 7 * 24 * 3600

type Addressee = Pick<Invited, 'name' | 'email' | 'businessName'>

const mailInvitation = async (
  db: TenantDb,
  userId: string,
  { name, email, businessName }: Addressee,
): Promise<void> => {
  await endLinks(db, userId, ['resetPassword'])
  const link = await makeLink(db, { userId, purpose: 'resetPassword', email, seconds: inviteSeconds })
  await queueAccountMail(
    db,
    { userId, address: email },
    `link:${link.id}`,
    mails.accountReady(name, businessName || name, link.url),
  )
  await audit(db, systemActor(db.businessId), 'account.invite', { type: 'user', id: userId })
}

/** Mails the link again to who was invited and has not come yet; null when nobody has the address. @throws conflict when somebody uses it */
const inviteAgain = async (email: string): Promise<InviteState | null> => {
  const lookup = await database()
    .selectFrom('accountEmails')
    .select(['businessId', 'userId'])
    .where('email', '=', email)
    .executeTakeFirst()
  if (!lookup) return null
  return withTenant({ businessId: asBusinessId(lookup.businessId) }, async (db) => {
    const person = await db
      .selectFrom('users')
      .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
      .select(['users.name', 'businesses.name as businessName'])
      .where('users.businessId', '=', db.businessId)
      .where('users.id', '=', lookup.userId)
      .where('users.passwordHash', 'is', null)
      .where('users.emailVerifiedAt', 'is', null)
      .where('users.status', '=', 'active')
      .where('users.archivedAt', 'is', null)
      .where('businesses.openedByProductOwner', '=', true)
      .forUpdate('users')
      .executeTakeFirst()
    if (!person)
      throw conflict(
        'This address has an account already. None was opened and nobody was mailed: they can sign in, or ask for a new password.',
      )
    const last = await db
      .selectFrom('accountLinks')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('userId', '=', lookup.userId)
      .where('usedAt', 'is', null)
      .where('createdAt', '>', new Date(clock.nowMs() - sameRequestMs).toISOString())
      .executeTakeFirst()
    if (last) return 'sent_already'
    await mailInvitation(db, lookup.userId, { ...person, email })
    return 'sent_again'
  })
}

/**
 * Opens an account for a person and their company, who are mailed a link to set their password; until then nobody gets in. A doubled press is one
 * account and one mail; later the link is mailed again while nobody has used it.
 * @throws conflict when the address has an account that is in use
 */
export const inviteOwner = async (input: Invited): Promise<InviteState> => {
  const before = await inviteAgain(input.email)
  if (before) return before
  try {
    await openBusiness(input, { passwordHash: null, openedByProductOwner: true, invited: true }, (db, userId) =>
      mailInvitation(db, userId, input),
    )
    return 'invited'
  } catch (error) {
    const meanwhile = error instanceof AppError && error.code === 'conflict' ? await inviteAgain(input.email) : null
    if (meanwhile) return meanwhile
    throw error
  }
}
