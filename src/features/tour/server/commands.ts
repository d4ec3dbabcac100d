import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { closeForGoodTx } from '../../accounts/closing/server/commands.ts'
import { listDemos, listReplacedDemos } from './queries.ts'

/** A demo business for visitors of the tour, made in this transaction; `ready` when there is nothing to add before they are shown it. */
export const addDemoTx = async (db: TenantDb, ready: boolean): Promise<void> => {
  const begunAt = clock.iso()
  await db
    .insertInto('tourDemos')
    .values({ businessId: db.businessId, begunAt, readyAt: ready ? begunAt : null })
    .execute()
}

/** From now on visitors are shown this demo. */
export const openDemo = async (businessId: BusinessId): Promise<void> => {
  await database().updateTable('tourDemos').set({ readyAt: clock.iso() }).where('businessId', '=', businessId).execute()
}

/** Takes a demo off the tour and lets it be deleted. A business that is no demo only leaves the list. */
export const retireDemo = (businessId: BusinessId): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const { numDeletedRows } = await db
      .deleteFrom('tourDemos')
      .where('businessId', '=', businessId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return
    const business = await db
      .selectFrom('businesses')
      .select('demo')
      .where('businessId', '=', businessId)
      .executeTakeFirst()
    if (business?.demo) await closeForGoodTx(db)
  })

const retire = async (demos: readonly BusinessId[]): Promise<number> => {
  for (const businessId of demos) await retireDemo(businessId)
  return demos.length
}

/** Lets the demos go that nobody can be in any more. @returns how many */
export const retireReplacedDemos = async (): Promise<number> => retire(await listReplacedDemos())

/** Lets every demo go: there is no tour any more. @returns how many */
export const retireAllDemos = async (): Promise<number> => retire(await listDemos())
