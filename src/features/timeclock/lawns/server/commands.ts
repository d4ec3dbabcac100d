import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { startOfWeek } from '../../../../shared/dates.ts'
import { getUsualWage, listWages } from '../../../employees/wages/server/queries.ts'
import { termsOf } from '../../payroll/rules.ts'
import { spellsWithCrews } from '../../server/queries.ts'
import { holdWeekTx, isLocked, lockSheetTx, noteChangeTx, writeSheetTx } from '../../sheets/server/keep.ts'

const reason = 'A lawn of this week was told later, and it is paid by the lawn.'

/**
 * The work of a visit on a past day changed: a phone came late, or the office put it right. Who is paid by the lawn and was with the crew then has
 * another pay: a week of theirs that was handed in or approved is open again, because nobody has seen this. A locked week keeps its pay.
 */
export const reopenForLawnTx = async (db: TenantDb, visitId: string, timeZone: string): Promise<void> => {
  const visit = await db
    .selectFrom('visits')
    .select('day')
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  const day = visit?.day
  if (!day) return
  const week = startOfWeek(day)
  const { rows } = await sql<{ userId: string }>`
    with spells as (${spellsWithCrews(db, { from: day, to: day }, timeZone)})
    select distinct s.user_id as "userId"
    from visits v
    join spells s on s.crew_id = coalesce(v.published_crew_id, v.crew_id)
    join timesheets t on t.business_id = v.business_id and t.user_id = s.user_id and t.week = ${week} and t.status in ('submitted', 'approved')
    where v.business_id = ${db.businessId} and v.id = ${visitId}
    order by 1`.execute(db)
  if (rows.length === 0) return
  await holdWeekTx(db, week, 'add')
  if (await isLocked(db, week)) return
  const userIds = rows.map(({ userId }) => userId)
  const wages = Map.groupBy(await listWages(db, userIds, day), (one) => one.userId)
  const usual = await getUsualWage(db)
  for (const userId of userIds) {
    const { pieceCents, bonusCents } = termsOf(wages.get(userId) ?? [], usual)(day)
    if (pieceCents === null && bonusCents === null) continue
    const row = await lockSheetTx(db, userId, week)
    if (row.status !== 'submitted' && row.status !== 'approved') continue
    await writeSheetTx(db, row, { status: 'open', reason })
    await noteChangeTx(db, { userId, week, action: 'reopened', by: null, reason })
    await publishChange(db, 'timeclock', [userId])
  }
}
