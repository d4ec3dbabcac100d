import { clock } from '../../../../platform/clock.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { AppError, invalid } from '../../../../shared/errors.ts'
import { isTimeZone } from '../../../../shared/timeZone.ts'
import { hoursProblem } from '../../calls/rules.ts'
import type { Settings } from '../contract.ts'
import { getProspectSettings } from './queries.ts'

/**
 * Changes the settings of the funnel. Calls that are booked stay as they are.
 * @throws validation_failed; version_conflict when they were changed since they were read
 */
export const saveProspectSettings = (settings: Settings): Promise<Settings> => {
  const problem = hoursProblem(settings.callHours)
  if (problem) throw invalid([{ path: 'callHours', message: problem }])
  if (!isTimeZone(settings.timeZone)) throw invalid([{ path: 'timeZone', message: 'We do not know this time zone' }])
  return withProspects(async (db) => {
    const { callHours, version, ...rest } = settings
    const saved = await db
      .updateTable('settings')
      .set({ ...rest, callHours: JSON.stringify(callHours), version: version + 1, updatedAt: clock.iso() })
      .where('version', '=', version)
      .returning('version')
      .executeTakeFirst()
    if (!saved)
      throw new AppError('version_conflict', 'These settings were changed elsewhere. Reload them, then save again.')
    return getProspectSettings(db)
  })
}
