import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { OtherAutomatic } from '../contract.ts'
import { type OtherKey, otherKeys } from '../others/rules.ts'
import { dryRunDays } from '../rules.ts'

/** What other parts send by themselves: read here, sent and set there. */

/** What a message is of, by the key that makes it leave once. */
const counted = sql<OtherKey | null>`case
    when m.dedupe_key like 'reminder:%' then 'reminder'
    when m.dedupe_key like 'moved:%' then 'moved'
    when m.dedupe_key like 'on_way:%' then 'on_way'
    when m.dedupe_key like 'treated:%' then 'treated'
    when m.dedupe_key like 'booking:%' then 'booking'
    when m.dedupe_key like 'quote:%:follow:%' then case when exists (select 1 from renewals w
      where w.business_id = m.business_id and w.quote_id = m.entity_id) then 'renewal' else 'follow_up' end
    when m.dedupe_key like 'invoice:%:sent%' then 'invoice'
    when m.dedupe_key like 'invoice:%' and m.asks then 'invoice_reminder'
    when m.dedupe_key like 'payment:%:receipt%' or m.dedupe_key like 'door:%' or m.dedupe_key like 'invoice:%' then 'receipt'
    when m.dedupe_key like 'card-expiring:%' then 'card_expiring'
    when m.dedupe_key like 'autopay%' then 'autopay'
    when m.dedupe_key like 'review:%' then 'review'
    when m.dedupe_key like 'lead:%:reply%' then 'lead_reply'
    when m.dedupe_key like 'missed-call:%' then 'missed_call'
    when m.dedupe_key like 'referral:%' then 'referral' end`

/** Those of them that are on. */
const listOn = async (db: TenantDb): Promise<OtherKey[]> => {
  const { rows } = await sql<{ on: OtherKey[] }>`
    select array_remove(array[
        case when b.reminders <> 'off' then 'reminder' end, case when b.tell_moves then 'moved' end,
        case when b.tell_on_way then 'on_way' end, case when cardinality(b.invoice_reminders) > 0 then 'invoice_reminder' end,
        case when coalesce(c.tell_customers, true) then 'treated' end, case when r.enabled then 'review' end,
        case when coalesce(l.reply_on, true) then 'lead_reply' end, case when l.book_on then 'booking' end,
        case when l.referral_on then 'referral' end, case when w.text_on then 'missed_call' end], null) as "on"
    from businesses b
    left join chemical_settings c on c.business_id = b.business_id
    left join review_settings r on r.business_id = b.business_id
    left join lead_settings l on l.business_id = b.business_id
    left join lead_ways w on w.business_id = b.business_id
    where b.business_id = ${db.businessId}`.execute(db)
  return rows[0]?.on ?? []
}

const switchable: readonly OtherKey[] = [
  'reminder',
  'moved',
  'on_way',
  'treated',
  'booking',
  'invoice_reminder',
  'review',
  'lead_reply',
  'missed_call',
  'referral',
]
const noMessages: readonly OtherKey[] = ['crew_stop', 'crew_clock']

export const listOthers = async (db: TenantDb): Promise<OtherAutomatic[]> => {
  const { rows } = await sql<{ key: OtherKey | null; count: number }>`
    select ${counted} as key, count(*)::int as count from messages m
    where m.business_id = ${db.businessId} and m.created_at > ${new Date(clock.nowMs() - dryRunDays * 86_400_000).toISOString()}
      and m.direction = 'outbound' and m.status in ('sent', 'delivered', 'unknown')
    group by 1`.execute(db)
  const counts = new Map(rows.map(({ key, count }) => [key, count]))
  const on = await listOn(db)
  return otherKeys.map((key) => ({
    key,
    on: switchable.includes(key) ? on.includes(key) : null,
    sentCount: noMessages.includes(key) ? null : (counts.get(key) ?? 0),
  }))
}
