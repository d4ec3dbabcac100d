import { withTenant } from '../../../../platform/db/tenant.ts'
import { serve } from '../../../../platform/http/serve.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { takePhoto } from '../../../files/server/commands.ts'
import { checksApi } from '../contract.ts'
import { addDefectPhoto, settleDefect } from './commands.ts'
import { listDayChecks, listDefects } from './queries.ts'
import { getCheckSettings, saveCheckSettings } from './settings.ts'

export const checksEndpoints = serve(
  'checks',
  checksApi,
)({
  settings: ({ actor }) => withTenant(actor, getCheckSettings),
  saveSettings: ({ actor, body }) => saveCheckSettings(actor, body),
  day: ({ actor, query }) =>
    withTenant(actor, async (db) => {
      const day = query.day ?? (await todayOf(db))
      return { day, crews: await listDayChecks(db, day) }
    }),
  defects: ({ actor, query }) => withTenant(actor, (db) => listDefects(db, query)),
  settle: ({ actor, params, body }) => settleDefect(actor, params.defectId, body),
  addPhoto: ({ actor, params, query, body }) =>
    takePhoto(actor, body, (bytes) => addDefectPhoto(actor, params.defectId, query.id, bytes)),
})
