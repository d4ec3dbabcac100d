import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { ourInstant, skewOf } from '../../crewapp/rules.ts'
import { listSpells } from '../../timeclock/server/queries.ts'
import type { OwnPositions } from '../contract.ts'
import { mayKeep } from '../rules.ts'
import { findConsent, getOwn } from './queries.ts'

const mostAMinute = 30

/** Says yes for oneself, or takes it back: then everything that is kept goes along. */
export const sharePositions = (actor: Actor, on: boolean): Promise<OwnPositions> =>
  withTenant(actor, async (db) => {
    const before = await findConsent(db, actor.userId)
    if (on)
      await db
        .insertInto('positionConsents')
        .values({ businessId: db.businessId, userId: actor.userId, since: clock.iso() })
        .onConflict((c) => c.columns(['businessId', 'userId']).doNothing())
        .execute()
    else
      await db
        .deleteFrom('positionConsents')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', actor.userId)
        .execute()
    if ((before !== null) !== on)
      await audit(db, actor, 'positions.share', { type: 'user', id: actor.userId }, { after: { on } })
    return getOwn(db, actor)
  })

type Position = { id: string; at: string; latitude: number; longitude: number; accuracyMeters: number }

/** Keeps what may be kept and drops the rest, so that a phone has nothing to send again. Each id once. */
export const addPositions = async (
  actor: Actor,
  said: readonly Position[],
  sentAt: string | undefined,
): Promise<OwnPositions> => {
  await countUse(`positions:${actor.businessId}:${actor.userId}`, mostAMinute, 60)
  // as the commands of the clock are: both go by our time
  const skew = skewOf(sentAt, clock.nowMs())
  const positions = said.map((one) => ({ ...one, at: ourInstant(one.at, skew, clock.nowMs()) }))
  return withTenant(actor, async (db) => {
    // taking it back waits for this, or this for it: nothing is kept of somebody who said no
    const consent = await db
      .selectFrom('positionConsents')
      .select('since')
      .where('businessId', '=', db.businessId)
      .where('userId', '=', actor.userId)
      .forKeyShare()
      .executeTakeFirst()
    const first = positions.reduce((least, { at }) => (Date.parse(at) < Date.parse(least) ? at : least), clock.iso())
    const spells = consent ? await listSpells(db, actor.userId, first) : []
    const kept = positions.filter(({ at }) => mayKeep(at, consent?.since ?? null, spells, clock.nowMs()))
    if (kept.length > 0)
      await db
        .insertInto('positions')
        .values(kept.map((one) => ({ businessId: db.businessId, userId: actor.userId, ...one })))
        .onConflict((c) => c.columns(['businessId', 'id']).doNothing())
        .execute()
    return getOwn(db, actor)
  })
}
