import { listServices } from '../features/services/server/queries.ts'
import { saveViewTx } from '../features/views/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'

/** What the owner looks at every morning, shared with the office. */
export const keepViews = (owner: Actor): Promise<void> =>
  withTenant(owner, async (db) => {
    const treat = (await listServices(db)).find(({ code }) => code === 'fert-weed')
    const shared = { shared: true, isDefault: false }
    if (treat)
      await saveViewTx(db, owner, {
        ...shared,
        hub: 'jobs',
        name: 'Treatments, next first',
        query: { serviceId: treat.id, sort: 'nextVisit.asc' },
      })
    await saveViewTx(db, owner, {
      ...shared,
      hub: 'customers',
      name: 'Commercial by city',
      query: { tag: 'commercial', sort: 'city' },
    })
  })
