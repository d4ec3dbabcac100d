import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import type { SupportRow } from '../../../platform/http/support.ts'
import { getLooker } from '../../accounts/server/queries.ts'
import type { OpenGrant, SupportAccess, SupportGrant, SupportView, SupportVisit } from '../contract.ts'
import { visitOver } from '../rules.ts'

const visitsShown = 20

/** The grant that lets support in at this moment, or null. It was given by who is the Owner now. */
export const findOpenGrant = async (db: TenantDb): Promise<SupportGrant | null> =>
  (await db
    .selectFrom('supportGrants')
    .innerJoin('users', (join) =>
      join.onRef('users.businessId', '=', 'supportGrants.businessId').onRef('users.id', '=', 'supportGrants.grantedBy'),
    )
    .where('supportGrants.businessId', '=', db.businessId)
    .where('supportGrants.endedAt', 'is', null)
    .where('supportGrants.expiresAt', '>', clock.iso())
    .where('users.role', '=', 'Owner')
    .select([
      'supportGrants.id',
      'users.name as grantedBy',
      'supportGrants.note',
      'supportGrants.grantedAt',
      'supportGrants.expiresAt',
    ])
    .executeTakeFirst()) ?? null

const listVisits = async (db: TenantDb): Promise<SupportVisit[]> => {
  const visits = await db
    .selectFrom('supportVisits')
    .innerJoin('supportGrants', (join) =>
      join
        .onRef('supportGrants.businessId', '=', 'supportVisits.businessId')
        .onRef('supportGrants.id', '=', 'supportVisits.grantId'),
    )
    .where('supportVisits.businessId', '=', db.businessId)
    .select([
      'supportVisits.id',
      'supportVisits.openedAt',
      'supportVisits.endedAt',
      'supportVisits.expiresAt',
      'supportGrants.endedAt as grantEndedAt',
    ])
    .orderBy('supportVisits.openedAt', 'desc')
    .orderBy('supportVisits.id', 'desc')
    .limit(visitsShown)
    .execute()
  if (visits.length === 0) return []
  const entries = await db
    .selectFrom('supportAccessLog')
    .select(['visitId', 'area', 'times', 'firstAt', 'lastAt'])
    .where('businessId', '=', db.businessId)
    .where(
      'visitId',
      'in',
      visits.map((visit) => visit.id),
    )
    .orderBy('firstAt')
    .orderBy('area')
    .execute()
  return visits.map(({ id, openedAt, ...ends }) => ({
    id,
    openedAt,
    endedAt: visitOver(ends, clock.nowMs()),
    entries: entries.filter((entry) => entry.visitId === id).map(({ visitId: _, ...entry }) => entry),
  }))
}

export const getSupportAccess = async (db: TenantDb): Promise<SupportAccess> => ({
  grant: await findOpenGrant(db),
  visits: await listVisits(db),
})

/** The business behind an open grant; this way is all that is known of it without entering it. */
export const findLookup = async (grantId: string): Promise<BusinessId | null> => {
  const lookup = await database()
    .selectFrom('supportLookups')
    .select('businessId')
    .where('grantId', '=', grantId)
    .where('expiresAt', '>', clock.iso())
    .executeTakeFirst()
  return lookup ? asBusinessId(lookup.businessId) : null
}

const describeGrant = (businessId: BusinessId): Promise<OpenGrant | null> =>
  withTenant({ businessId, readOnly: true }, async (db) => {
    const grant = await findOpenGrant(db)
    const business = await db
      .selectFrom('businesses')
      .select(['name', 'timeZone'])
      .where('businessId', '=', db.businessId)
      .where('closedAt', 'is', null)
      .executeTakeFirst()
    if (!grant || !business) return null
    const { id, grantedBy, note, expiresAt } = grant
    return { id, businessName: business.name, grantedBy, note, expiresAt, timeZone: business.timeZone }
  })

/** What the desk shows: the businesses that let support in, the one that ends first on top. */
export const listOpenGrants = async (): Promise<OpenGrant[]> => {
  const lookups = await database()
    .selectFrom('supportLookups')
    .select('businessId')
    .where('expiresAt', '>', clock.iso())
    .orderBy('expiresAt')
    .limit(200)
    .execute()
  const found: OpenGrant[] = []
  for (const lookup of lookups) {
    const grant = await describeGrant(asBusinessId(lookup.businessId))
    if (grant) found.push(grant)
  }
  return found
}

/** The office as support sees it: an Admin who is nobody of the business. */
export const getSupportView = async (
  db: TenantDb,
  visit: { id: string; until: string; permissions: Actor['permissions'] },
): Promise<SupportView> => {
  const { id: _id, permissions } = visit
  const user = await getLooker(db, { _id, name: 'Swath support', role: 'Admin', permissions })
  return { user, businessName: user.business.name, until: visit.until }
}

/** A visit of support with its grant and its business, as the guard judges it. */
export const findVisit = (businessId: BusinessId, visitId: string): Promise<SupportRow | undefined> =>
  withTenant({ businessId, readOnly: true }, (db) =>
    db
      .selectFrom('supportVisits')
      .innerJoin('supportGrants', (join) =>
        join
          .onRef('supportGrants.businessId', '=', 'supportVisits.businessId')
          .onRef('supportGrants.id', '=', 'supportVisits.grantId'),
      )
      .innerJoin('users', (join) =>
        join
          .onRef('users.businessId', '=', 'supportGrants.businessId')
          .onRef('users.id', '=', 'supportGrants.grantedBy'),
      )
      .innerJoin('businesses', 'businesses.businessId', 'supportVisits.businessId')
      .where('supportVisits.businessId', '=', businessId)
      .where('supportVisits.id', '=', visitId)
      .select([
        'supportVisits.grantId',
        'supportVisits.expiresAt',
        'supportVisits.endedAt',
        'supportGrants.endedAt as grantEndedAt',
        'supportGrants.expiresAt as grantExpiresAt',
        'users.role as grantedByRole',
        'businesses.name',
        'businesses.timeZone',
        'businesses.closedAt',
        'businesses.planTier',
        'businesses.subscriptionStatus',
        'businesses.pastDueSince',
      ])
      .executeTakeFirst(),
  )
