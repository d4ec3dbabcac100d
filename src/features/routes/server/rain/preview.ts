import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { onSiteMinutes } from '../../../visits/rules.ts'
import { dayWeather, spanWords, treatmentWarnings } from '../../../weather/rules.ts'
import { readWeather, type WeatherBook } from '../../../weather/server/queries.ts'
import type { PlanChange } from '../../contract.ts'
import { mustNotify } from '../../proposals/rules.ts'
import type { RainFacts } from '../../rain/contract.ts'
import { heldReason } from '../../rain/rules.ts'
import { type DayVisit, type Orders, ordersOf, type PlanCrew, type PlanningContext } from '../day/planning-context.ts'
import { sequenceDay } from '../plan/sequence.ts'
import { noticesOf, type RainMove } from './notices.ts'

/** What a rain push tells before it acts. */

export type RainAsked = Pick<RainFacts, 'strategy' | 'crewIds' | 'onDays' | 'makeUpDay'> & {
  moveIds: readonly string[]
  stops: readonly DayVisit[]
}

/** Minutes past the shifts of a day, of all crews. */
const overtimeOf = (context: PlanningContext, orders: Orders): number =>
  sequenceDay(context, orders).reduce(
    (sum, route) => sum + Math.max(0, (route.endMinute ?? 0) - route.crew.shiftEndMinute),
    0,
  )

/** What speaks against where a visit goes: treatments in wind, heat or rain. */
export const weatherNotes =
  (book: WeatherBook) =>
  (visit: DayVisit, to: { day: Day; startMinute: number | null; crew: PlanCrew | undefined }): string[] => {
    if (!visit.treats || to.startMinute === null || !to.crew) return []
    const time = {
      fromMinute: to.startMinute,
      toMinute: to.startMinute + onSiteMinutes(visit.budgetMinutes, to.crew.people),
    }
    return treatmentWarnings(book.hoursOf(to.day, to.crew.depot), book.limits, time)
  }

/** The moves that customers hear of. */
export const movesOf = (changes: readonly PlanChange[]): RainMove[] =>
  changes.flatMap((change) =>
    mustNotify(change) && change.kind !== 'time'
      ? [
          {
            visitId: change.visitId,
            from: change.from.day,
            to: change.kind === 'other-day' ? change.to.day : null,
            skipped: change.kind === 'skipped',
          },
        ]
      : [],
  )

export const weatherFor = (db: TenantDb, contexts: readonly PlanningContext[]): Promise<WeatherBook> => {
  const days = contexts.map((context) => context.data.day)
  return readWeather(db, days[0] ?? '', days.at(-1) ?? '')
}

/** Everything of a push but its figures: rain that is to come, overtime, stops that stay, and who hears of it. */
export const rainFactsOf = async (
  db: TenantDb,
  asked: RainAsked,
  {
    contexts,
    after,
    changes,
    book,
  }: {
    contexts: readonly PlanningContext[]
    after: ReadonlyMap<Day, Orders>
    changes: readonly PlanChange[]
    book: WeatherBook
  },
): Promise<RainFacts> => {
  const days = contexts.map((context) => {
    const { day, crews } = context.data
    const work = {
      fromMinute: Math.min(...crews.map((c) => c.shiftStartMinute)),
      toMinute: Math.max(...crews.map((c) => c.shiftEndMinute)),
    }
    const weather = dayWeather(book.hoursOf(day), book.limits, work)
    return {
      day,
      rain: weather.suggests ? `rain ${spanWords(weather.wet)}` : null,
      overtimeBefore: overtimeOf(context, ordersOf(context)),
      overtimeAfter: overtimeOf(context, after.get(day) ?? ordersOf(context)),
    }
  })
  const sum = (pick: (day: (typeof days)[number]) => number) => days.reduce((all, day) => all + pick(day), 0)
  const notices = await noticesOf(db, movesOf(changes))
  const by = (channel: 'sms' | 'email') => notices.filter((notice) => notice.reach.channel === channel)
  const nobody = notices.flatMap(({ customerId, name, reach }) =>
    reach.channel === null ? [{ customerId, name, reason: reach.reason }] : [],
  )
  const held = by('sms').flatMap(({ reach }) => (reach.channel === 'sms' ? (reach.quietUntil ?? []) : []))
  return {
    strategy: asked.strategy,
    crewIds: asked.crewIds,
    onDays: asked.onDays,
    makeUpDay: asked.makeUpDay,
    days,
    overtimeBefore: sum((day) => day.overtimeBefore),
    overtimeAfter: sum((day) => day.overtimeAfter),
    held: asked.stops.flatMap((visit) => {
      const reason = heldReason(visit)
      return reason === null
        ? []
        : [
            {
              visitId: visit.id,
              street: visit.street,
              customerName: visit.customerName,
              reason,
              ticked: asked.moveIds.includes(visit.id),
            },
          ]
    }),
    warnings: changes.filter((change) => change.warning !== null).length,
    tells: {
      texts: by('sms').length,
      emails: by('email').length,
      quietUntil: held.sort().at(-1) ?? null,
      nobody: nobody.slice(0, 50),
      unreached: nobody.length,
    },
  }
}
