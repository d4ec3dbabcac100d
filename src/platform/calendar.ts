import { type Day, dayOf } from '../shared/dates.ts'
import { clock } from './clock.ts'
import type { TenantDb } from './db/tenant.ts'

/** IANA zone of the business: every day it speaks of is a day there. */
export const timeZoneOf = async (db: TenantDb): Promise<string> =>
  (
    await db
      .selectFrom('businesses')
      .select('timeZone')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
  ).timeZone

/** Today on the business's calendar. */
export const todayOf = async (db: TenantDb): Promise<Day> => dayOf(clock.now(), await timeZoneOf(db))
