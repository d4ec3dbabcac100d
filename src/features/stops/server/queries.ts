import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type Phrase, usualPhrases } from '../rules.ts'

export type StopSettings = { phrases: Phrase[]; version: number }

/** What holds at the stops of a business; who said nothing has the usual phrases. */
export const getStopSettings = async (db: TenantDb): Promise<StopSettings> => {
  const row = await db
    .selectFrom('stopSettings')
    .select(['phrases', 'version'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  return row ? { ...row, phrases: row.phrases as Phrase[] } : { phrases: [...usualPhrases], version: 0 }
}
