import { addEvent } from '../features/calendar/events/server/commands.ts'
import { usualPaidMinutes } from '../features/timeclock/timeoff/rules.ts'
import { openDaysAfter } from '../features/visits/days/rules.ts'
import { getWorkCalendar } from '../features/visits/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { staffCrews } from './crews.ts'
import { equipCrews } from './equipment.ts'

/** What the demo's office put on its calendar beside visits: somebody is off, seed comes, blades are sharpened; and who is on which crew from when on. */
export const bookEvents = async (owner: Actor): Promise<void> => {
  const { calendar, mates } = await withTenant(owner, async (db) => ({
    calendar: await getWorkCalendar(db),
    mates: await db
      .selectFrom('users')
      .select(['id', 'name'])
      .where('businessId', '=', db.businessId)
      .where('role', '=', 'Employee')
      .orderBy('name')
      .limit(2)
      .execute(),
  }))
  const [next, second] = openDaysAfter(calendar, calendar.today, null, 2)
  const [mate, other] = mates
  const [crew] = calendar.crews
  const plain = {
    note: '',
    startMinute: null,
    endMinute: null,
    userId: null,
    crewId: null,
    payKind: null,
    paidMinutes: null,
  }
  if (second && mate)
    await addEvent(owner, {
      ...plain,
      kind: 'time_off',
      title: `${mate.name} off`,
      firstDay: second,
      lastDay: second,
      userId: mate.id,
      payKind: 'vacation',
      paidMinutes: usualPaidMinutes,
    })
  if (next && other)
    await addEvent(owner, {
      ...plain,
      kind: 'time_off',
      title: `${other.name}: dentist`,
      firstDay: next,
      lastDay: next,
      startMinute: 780,
      endMinute: 960,
      userId: other.id,
    })
  if (next)
    await addEvent(owner, {
      ...plain,
      kind: 'supplier',
      title: 'Seed delivery',
      note: '40 bags of fescue, to the depot.',
      firstDay: next,
      lastDay: next,
      startMinute: 390,
      endMinute: 420,
    })
  if (second && crew)
    await addEvent(owner, {
      ...plain,
      kind: 'shop',
      title: `${crew.name}: sharpen blades`,
      firstDay: second,
      lastDay: second,
      startMinute: 900,
      endMinute: 960,
      crewId: crew.id,
    })
  await staffCrews(owner, calendar.today)
  await equipCrews(owner)
}
