import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { mustSetUpTwoFactor } from '../../../platform/http/session.ts'
import { dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import type { Permission } from '../../../shared/roles.ts'
import { graceEndsAt, isSubscriptionActive } from '../../../shared/subscription.ts'
import type { SessionUser } from '../contract.ts'

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
