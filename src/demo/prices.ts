import { todayOf } from '../features/businesses/server/queries.ts'
import { changePrices } from '../features/jobs/prices/server/commands.ts'
import { listServices } from '../features/services/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'

/** The demo's price book has a past: seed became dearer, which holds for new jobs. */
export const raiseSeed = async (owner: Actor): Promise<void> => {
  const { ids, today } = await withTenant(owner, async (db) => ({
    ids: (await listServices(db)).filter(({ name }) => /overseed|lime/i.test(name)).map(({ id }) => id),
    today: await todayOf(db),
  }))
  if (ids.length === 0) return
  await changePrices(owner, {
    fromOn: today,
    scope: 'new',
    rules: [],
    raise: { serviceIds: ids, by: { percent: 6, cents: null, rounding: 'dollar' } },
    ownPrices: 'keep',
    exceptCustomerIds: [],
    tell: false,
  })
}
