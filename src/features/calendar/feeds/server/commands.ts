import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { linkToken } from '../../../../platform/links.ts'
import { refuse } from '../../../../shared/can.ts'
import { notFound } from '../../../../shared/errors.ts'
import { assertCrewTx, getEmployee } from '../../../employees/server/queries.ts'
import type { CalendarFeed } from '../contract.ts'
import { feedRefusals } from '../rules.ts'
import { getFeed } from './queries.ts'

type Of = { crewId: string | null; userId: string | null }

/** A crew or a person has one address at a time: asked for again it is answered again. */
export const addFeed = (actor: Actor, of: Of): Promise<CalendarFeed> =>
  withTenant(actor, async (db) => {
    await assertCrewTx(db, of.crewId)
    if (of.userId) await getEmployee(db, actor, of.userId)
    const id = newId()
    const made = await db
      .insertInto('calendarFeeds')
      .values({ ...of, businessId: db.businessId, id, createdBy: actor.userId, createdAt: clock.iso() })
      .onConflict((c) => c.doNothing())
      .returning('id')
      .executeTakeFirst()
    const known = made
      ? id
      : (
          await db
            .selectFrom('calendarFeeds')
            .select('id')
            .where('businessId', '=', db.businessId)
            .where('revokedAt', 'is', null)
            .where((eb) => (of.crewId ? eb('crewId', '=', of.crewId) : eb('userId', '=', of.userId)))
            .executeTakeFirstOrThrow()
        ).id
    await linkToken(db, 'calendar', known)
    if (made) {
      await audit(db, actor, 'calendar.feed', { type: 'calendar_feed', id }, { after: of })
      await publishChange(db, 'calendar', [id])
    }
    return getFeed(db, actor, known)
  })

export const revokeFeed = (actor: Actor, id: string): Promise<{ id: string }> =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('calendarFeeds')
      .select(['id', 'revokedAt'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('feed')
    refuse(feedRefusals.revoke(row))
    await db
      .updateTable('calendarFeeds')
      .set({ revokedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'calendar.feedRevoked', { type: 'calendar_feed', id }, {})
    await publishChange(db, 'calendar', [id])
    return { id }
  })
