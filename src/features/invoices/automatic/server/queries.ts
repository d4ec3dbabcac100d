import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf, instantAt, minuteOfDay } from '../../../../shared/dates.ts'
import {
  type AutoInvoices,
  autoInvoicesOf,
  lastTurn,
  type Rhythm,
  rhythms,
} from '../../../businesses/autoinvoices/rules.ts'

export type Turn = { rhythm: Rhythm; on: Day }

/** The turns that have come and were not taken; one from before it was switched on is nobody's. */
export const readDueTurns = async (db: TenantDb): Promise<{ rule: AutoInvoices; turns: Turn[] }> => {
  const row = await db
    .selectFrom('businesses')
    .select(['timeZone', 'autoInvoices', 'autoInvoicesSince'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const rule = autoInvoicesOf(row.autoInvoices)
  const since = row.autoInvoicesSince
  if (rule.rhythm === 'off' || since === null) return { rule, turns: [] }
  const today = dayOf(clock.now(), row.timeZone)
  const minute = minuteOfDay(clock.now(), row.timeZone)
  const come = rhythms
    .map((rhythm): Turn => ({ rhythm, on: lastTurn(rhythm, rule, today, minute) }))
    .filter(({ on }) => Date.parse(instantAt(on, rule.hour * 60, row.timeZone)) >= Date.parse(since))
  const turns: Turn[] = []
  for (const turn of come) if (!(await isTaken(db, turn))) turns.push(turn)
  return { rule, turns }
}

export const isTaken = async (db: TenantDb, { rhythm, on }: Turn): Promise<boolean> =>
  Boolean(
    await db
      .selectFrom('automaticInvoiceRuns')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('rhythm', '=', rhythm)
      .where('turnOn', '=', on)
      .executeTakeFirst(),
  )

/** What of the turns of the last five weeks was left out without a price and still is. */
export const countUnpriced = async (db: TenantDb, today: Day): Promise<{ count: number; lastOn: Day | null }> => {
  const { rows } = await sql<{ count: number; lastOn: Day | null }>`
    select count(distinct v.id)::int as count, max(r.turn_on) as last_on
    from automatic_invoice_runs r cross join unnest(r.no_price) as left_out(id)
    join visits v on v.business_id = r.business_id and v.id = left_out.id and v.to_bill and v.invoice_id is null
      and (v.price_cents > 0) is not true
    where r.business_id = ${db.businessId} and r.rhythm = any(${[...rhythms]}::text[]) and r.turn_on > ${addDays(today, -35)}::date`.execute(
    db,
  )
  return { count: rows[0]?.count ?? 0, lastOn: rows[0]?.lastOn ?? null }
}
