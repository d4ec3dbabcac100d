import { userIdOf, type Who } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { PriceRule } from '../../rules.ts'

/** A further version of a service's prices. The service has to be locked. */
export const addPriceVersionTx = async (
  db: TenantDb,
  who: Who,
  serviceId: string,
  version: { priceRule: PriceRule; fromOn: Day; changeId?: string },
): Promise<void> => {
  const { last } = await db
    .selectFrom('servicePrices')
    .where('businessId', '=', db.businessId)
    .where('serviceId', '=', serviceId)
    .select((eb) => eb.fn.max('number').as('last'))
    .executeTakeFirstOrThrow()
  await db
    .insertInto('servicePrices')
    .values({
      businessId: db.businessId,
      id: newId(),
      serviceId,
      number: (last ?? 1) + 1,
      priceRule: JSON.stringify(version.priceRule),
      fromOn: version.fromOn,
      changeId: version.changeId ?? null,
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .execute()
}

const raiseVersions = async (db: TenantDb, serviceIds: readonly string[]): Promise<void> => {
  if (serviceIds.length === 0) return
  await db
    .updateTable('services')
    .set((eb) => ({ version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', 'in', serviceIds)
    .execute()
  await publishChange(db, 'services', [...serviceIds])
}

/** New versions for several services by one change; forms that are open over them are told. */
export const changePricesTx = async (
  db: TenantDb,
  who: Who,
  change: { changeId: string; fromOn: Day; rules: ReadonlyMap<string, PriceRule> },
): Promise<void> => {
  for (const [serviceId, priceRule] of change.rules)
    await addPriceVersionTx(db, who, serviceId, { priceRule, fromOn: change.fromOn, changeId: change.changeId })
  await raiseVersions(db, [...change.rules.keys()])
}

/** The versions that a change made hold no more, as if they had never been; they stay to be read. */
export const undoPricesTx = async (db: TenantDb, changeId: string): Promise<void> => {
  const rows = await db
    .updateTable('servicePrices')
    .set({ undoneAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('changeId', '=', changeId)
    .returning('serviceId')
    .execute()
  await raiseVersions(
    db,
    rows.map((row) => row.serviceId),
  )
}

/** Takes services for a change of their prices, in an order that no two changes can block each other by. */
export const lockServicesTx = (db: TenantDb, ids: readonly string[]) =>
  db
    .selectFrom('services')
    .select(['id', 'version', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute()
