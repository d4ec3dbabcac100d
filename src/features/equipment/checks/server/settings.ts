import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion, versionConflict } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { invalid } from '../../../../shared/errors.ts'
import type { checksApi } from '../contract.ts'
import { type CheckAsks, type CheckItem, usualItems } from '../rules.ts'

export type CheckSettings = { asks: CheckAsks; items: CheckItem[]; version: number }

/** What crews look at; who said nothing has the usual list. */
export const getCheckSettings = async (db: TenantDb): Promise<CheckSettings> => {
  const row = await db
    .selectFrom('truckCheckSettings')
    .select(['asks', 'items', 'version'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  return row ? { ...row, items: row.items as CheckItem[] } : { asks: 'anytime', items: [...usualItems], version: 0 }
}

export const saveCheckSettings = (
  actor: Actor,
  { version, asks, items }: z.output<typeof checksApi.saveSettings.body>,
): Promise<CheckSettings> =>
  withTenant(actor, async (db) => {
    requireVersion(await getCheckSettings(db), version, 'the truck check')
    if (new Set(items.map(({ id }) => id)).size < items.length)
      throw invalid([{ path: 'items', message: 'One item stands there twice.' }])
    const values = { asks, items: JSON.stringify(items), version: version + 1, updatedAt: clock.iso() }
    // the version is asked again where it is written: two who save at once both read the one before
    const saved = await db
      .insertInto('truckCheckSettings')
      .values({ businessId: db.businessId, ...values })
      .onConflict((c) => c.column('businessId').doUpdateSet(values).where('truckCheckSettings.version', '=', version))
      .returning('version')
      .executeTakeFirst()
    if (!saved) throw versionConflict('the truck check', (await getCheckSettings(db)).version)
    await audit(
      db,
      actor,
      'truckCheck.settings',
      { type: 'business', id: actor.businessId },
      { after: { asks, items } },
    )
    await publishChange(db, 'equipment')
    return getCheckSettings(db)
  })
