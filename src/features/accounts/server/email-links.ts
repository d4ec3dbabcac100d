import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { absoluteUrl, findLink, linkToken } from '../../../platform/links.ts'
import { AppError } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { isLinkOpen, type LinkPurpose, linkSeconds } from '../rules.ts'

/** The link of a mail: what it is for, to whom it goes, and that it is good once, for `seconds` or as long as its kind. */
export const makeLink = async (
  db: TenantDb,
  { seconds, ...link }: { userId: string; purpose: LinkPurpose; email: string; seconds?: number },
): Promise<{ id: string; url: string }> => {
  const id = newId()
  await db
    .insertInto('accountLinks')
    .values({
      businessId: db.businessId,
      id,
      ...link,
      expiresAt: new Date(clock.nowMs() + (seconds ?? linkSeconds[link.purpose]) * 1000).toISOString(),
      createdAt: clock.iso(),
    })
    .execute()
  const landing = link.purpose === 'resetPassword' ? paths.resetPassword : paths.loginSuccess
  return { id, url: absoluteUrl(`${landing}?token=${await linkToken(db, 'account', id)}`) }
}

/** A link that is unknown, used, late or for something else looks the same: it does nothing. */
const dead = (purposes: readonly LinkPurpose[]) =>
  new AppError(
    'not_found',
    purposes[0] === 'resetPassword'
      ? 'Invalid or expired password reset token.'
      : 'This link has expired or was used already. Nothing was changed; ask for a new one.',
  )

export type OpenLink = {
  id: string
  purpose: LinkPurpose
  email: string
  person: { id: string; name: string; email: string | null; role: string; businessName: string }
}

const lockOpenLink = async (db: TenantDb, id: string, purposes: readonly LinkPurpose[]): Promise<OpenLink | null> => {
  const row = await db
    .selectFrom('accountLinks')
    .innerJoin('users', (join) =>
      join.onRef('users.businessId', '=', 'accountLinks.businessId').onRef('users.id', '=', 'accountLinks.userId'),
    )
    .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
    .where('accountLinks.businessId', '=', db.businessId)
    .where('accountLinks.id', '=', id)
    .select([
      'accountLinks.purpose',
      'accountLinks.email as sentTo',
      'accountLinks.expiresAt',
      'accountLinks.usedAt',
      'users.id as userId',
      'users.name',
      'users.email',
      'users.role',
      'users.status',
      'users.archivedAt',
      'businesses.name as businessName',
    ])
    .forUpdate(['accountLinks', 'users'])
    .executeTakeFirst()
  if (row?.status !== 'active' || row.archivedAt) return null
  if (!isLinkOpen({ ...row, email: row.sentTo }, purposes, clock.nowMs())) return null
  // A link that went to an address the person has given up does nothing.
  if (row.purpose !== 'changeEmail' && row.sentTo !== row.email) return null
  return {
    id,
    purpose: row.purpose,
    email: row.sentTo,
    person: {
      id: row.userId,
      name: row.name,
      email: row.email,
      role: row.role,
      businessName: row.businessName,
    },
  }
}

/**
 * Does what a mailed link is for, once: `work` runs in the transaction that uses the link up, and when it throws the link stays good.
 * @throws AppError not_found when the link is unknown, used, expired or for something else
 */
export const withLink = async <T>(
  token: string,
  purposes: readonly LinkPurpose[],
  work: (db: TenantDb, link: OpenLink) => Promise<T>,
): Promise<T> => {
  const lookup = await findLink('account', token)
  if (!lookup) throw dead(purposes)
  return withTenant(lookup, async (db) => {
    const link = await lockOpenLink(db, lookup.entityId, purposes)
    if (!link) throw dead(purposes)
    await db
      .updateTable('accountLinks')
      .set({ usedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', link.id)
      .execute()
    return work(db, link)
  })
}

/**
 * The address that a used link has confirmed, while it still is the person's: a second click, or a mail program that opens links, changes nothing
 * and is no mistake. Null for every other link.
 */
export const readConfirmed = async (
  token: string,
): Promise<{ purpose: 'verifyEmail' | 'changeEmail'; email: string } | null> => {
  const lookup = await findLink('account', token)
  if (!lookup) return null
  const row = await withTenant(lookup, (db) =>
    db
      .selectFrom('accountLinks')
      .innerJoin('users', (join) =>
        join
          .onRef('users.businessId', '=', 'accountLinks.businessId')
          .onRef('users.id', '=', 'accountLinks.userId')
          .onRef('users.email', '=', 'accountLinks.email'),
      )
      .where('accountLinks.businessId', '=', db.businessId)
      .where('accountLinks.id', '=', lookup.entityId)
      .where('accountLinks.purpose', 'in', ['verifyEmail', 'changeEmail'])
      .where('accountLinks.expiresAt', '>', clock.iso())
      .where('accountLinks.usedAt', 'is not', null)
      .where('users.emailVerifiedAt', 'is not', null)
      .where('users.status', '=', 'active')
      .where('users.archivedAt', 'is', null)
      .select(['accountLinks.purpose', 'accountLinks.email'])
      .executeTakeFirst(),
  )
  return row ? { purpose: row.purpose as 'verifyEmail' | 'changeEmail', email: row.email } : null
}

/** Whom an open link belongs to; uses nothing up. */
export const readLink = async (token: string, purposes: readonly LinkPurpose[]): Promise<OpenLink> => {
  const lookup = await findLink('account', token)
  const link = lookup ? await withTenant(lookup, (db) => lockOpenLink(db, lookup.entityId, purposes)) : null
  if (!link) throw dead(purposes)
  return link
}

/** Ends what is still open of these kinds: a new password or address makes older links worthless. */
export const endLinks = async (db: TenantDb, userId: string, purposes: readonly LinkPurpose[]): Promise<void> => {
  await db
    .updateTable('accountLinks')
    .set({ usedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('purpose', 'in', [...purposes])
    .where('usedAt', 'is', null)
    .execute()
}
