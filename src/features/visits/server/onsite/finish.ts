import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, instantAt } from '../../../../shared/dates.ts'
import { invalid } from '../../../../shared/errors.ts'
import { lineCents } from '../../../../shared/money.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import type { LockedVisit } from '../row/commands.ts'

/** What the office says of work that a crew did without its phone. */

/** Minutes after midnight of the visit's day, as the wall clock of the business shows them. */
export type FinishTimes = { startMinute?: number; endMinute?: number }

const sameMinute = (a: string, b: string): boolean => a.slice(0, 16) === new Date(b).toISOString().slice(0, 16)

/**
 * The instants of times on a visit's day. A start that the crew's phone kept stays as exact as it was, with its pauses.
 * @throws AppError validation for times that are still to come or in the wrong order
 */
export const instantsOf = async (
  db: TenantDb,
  visit: LockedVisit,
  { startMinute, endMinute }: FinishTimes,
): Promise<{ at?: string; startedAt?: string }> => {
  if (startMinute === undefined || endMinute === undefined) return {}
  if (visit.day === null) throw invalid([{ path: 'endMinute', message: 'Give the visit a day first.' }])
  const zone = await timeZoneOf(db)
  const startedAt = instantAt(visit.day, startMinute, zone)
  const at = instantAt(visit.day, endMinute, zone)
  if (at <= startedAt) throw invalid([{ path: 'endMinute', message: 'The end has to be after the start.' }])
  if (Date.parse(at) > clock.nowMs())
    throw invalid([{ path: 'endMinute', message: 'That is still to come. Say when the work ended.' }])
  return visit.startedAt !== null && sameMinute(startedAt, visit.startedAt) ? { at } : { at, startedAt }
}

/** Work that is booked after it was done ended in the afternoon of its day, as far as anybody knows. */
export const endOfWork = async (db: TenantDb, day: Day): Promise<string> =>
  instantAt(day, 17 * 60, await timeZoneOf(db))

/**
 * Of the services of a visit only these were done: the others leave it, with their price and minutes.
 * @throws AppError validation for a line that is not on the visit
 */
export const keepLinesTx = async (
  db: TenantDb,
  visit: LockedVisit,
  lineIds: readonly string[],
): Promise<{ priceCents?: number; budgetMinutes?: number }> => {
  const lines = await db
    .selectFrom('visitLines as l')
    .innerJoin('visits as v', (x) => x.onRef('v.businessId', '=', 'l.businessId').onRef('v.id', '=', 'l.visitId'))
    .where('l.businessId', '=', db.businessId)
    .where('l.visitId', '=', visit.id)
    .select(['l.id', 'l.quantity', 'l.unitPriceCents', 'l.budgetMinutes', 'v.budgetMinutes as plannedMinutes'])
    .execute()
  if (lineIds.some((id) => !lines.some((line) => line.id === id)))
    throw invalid([{ path: 'lineIds', message: 'The services of this visit changed meanwhile. Look at them again.' }])
  const gone = lines.filter((line) => !lineIds.includes(line.id))
  if (gone.length === 0) return {}
  await db
    .deleteFrom('visitLines')
    .where('businessId', '=', db.businessId)
    .where(
      'id',
      'in',
      gone.map((line) => line.id),
    )
    .execute()
  const cents = gone.reduce((sum, line) => sum + lineCents(line.quantity, line.unitPriceCents), 0)
  const minutes = gone.reduce((sum, line) => sum + line.budgetMinutes, 0)
  return {
    priceCents: Math.max(0, visit.priceCents - cents),
    budgetMinutes: Math.max(0, (lines[0]?.plannedMinutes ?? 0) - minutes),
  }
}
