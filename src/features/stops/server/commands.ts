import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { invalid } from '../../../shared/errors.ts'
import type { stopsApi } from '../contract.ts'
import { getStopSettings, type StopSettings } from './queries.ts'

/** Changes what holds at stops. @throws AppError version_conflict, validation */
export const saveStopSettings = (
  actor: Actor,
  { version, ...change }: z.output<typeof stopsApi.saveSettings.body>,
): Promise<StopSettings> =>
  withTenant(actor, async (db) => {
    const before = await getStopSettings(db)
    requireVersion(before, version, 'these settings')
    const { phrases } = { ...before, ...change }
    if (new Set(phrases.map(({ id }) => id)).size < phrases.length)
      throw invalid([{ path: 'phrases', message: 'One phrase stands there twice.' }])
    const values = { phrases: JSON.stringify(phrases), version: version + 1, updatedAt: clock.iso() }
    await db
      .insertInto('stopSettings')
      .values({ businessId: db.businessId, ...values })
      .onConflict((c) => c.column('businessId').doUpdateSet(values))
      .execute()
    await audit(db, actor, 'stops.settings', { type: 'business', id: actor.businessId }, { before, after: change })
    await publishChange(db, 'visits')
    return getStopSettings(db)
  })
