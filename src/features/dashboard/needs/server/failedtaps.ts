import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, dayOf, formatDay, formatTime, startOfWeek } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { type ClockCommand, clockCommands, clockTapWords } from '../../../crewapp/rules.ts'
import type { Need } from '../../contract.ts'

type Tap = { userId: string; name: string; type: ClockCommand; at: string }

/** The most taps that a line names; the sheet has room for the rest. */
const mostNamed = 3

/** "Clocked in at 7:02 AM; went on a break at 12:01 PM." */
const saidOf = (taps: readonly Tap[], timeZone: string): string => {
  const named = taps.slice(0, mostNamed).map(({ type, at }) => `${clockTapWords[type]} at ${formatTime(at, timeZone)}`)
  const more = taps.length - named.length
  const words = named.map((one, index) => (index === 0 ? one : one.charAt(0).toLowerCase() + one.slice(1))).join('; ')
  return `${words}${more > 0 ? `; ${more} more` : ''}.`
}

/**
 * Taps on the clock that broke on their way in, a person and day each: until the phone has sent them again and they are booked, the office has put the
 * time right on the sheet of that day, or has approved the week as it stands.
 */
export const failedTaps = async (db: TenantDb): Promise<Need[]> => {
  const { rows } = await sql<Tap>`
    select k.user_id as "userId", u.name, k.type, k.happened_at as at
    from crew_commands k
    join users u on u.business_id = k.business_id and u.id = k.user_id
    where k.business_id = ${db.businessId} and k.result = 'conflict' and k.decided_at is null and k.visit_id is null
      and k.reason = 'failed' and k.type = any(${sql.val([...clockCommands])}::text[])
    order by k.happened_at
    limit 100`.execute(db)
  if (rows.length === 0) return []
  const timeZone = await timeZoneOf(db)
  const ofDay = (tap: Tap): Day => dayOf(tap.at, timeZone)
  return [...Map.groupBy(rows, (tap) => `${tap.userId}:${ofDay(tap)}`)].slice(0, 20).flatMap(([key, taps]) => {
    const [first] = taps
    if (!first) return []
    const path = linkTo.timesheets({ week: startOfWeek(ofDay(first)), personId: first.userId })
    return {
      id: `failed-tap:${key}`,
      kind: 'conflict' as const,
      badge: 'Clock',
      tone: 'late' as const,
      title:
        taps.length === 1
          ? `A tap on the clock of ${first.name} could not be booked`
          : `${taps.length} taps on the clock of ${first.name} could not be booked`,
      detail: `${formatDay(ofDay(first))}. ${saidOf(taps, timeZone)} Put the time down on the sheet, or approve it as it stands.`,
      amountCents: null,
      path,
      action: { kind: 'open' as const, label: 'Open the sheet', path },
    }
  })
}
