import { systemActor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { emit } from '../../../platform/events/events.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { newId, randomToken } from '../../../platform/ids.ts'
import { absoluteUrl } from '../../../platform/links.ts'
import { AppError, invalid } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { permissionPresets } from '../../../shared/roles.ts'
import { isPlaceZone } from '../../../shared/timeZone.ts'
import { createBusinessTx } from '../../businesses/server/row/commands.ts'
import type { Registration } from '../contract.ts'
import { passwordMinimum, slugOf } from '../rules.ts'
import { queueAccountMail } from './account-mail.ts'
import { hashPassword } from './commands.ts'
import { makeLink } from './email-links.ts'
import { findActivePerson } from './passwords.ts'
import { mails } from './templates.ts'

/** Says no more than it must; who owns the address hears of it by mail. */
const taken = () =>
  new AppError(
    'conflict',
    'We could not open an account with this e-mail. If it is yours, sign in or reset your password; we have sent a note to it.',
  )

const notifyOwnerOfAddress = async (email: string): Promise<void> => {
  const person = await findActivePerson(email)
  if (!person) return
  await withTenant(person, async (db) => {
    await queueAccountMail(
      db,
      { userId: person.userId, address: email },
      `registered-again:${person.userId}:${clock.iso().slice(0, 10)}`,
      mails.registeredAgain(person.name, absoluteUrl(paths.signin), absoluteUrl(paths.forgotPassword)),
    )
  })
}

const hour = 3600

/**
 * Registers somebody. A whole office or carrier stands behind one address, so what is counted is one e-mail again and again, e-mails that have
 * an account already, by which somebody could find out who has one, and floods.
 * @param email of a form; null where a provider has vouched for it
 */
export const countRegistration = async <R>(
  ip: string,
  email: string | null,
  register: () => Promise<R>,
): Promise<R> => {
  const network = networkOf(ip)
  if (email) await countUse(`register:${network}:${email}`, 20, hour)
  await countUse(`register:${network}`, 200, hour)
  try {
    return await register()
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') await countUse(`register-known:${network}`, 20, hour)
    throw error
  }
}

/** An address for a business of this name that nobody has yet. */
export const freeSlug = async (name: string): Promise<string> => {
  const base = slugOf(name)
  const wanted = [base, ...Array.from({ length: 8 }, (_, index) => `${base}-${index + 2}`)]
  const used = await database().selectFrom('slugs').select('slug').where('slug', 'in', wanted).execute()
  const free = wanted.find((slug) => !used.some((row) => row.slug === slug))
  return (
    free ??
    `${base}-${randomToken(6)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '0')}`
  )
}

/** The rows of a new business and its Owner. Without a password an identity provider vouched for the address, or a link in a mail to it is to be opened. */
export const insertBusiness = async (
  db: TenantDb,
  input: Omit<Registration, 'password'>,
  made: {
    slug: string
    userId: string
    passwordHash: string | null
    openedByProductOwner?: boolean
    invited?: boolean
  },
): Promise<void> => {
  const now = clock.iso()
  await createBusinessTx(db, {
    name: input.businessName || input.name,
    slug: made.slug,
    email: input.email,
    timeZone: input.timeZone && isPlaceZone(input.timeZone) ? input.timeZone : undefined,
    customerCountClaimed: input.customerCount,
    companySize: input.companySize,
    openedByProductOwner: made.openedByProductOwner ?? false,
  })
  const reserved = await db
    .insertInto('accountEmails')
    .values({ email: input.email, businessId: db.businessId, userId: made.userId })
    .onConflict((c) => c.doNothing())
    .returning('email')
    .executeTakeFirst()
  if (!reserved) throw taken()
  await db
    .insertInto('users')
    .values({
      businessId: db.businessId,
      id: made.userId,
      name: input.name,
      email: input.email,
      role: 'Owner',
      permissions: [...permissionPresets.admin],
      passwordHash: made.passwordHash,
      emailVerifiedAt: made.passwordHash === null && !made.invited ? now : null,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
}

/** Mails the link that confirms an address. */
export const mailVerification = async (
  db: TenantDb,
  person: { userId: string; name: string; email: string },
): Promise<void> => {
  const link = await makeLink(db, { userId: person.userId, purpose: 'verifyEmail', email: person.email })
  await queueAccountMail(
    db,
    { userId: person.userId, address: person.email },
    `link:${link.id}`,
    mails.verifyEmail(person.name, link.url),
  )
}

/**
 * Opens an account: a business with its slug and its Owner, who is not signed in by this. The address is mailed a link to confirm it.
 * @param options.passwordMinimum 6 for what the product owner opens, else the usual 8
 * @param options.byProductOwner marks the business, so that the product owner may make its checkout
 * @throws AppError validation_failed, conflict when the address has an account already
 */
export const openAccount = async (
  input: Registration,
  options: { passwordMinimum: number; byProductOwner?: boolean } = { passwordMinimum },
): Promise<{ businessId: BusinessId; userId: string }> => {
  if (input.password.length < options.passwordMinimum)
    throw invalid([
      { path: 'password', message: `Password must be at least ${options.passwordMinimum} characters long` },
    ])
  const passwordHash = await hashPassword(input.password)
  const known = await database()
    .selectFrom('accountEmails')
    .select('email')
    .where('email', '=', input.email)
    .executeTakeFirst()
  if (known) {
    await notifyOwnerOfAddress(input.email)
    throw taken()
  }
  return openBusiness(
    input,
    { passwordHash, openedByProductOwner: options.byProductOwner ?? false },
    async (db, userId) => {
      await mailVerification(db, { userId, name: input.name, email: input.email })
      await audit(db, systemActor(db.businessId), 'account.register', { type: 'user', id: userId })
    },
  )
}

/**
 * Makes a business with its slug and its Owner; `then` is the rest of its transaction.
 * @throws AppError conflict when the address has an account by now
 */
export const openBusiness = async (
  input: Omit<Registration, 'password'>,
  made: { passwordHash: string | null; openedByProductOwner: boolean; invited?: boolean },
  then: (db: TenantDb, userId: string) => Promise<void>,
): Promise<{ businessId: BusinessId; userId: string }> => {
  for (let attempt = 1; ; attempt++) {
    const businessId = asBusinessId(newId())
    const userId = newId()
    const slug = await freeSlug(input.businessName || input.name)
    try {
      await withTenant({ businessId }, async (db) => {
        await insertBusiness(db, input, { slug, userId, ...made })
        await then(db, userId)
        await emit(db, 'account.opened', { userId })
      })
      return { businessId, userId }
    } catch (error) {
      // Two businesses of one name at the same moment wanted one slug; the next try sees the other's.
      if ((error as { code?: string }).code !== '23505' || attempt === 5) throw error
    }
  }
}
