import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { decryptField } from '../../../../platform/keys.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { AppError, notFound } from '../../../../shared/errors.ts'
import { noteGateCodeRevealTx } from '../../../customers/server/commands.ts'
import { crewIdsOf, placeOf } from '../members/queries.ts'

/**
 * The gate code of a visit, for a person whose crew works there today; who saw it is written down.
 * @throws AppError not_found when it is not one's own visit or has no code, forbidden on another day
 */
export const revealGateCode = (actor: Actor, visitId: string): Promise<string> =>
  withTenant(actor, async (db) => {
    if ((await placeOf(db, actor, visitId)) !== 'mine') throw notFound('visit')
    const today = dayOf(clock.now(), actor.timeZone)
    const crewIds = await crewIdsOf(db, actor.userId, today)
    const visit = await db
      .selectFrom('visits as v')
      .innerJoin('properties as p', (j) =>
        j.onRef('p.businessId', '=', 'v.businessId').onRef('p.id', '=', 'v.propertyId'),
      )
      .where('v.businessId', '=', db.businessId)
      .where('v.id', '=', visitId)
      .select(['v.day', 'v.crewId', 'v.publishedDay', 'v.publishedCrewId', 'v.propertyId', 'p.gateCodeCipher'])
      .executeTakeFirstOrThrow()
    const isToday = (day: string | null, crewId: string | null) =>
      day === today && crewId !== null && crewIds.includes(crewId)
    if (!isToday(visit.day, visit.crewId) && !isToday(visit.publishedDay, visit.publishedCrewId))
      throw new AppError('forbidden', 'You can see the gate code on the day of the visit.')
    if (!visit.gateCodeCipher) throw notFound('gate code')
    await noteGateCodeRevealTx(db, { propertyId: visit.propertyId, userId: actor.userId, visitId })
    return decryptField(visit.gateCodeCipher)
  })
