import type { Actor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { OwnPositions } from '../contract.ts'

/** So many people of one business are looked at; the newest who said yes first. */
const mostPeople = 500

export const findConsent = async (db: TenantDb, userId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('positionConsents')
    .select('since')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.since ?? null
}

export const getOwn = async (db: TenantDb, { userId }: Pick<Actor, 'userId'>): Promise<OwnPositions> => {
  const last = await db
    .selectFrom('positions')
    .select('at')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { since: await findConsent(db, userId), lastAt: last?.at ?? null }
}

/** Everybody who shares and still works here, with the newest position: one look into the index a person. */
export const listPositions = async (db: TenantDb) => {
  const rows = await db
    .selectFrom('positionConsents as c')
    .innerJoin('users as u', (j) => j.onRef('u.businessId', '=', 'c.businessId').onRef('u.id', '=', 'c.userId'))
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('positions as p')
          .select(['p.at', 'p.latitude', 'p.longitude', 'p.accuracyMeters'])
          .whereRef('p.businessId', '=', 'c.businessId')
          .whereRef('p.userId', '=', 'c.userId')
          .orderBy('p.at', 'desc')
          .limit(1)
          .as('last'),
      (j) => j.onTrue(),
    )
    .where('c.businessId', '=', db.businessId)
    .where('u.status', '=', 'active')
    .select(['c.userId', 'u.name', 'c.since', 'last.at', 'last.latitude', 'last.longitude', 'last.accuracyMeters'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('timeEntries as t')
            .select('t.id')
            .whereRef('t.businessId', '=', 'c.businessId')
            .whereRef('t.userId', '=', 'c.userId')
            .where('t.endedAt', 'is', null)
            .where('t.kind', '<>', 'break'),
        )
        .as('onClock'),
    )
    .orderBy('c.since', 'desc')
    .limit(mostPeople)
    .execute()
  return {
    items: rows.map(({ userId, name, since, onClock, at, latitude, longitude, accuracyMeters }) => ({
      userId,
      name,
      since,
      onClock: Boolean(onClock),
      last:
        at === null || latitude === null || longitude === null || accuracyMeters === null
          ? null
          : { at, latitude, longitude, accuracyMeters },
    })),
  }
}
