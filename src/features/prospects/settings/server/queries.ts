import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import type { Settings } from '../contract.ts'

/** The settings of the funnel, as they stand. */
export const getProspectSettings = async (db: ProspectsDb): Promise<Settings> => {
  const { onlyRow, updatedAt, callHours, ...row } = await db
    .selectFrom('settings')
    .selectAll()
    .executeTakeFirstOrThrow()
  return { ...row, callHours: callHours as Settings['callHours'] }
}
