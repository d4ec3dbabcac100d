import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, userIdOf } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict } from '../../../shared/errors.ts'
import type { CardBatch, doorcardsApi } from '../contract.ts'
import { batchRefusals, restDays, takenBack } from '../rules.ts'
import { getBatch } from './batches.ts'
import { listNeighbors } from './queries.ts'

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const newCode = (): string => Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')

/** Notes the doors that get a card, so that nobody is asked again soon. @throws conflict */
export const makeDoorCards = (
  who: Actor,
  propertyId: string,
  { keys, language, offer }: z.output<(typeof doorcardsApi)['make']['body']>,
): Promise<{ id: string; doors: number }> =>
  withTenant(who, async (db) => {
    // two people who make cards for the same doors: the second sees the first one's
    await sql`select pg_advisory_xact_lock(hashtextextended(${`doorcards:${db.businessId}`}, 0))`.execute(db)
    const near = await listNeighbors(db, propertyId)
    if (!near.hasPage)
      throw conflict(
        'Your business page is off, so the code on a card would lead nowhere. Switch it on first. Nothing was made.',
      )
    const chosen = near.doors.filter(({ key }) => keys.includes(key))
    if (chosen.some(({ askedAt }) => askedAt !== null) || chosen.length < new Set(keys).size)
      throw conflict(
        `One of these doors got a card in the last ${restDays} days, or is a customer now. The list was loaded anew. Nothing was made.`,
      )
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('doorCards')
      .values({
        businessId: db.businessId,
        id,
        propertyId,
        code: newCode(),
        language,
        offer,
        byUserId: userIdOf(who),
        createdAt: now,
      })
      .execute()
    await db
      .insertInto('doorCardDoors')
      .values(
        chosen.map(({ street, city, state, zip }, at) => ({
          businessId: db.businessId,
          cardId: id,
          position: at + 1,
          street,
          city,
          state,
          zip,
          askedAt: now,
        })),
      )
      .execute()
    await audit(db, who, 'doorcards.make', { type: 'property', id: propertyId }, { after: { doors: chosen.length } })
    return { id, doors: chosen.length }
  })

/** Cards that were never hung: their doors may get another one at once. @throws conflict where they were taken back already */
export const undoDoorCards = (who: Actor, id: string): Promise<CardBatch> =>
  withTenant(who, async (db) => {
    refuse(batchRefusals.undo(await getBatch(db, who, id)))
    const { numUpdatedRows } = await db
      .updateTable('doorCards')
      .set({ undoneAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .where('undoneAt', 'is', null)
      .executeTakeFirst()
    refuse(numUpdatedRows === 0n ? takenBack : null)
    await audit(db, who, 'doorcards.undo', { type: 'doorCards', id })
    return getBatch(db, who, id)
  })
