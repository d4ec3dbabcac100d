import type { SystemActor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { log } from '../../../../platform/log.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEachBusiness } from '../../../../platform/tasks/walk.ts'
import { addDays, type Day, daysBetween } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { lookBackDays } from '../../rules.ts'
import { countMarked, markDaysTx } from './commands.ts'
import { findFirstDay, listDifferences } from './queries.ts'

/** Every ten minutes: marked days are counted for good; until then each look counts them itself. */
export const countAllMarked: GlobalTask = {
  name: 'analytics.countMarked',
  run: () =>
    forEachBusiness('the count of days', async (actor) => {
      while (await countMarked(actor)) {
        // the next days in a transaction of their own
      }
    }),
}
export const countAllMarkedSchedule: Schedule = { task: countAllMarked.name, match: '*/10 * * * *', onlyLatest: true }

/** Days that one statement compares. */
const pieceDays = 31
/** So many of the newest pieces are compared every night, in which nearly all changes lie. */
const newestPieces = 3
/** Of the older ones each once in so many nights: a night's work does not grow with what a business has done. */
const nights = 7

const begin: Day = '2020-01-01'

/**
 * The pieces of a span that a night compares, as their first days.
 * @param today the day of the night; on `nights` days in a row every piece has its turn
 */
export const piecesOf = (first: Day, today: Day): Day[] => {
  // pieces begin on the same days every night, so that none falls between two nights
  const pieceOf = (day: Day): number => Math.floor(daysBetween(begin, day) / pieceDays)
  const night = daysBetween(begin, today) % nights
  const last = pieceOf(today)
  return Array.from({ length: last - pieceOf(first) + 1 }, (_, back) => last - back)
    .filter((piece) => piece > last - newestPieces || piece % nights === night)
    .map((piece) => addDays(begin, piece * pieceDays))
}

const compare = async (actor: SystemActor): Promise<void> => {
  const { first, today } = await withTenant(actor, async (db) => {
    const today = await todayOf(db)
    return { first: await findFirstDay(db, addDays(today, -lookBackDays)), today }
  })
  for (const from of first ? piecesOf(first, today) : [])
    await withTenant(actor, async (db) => {
      const found = await listDifferences(db, from, addDays(from, pieceDays - 1))
      if (found.length === 0) return
      log.error(
        { businessId: actor.businessId, found },
        'what is kept of a day is not what it came to; it is counted again',
      )
      await markDaysTx(db, [...new Set(found.map(({ day }) => day))])
    })
}

/** Every night: what is kept of days that any screen reads against a full count. A difference is our mistake: told in the log, and put right. */
export const compareAllDays: GlobalTask = {
  name: 'analytics.compareDays',
  run: () => forEachBusiness('the comparison of days', compare),
}
/** At 10:20 UTC, after the books were compared. */
export const compareAllDaysSchedule: Schedule = { task: compareAllDays.name, match: '20 10 * * *' }
