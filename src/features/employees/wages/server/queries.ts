import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, dayOf } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { Wage } from '../contract.ts'

export type DatedWage = Wage & { userId: string }

/** The wages of people that hold until a day, each person's newest first. */
export const listWages = (db: TenantDb, userIds: readonly string[], until?: Day): Promise<DatedWage[]> => {
  let query = db
    .selectFrom('wages')
    .where('businessId', '=', db.businessId)
    .where('userId', 'in', userIds.length > 0 ? [...userIds] : [''])
  if (until) query = query.where('validFrom', '<=', until)
  return userIds.length === 0
    ? Promise.resolve([])
    : query
        .select(['userId', 'validFrom as from', 'centsPerHour', 'pieceCents', 'bonusCents', 'burdenPercent'])
        .orderBy('validFrom', 'desc')
        .limit(5_000)
        .execute()
}

/** What is usual in the business where a person has nothing of their own. */
export const getUsualWage = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['defaultWageCents', 'burdenPercent'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

/** @throws AppError not_found */
export const getWages = async (db: TenantDb, actor: Actor, userId: string) => {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!person) throw notFound('person')
  const items = (await listWages(db, [userId])).map(({ userId: _, ...wage }) => wage)
  const { burdenPercent } = await getUsualWage(db)
  return { today: dayOf(clock.now(), actor.timeZone), burdenPercent, items }
}
