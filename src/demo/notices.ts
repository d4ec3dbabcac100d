import { measureOnce, remindOfDay, tellMoves } from '../features/notices/server/commands.ts'
import { type Actor, systemActor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, dayOf } from '../shared/dates.ts'

/** Tomorrow's customers were reminded, in windows as wide as the weeks before were off; in both languages. */
export const remindTomorrow = async (owner: Actor): Promise<void> => {
  const actor = systemActor(owner.businessId)
  await measureOnce(actor)
  await remindOfDay(actor, addDays(dayOf(clock.now(), owner.timeZone), 1))
}

/** Who was told another day than their visit has since the office moved it hears so. */
export const tellMoved = async (owner: Actor): Promise<void> => {
  const actor = systemActor(owner.businessId)
  const told = await withTenant(actor, (db) =>
    db.selectFrom('visitTellings').select('customerId').where('businessId', '=', db.businessId).distinct().execute(),
  )
  for (const { customerId } of told) await tellMoves(actor, customerId)
}
