import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { toE164 } from '../../../shared/phone.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { listRecipients } from '../../customers/contacts/server/queries.ts'
import { smsUsage } from '../../messages/server/queries.ts'
import { kinds, type Way } from '../kinds/rules.ts'
import { type About, type Judged, type JudgeFacts, judge, type Sent } from '../rules.ts'
import { getAutomationSettings } from './queries.ts'
import type { AutomationRow } from './rows.ts'

/** What decides whether customers get a message of an automation, read for many at once; `judge` decides. */

const dayMs = 86_400_000
const nobodyGets = {
  visits: 'Gets no notices of visits',
  quotes: 'Gets no quotes',
  marketing: 'Gets no offers and news',
} as const

/** What customers got of automations, from a time on; what never left bothered nobody. */
export const listSent = async (
  db: TenantDb,
  customerIds: readonly string[],
  fromMs: number,
): Promise<Map<string, Sent[]>> => {
  if (customerIds.length === 0) return new Map()
  const { rows } = await sql<Omit<Sent, 'atMs'> & { customerId: string; at: string }>`
    select r.customer_id, r.automation_id, r.subject_id, r.property_id, r.queued_at as at, r.channel from automation_runs r
    where r.business_id = ${db.businessId} and r.customer_id = any(${[...customerIds]}::uuid[])
      and r.queued_at > ${new Date(fromMs).toISOString()} and r.channel is not null
      and not exists (select 1 from messages m where m.business_id = r.business_id
        and m.entity_type = 'automation_run' and m.entity_id = r.id and m.status in ('suppressed', 'failed'))`.execute(
    db,
  )
  const found = new Map<string, Sent[]>()
  for (const { customerId, at, ...one } of rows)
    found.set(customerId, [...(found.get(customerId) ?? []), { ...one, atMs: Date.parse(at) }])
  return found
}

/** When customers were texted by what leaves by itself elsewhere: reminders, invoices, campaigns. What somebody answers by hand is no automatic text. */
const listOtherTexts = async (
  db: TenantDb,
  customerIds: readonly string[],
  fromMs: number,
): Promise<Map<string, number[]>> => {
  if (customerIds.length === 0) return new Map()
  const { rows } = await sql<{ customerId: string; at: string }>`
    select m.customer_id, coalesce(m.sent_at, m.created_at) as at from messages m
    where m.business_id = ${db.businessId} and m.customer_id = any(${[...customerIds]}::uuid[])
      and m.created_at > ${new Date(fromMs).toISOString()} and m.channel = 'sms' and m.direction = 'outbound'
      and m.purpose <> 'reply' and m.entity_type is distinct from 'automation_run' and m.status not in ('suppressed', 'failed')`.execute(
    db,
  )
  const found = new Map<string, number[]>()
  for (const { customerId, at } of rows) found.set(customerId, [...(found.get(customerId) ?? []), Date.parse(at)])
  return found
}

/** @param fromMs from when on what they got before may count */
export const readJudgeFacts = async (
  db: TenantDb,
  automation: AutomationRow,
  customerIds: readonly string[],
  fromMs: number = clock.nowMs(),
): Promise<(customerId: string) => JudgeFacts> => {
  const ids = [...new Set(customerIds)]
  const { recipients: kind } = kinds[automation.kind]
  const recipients = await listRecipients(db, ids, kind)
  const addressesOf = (id: string): Record<Way, string | null>[] =>
    recipients(id).map(({ phone, email }) => ({
      sms: phone ? toE164(phone) : null,
      email: email?.trim().toLowerCase() || null,
    }))
  const reached = new Map(ids.map((id) => [id, addressesOf(id)]))
  const addresses = [...reached.values()].flatMap((people) =>
    people.flatMap(({ sms, email }) => [sms, email].filter((one) => one !== null)),
  )
  const purposes = kinds[automation.kind].isOffer ? ['all', 'marketing'] : ['all']
  const { rows: shut } = await sql<{ channel: Way; address: string; reason: string }>`
    select channel, address, reason from suppressions where business_id = ${db.businessId}
      and address = any(${addresses}::text[]) and purpose = any(${purposes}::text[])`.execute(db)
  const { rows: words } = await sql<{ channel: Way; address: string; action: string }>`
    select distinct on (channel, address) channel, address, action from consent_events
    where business_id = ${db.businessId} and purpose = 'marketing' and address = any(${addresses}::text[])
    order by channel, address, at desc, id desc`.execute(db)
  const { rows: off } = await sql<{ customerId: string }>`
    select customer_id from automation_opt_outs where business_id = ${db.businessId} and automation_id = ${automation.id}
      and customer_id = any(${ids}::uuid[])`.execute(db)
  const key = (channel: Way, address: string | null): string => `${channel} ${address}`
  const closed = new Map(shut.map((row) => [key(row.channel, row.address), row.reason]))
  const agreed = new Set(words.filter(({ action }) => action === 'grant').map((row) => key(row.channel, row.address)))
  const optedOut = new Set(off.map(({ customerId }) => customerId))
  // days are those of the calendar: one more, so that none is cut
  const sent = await listSent(db, ids, fromMs - (Math.max(automation.everyDays, 7) + 1) * dayMs)
  const texts = await listOtherTexts(db, ids, fromMs - 2 * dayMs)
  const timeZone = await timeZoneOf(db)
  const usage = await smsUsage(db)
  const { mostWeekly } = await getAutomationSettings(db)
  const segmentsLeft = usage.segmentLimit === null ? null : usage.segmentLimit - usage.segmentsUsed
  return (customerId) => {
    const people = reached.get(customerId) ?? []
    const reachable = people.filter(({ sms, email }) => sms !== null || email !== null)
    const way = (channel: Way, address: string | null) => ({
      address,
      shut: closed.get(key(channel, address)) ?? null,
      agreed: agreed.has(key(channel, address)),
    })
    return {
      optedOut: optedOut.has(customerId),
      noRecipient: people.length === 0 ? nobodyGets[kind] : null,
      people: (reachable.length > 0 ? reachable : [{ sms: null, email: null }]).map(({ sms, email }) => ({
        sms: way('sms', sms),
        email: way('email', email),
      })),
      sent: sent.get(customerId) ?? [],
      otherTexts: texts.get(customerId) ?? [],
      segmentsLeft,
      mostWeekly,
      timeZone,
    }
  }
}

/** Whether a customer gets it as it is now, and by which way. */
export const judgeNow = async (
  db: TenantDb,
  automation: AutomationRow,
  { customerId, ...about }: About & { customerId: string },
): Promise<Judged> =>
  judge(automation, about, (await readJudgeFacts(db, automation, [customerId]))(customerId), clock.nowMs())
