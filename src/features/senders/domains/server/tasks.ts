import { sql } from 'kysely'
import { systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { subscriber } from '../../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEachOpenBusiness } from '../../../../platform/tasks/walk.ts'
import { isClosed } from '../../../businesses/server/queries.ts'
import { isKeyOld, retiredDays } from '../rules.ts'
import { lookAgain, removeSenderTx } from './commands.ts'
import { tellTx } from './notices.ts'
import { findDomain } from './queries.ts'

/** Tells once a year that a key is old, and forgets keys whose record is not needed any more. */
const tidy = (businessId: BusinessId): Promise<void> =>
  withTenant(systemActor(businessId), async (db) => {
    const found = await findDomain(db)
    if (!found) return
    const { row, keys } = found
    await sql`delete from sender_domain_keys where business_id = ${db.businessId} and state = 'retired'
      and retired_at < ${new Date(clock.nowMs() - 4 * retiredDays * 86_400_000).toISOString()}::timestamptz`.execute(db)
    const since = row.state === 'live' ? keys.find(({ state }) => state === 'signing')?.signingSince : undefined
    if (!since || !isKeyOld(since, row.remindedAt, clock.nowMs())) return
    await db
      .updateTable('senderDomains')
      .set({ remindedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', row.id)
      .execute()
    await tellTx(db, row, { old: true })
  })

/** Every hour: domains of which a look is due. Each waits longer than the one before, so the walk finds few of them. */
export const lookAtSenders: GlobalTask = {
  name: 'senders.look',
  run: () =>
    forEachOpenBusiness('the look at own domains', async ({ businessId }) => {
      await lookAgain(businessId)
      await tidy(businessId)
    }),
}
export const lookAtSendersSchedule: Schedule = { task: lookAtSenders.name, match: '41 * * * *', onlyLatest: true }

/** A closed business writes to nobody: its keys are deleted, and the domain is anybody's again who can prove it. */
export const onBusinessClosed = subscriber({
  name: 'senders.onBusinessClosed',
  on: 'business.closed',
  run: (actor) =>
    withTenant(actor, async (db) => {
      // opened again meanwhile: it stays
      if (await isClosed(db)) await removeSenderTx(db, actor)
    }),
})
