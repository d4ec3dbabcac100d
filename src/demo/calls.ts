import { addTask, logCall } from '../features/tasks/server/commands.ts'
import { addNote } from '../features/timeline/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, dayOf } from '../shared/dates.ts'

const hoursAgo = (hours: number): string => new Date(clock.nowMs() - hours * 3_600_000).toISOString()

/** The office was on the phone: two calls come back, one of them today, and one thing was promised to nobody in particular. */
export const callCustomers = async (owner: Actor): Promise<void> => {
  const today = dayOf(clock.now(), owner.timeZone)
  const [one, other, third] = await withTenant(owner, (db) =>
    db
      .selectFrom('customers')
      .select(['id', 'name'])
      .where('businessId', '=', db.businessId)
      .where('phone', 'is not', null)
      .where('archivedAt', 'is', null)
      .orderBy('name')
      .limit(3)
      .execute(),
  )
  if (!one || !other || !third) return
  await logCall(owner, one.id, {
    direction: 'in',
    outcome: 'talked',
    note: 'Wants a price for aeration and overseeding before fall.',
    at: hoursAgo(26),
    followUp: { title: `Call ${one.name} with the aeration price`, dueOn: today, ownerId: owner.userId },
  })
  await logCall(owner, other.id, {
    direction: 'out',
    outcome: 'voicemail',
    note: 'About the locked side gate.',
    at: hoursAgo(50),
    followUp: { title: `Call ${other.name} back`, dueOn: addDays(today, 2), ownerId: null },
  })
  await logCall(owner, third.id, { direction: 'out', outcome: 'no_answer', note: '', at: hoursAgo(75), followUp: null })
  await addNote(owner, one.id, 'Neighbor at 14 asked who mows here. Left a card.')
  await addTask(owner, {
    title: 'Order mower blades',
    note: 'Four sets, the 52 inch deck.',
    dueOn: addDays(today, 3),
    ownerId: null,
    customerId: null,
  })
}
