import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addMonths } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { findConnection } from '../../connect/server/queries.ts'
import type { BooksMonth, MonthCheck } from '../../contract.ts'

const mostMonths = 13

/** The months since the start, the newest first, each with how it was found last. */
export const listMonths = async (db: TenantDb): Promise<{ months: BooksMonth[] }> => {
  const connection = await findConnection(db)
  if (!connection?.startOn) return { months: [] }
  const today = await todayOf(db)
  const checks = await db
    .selectFrom('booksChecks')
    .select(['month', 'result', 'failedAt', 'problem'])
    .where('businessId', '=', db.businessId)
    .where('connectionId', '=', connection.id)
    .orderBy('month', 'desc')
    .limit(mostMonths)
    .execute()
  const known = new Map(
    checks.map(({ month, result, failedAt, problem }): [string, BooksMonth] => [
      month,
      {
        month,
        check: result as unknown as MonthCheck | null,
        failed: failedAt ? { at: failedAt, message: problem } : null,
      },
    ]),
  )
  const first = connection.startOn.slice(0, 7)
  const months = Array.from({ length: mostMonths }, (_, back) =>
    addMonths(`${today.slice(0, 7)}-01`, -back).slice(0, 7),
  )
  return {
    months: months
      .filter((month) => month >= first)
      .map((month) => known.get(month) ?? { month, check: null, failed: null }),
  }
}

/** Months that need somebody: the newest check got no answer, or found what differs. */
export const listMonthsToLookAt = async (
  db: TenantDb,
): Promise<{ month: string; problem: string | null; count: number }[]> => {
  const { months } = await listMonths(db)
  return months.flatMap(({ month, check, failed }) => {
    const count = check?.differences.filter(({ why }) => why !== 'waiting').length ?? 0
    return failed || count > 0 ? [{ month, problem: failed?.message ?? null, count }] : []
  })
}
