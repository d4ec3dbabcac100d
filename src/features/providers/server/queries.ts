import { database } from '../../../platform/db/database.ts'

/** Which business wrote to a number last through the shared provider, and when. */
export const findSmsRoute = async (phone: string): Promise<{ businessId: string | null; at: string } | null> =>
  (await database()
    .selectFrom('smsRoutes')
    .select(['businessId', 'at'])
    .where('phone', '=', phone)
    .executeTakeFirst()) ?? null
