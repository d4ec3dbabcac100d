import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { mustSetUpTwoFactor } from '../../../platform/http/session.ts'
import { dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import type { Permission } from '../../../shared/roles.ts'
import { graceEndsAt, isSubscriptionActive } from '../../../shared/subscription.ts'
import type { SessionUser } from '../contract.ts'

/** Somebody who only looks at a business, as the screens know a person: support and visitors of the tour. @throws AppError not_found */
export const getLooker = async (
  db: TenantDb,
  looker: Pick<SessionUser, '_id' | 'name' | 'role'> & { permissions: readonly SessionUser['permissions'][number][] },
): Promise<SessionUser> => {
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'slug', 'timeZone', 'planTier', 'customerCountClaimed', 'companySize'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  if (!business) throw notFound('business')
  return {
    ...looker,
    permissions: [...looker.permissions],
    email: null,
    emailVerified: true,
    // Who helps with a lapsed plan has to see the screens too; every change is refused anyway.
    subscriptionActive: true,
    subscriptionTier: business.planTier ?? 'basic',
    billing: null,
    customerCount: business.customerCountClaimed,
    companySize: business.companySize,
    language: 'en',
    crewIds: [],
    mustSetUpTwoFactor: false,
    business: { _id: db.businessId, name: business.name, slug: business.slug, timeZone: business.timeZone },
  }
}

/** The person as the screens know it. */
export const getSessionUser = async (db: TenantDb, userId: string): Promise<SessionUser> => {
  const row = await db
    .selectFrom('users')
    .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
    .leftJoin('twoFactors', (join) =>
      join.onRef('twoFactors.businessId', '=', 'users.businessId').onRef('twoFactors.userId', '=', 'users.id'),
    )
    .where('users.businessId', '=', db.businessId)
    .where('users.id', '=', userId)
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.emailVerifiedAt',
      'users.role',
      'users.permissions',
      'users.language',
      'businesses.name as businessName',
      'businesses.slug',
      'businesses.timeZone',
      'businesses.planTier',
      'businesses.subscriptionStatus',
      'businesses.pastDueSince',
      'businesses.trialEndsAt',
      'businesses.subscriptionEndsAt',
      'businesses.customerCountClaimed',
      'businesses.companySize',
      'businesses.requireTwoFactor',
      'twoFactors.confirmedAt as twoFactorSince',
    ])
    .executeTakeFirst()
  if (!row) throw notFound('person')
  const today = dayOf(clock.now(), row.timeZone)
  const crews = await db
    .selectFrom('crewMembers')
    .innerJoin('crews', (join) =>
      join.onRef('crews.businessId', '=', 'crewMembers.businessId').onRef('crews.id', '=', 'crewMembers.crewId'),
    )
    .where('crewMembers.businessId', '=', db.businessId)
    .where('crewMembers.userId', '=', userId)
    .where('crewMembers.validFrom', '<=', today)
    .where((eb) => eb.or([eb('crewMembers.validTo', 'is', null), eb('crewMembers.validTo', '>=', today)]))
    .where('crews.archivedAt', 'is', null)
    .select('crewMembers.crewId')
    .execute()
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.emailVerifiedAt !== null,
    role: row.role,
    permissions: row.permissions as Permission[],
    subscriptionActive: isSubscriptionActive(row, clock.nowMs()),
    subscriptionTier: row.planTier,
    billing:
      row.role === 'Employee'
        ? null
        : {
            status: row.subscriptionStatus,
            trialEndsAt: row.subscriptionStatus === 'trialing' ? row.trialEndsAt : null,
            graceEndsAt: graceEndsAt(row),
            endsAt: row.subscriptionEndsAt,
          },
    customerCount: row.customerCountClaimed,
    companySize: row.companySize,
    language: row.language,
    crewIds: crews.map((c) => c.crewId),
    mustSetUpTwoFactor: mustSetUpTwoFactor(row),
    business: { _id: db.businessId, name: row.businessName, slug: row.slug, timeZone: row.timeZone },
  }
}
