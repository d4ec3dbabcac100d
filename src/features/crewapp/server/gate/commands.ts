import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { decryptField } from '../../../../platform/keys.ts'
import { addDays, dayOf } from '../../../../shared/dates.ts'
import { AppError, notFound } from '../../../../shared/errors.ts'
import { noteGateCodeRevealTx } from '../../../customers/server/commands.ts'
import { isUnderWay } from '../../../visits/rules.ts'
import type { CommandOutcome } from '../../rules.ts'
import { crewIdsOf, placeOf } from '../members/queries.ts'

/**
 * The gate code of a visit, for a person whose crew works there today, or goes on there since the evening before; who saw it is written down.
 * @throws AppError not_found when it is not one's own visit or has no code, forbidden on another day
 */
export const revealGateCode = (actor: Actor, visitId: string): Promise<string> =>
  withTenant(actor, async (db) => {
    if ((await placeOf(db, actor, visitId)) !== 'mine') throw notFound('visit')
    const today = dayOf(clock.now(), actor.timeZone)
    const crewIds = await crewIdsOf(db, actor.userId, today)
    const before = addDays(today, -1)
    const crewIdsBefore = await crewIdsOf(db, actor.userId, before)
    const visit = await db
      .selectFrom('visits as v')
      .innerJoin('properties as p', (j) =>
        j.onRef('p.businessId', '=', 'v.businessId').onRef('p.id', '=', 'v.propertyId'),
      )
      .where('v.businessId', '=', db.businessId)
      .where('v.id', '=', visitId)
      .select([
        'v.status',
        'v.day',
        'v.crewId',
        'v.publishedDay',
        'v.publishedCrewId',
        'v.propertyId',
        'p.gateCodeCipher',
      ])
      .executeTakeFirstOrThrow()
    // What was begun on the day before and is not over is work of today: it does not end at midnight.
    const isToday = (day: string | null, crewId: string | null) =>
      crewId !== null &&
      ((day === today && crewIds.includes(crewId)) ||
        (day === before && isUnderWay(visit.status) && crewIdsBefore.includes(crewId)))
    if (!isToday(visit.day, visit.crewId) && !isToday(visit.publishedDay, visit.publishedCrewId))
      throw new AppError('forbidden', 'You can see the gate code on the day of the visit.')
    if (!visit.gateCodeCipher) throw notFound('gate code')
    await noteGateCodeRevealTx(db, { propertyId: visit.propertyId, userId: actor.userId, visitId })
    return decryptField(visit.gateCodeCipher)
  })

/**
 * Somebody looked at a code without a signal that their phone had from earlier in the day: written down as every look is, with its time. It was seen,
 * whoever has the stop by now.
 */
export const noteGateSeen = async (
  db: TenantDb,
  { userId }: Actor,
  visitId: string,
  at: string,
): Promise<CommandOutcome> => {
  const visit = await db
    .selectFrom('visits')
    .select('propertyId')
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  if (visit) await noteGateCodeRevealTx(db, { propertyId: visit.propertyId, userId, visitId, at })
  return { result: 'applied', reason: null }
}
