import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import type { Need } from '../../contract.ts'

/** Time that came in for a week that payroll had been run for, a person and week each, until the office counts it or leaves it out. */
export const heldTimes = async (db: TenantDb): Promise<Need[]> => {
  const rows = await db
    .selectFrom('heldTimes as h')
    .innerJoin('users as u', (j) => j.onRef('u.businessId', '=', 'h.businessId').onRef('u.id', '=', 'h.userId'))
    .where('h.businessId', '=', db.businessId)
    .where('h.decision', 'is', null)
    .groupBy(['h.userId', 'h.week', 'u.name'])
    .select(['h.userId', 'h.week', 'u.name'])
    .orderBy('h.week')
    .orderBy('u.name')
    .limit(20)
    .execute()
  return rows.map(({ userId, week, name }) => {
    const path = linkTo.timesheets({ week, personId: userId })
    return {
      id: `late-time:${userId}:${week}`,
      kind: 'conflict',
      badge: 'Late time',
      tone: 'late',
      title: `${name} worked in a week that payroll is locked for`,
      detail: `${formatDay(week)} to ${formatDay(addDays(week, 6))}. The time is kept. Count it or leave it out.`,
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Look', path },
    }
  })
}
