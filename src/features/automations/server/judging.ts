import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { toE164 } from '../../../shared/phone.ts'
import { listRecipients } from '../../customers/contacts/server/queries.ts'
import { smsUsage } from '../../messages/server/queries.ts'
import { kinds, type Way } from '../kinds/rules.ts'
import type { JudgeFacts, Sent } from '../rules.ts'
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
  const { rows } = await sql<{ customerId: string; automationId: string; at: string; channel: Way }>`
    select r.customer_id, r.automation_id, r.queued_at as at, r.channel from automation_runs r
    where r.business_id = ${db.businessId} and r.customer_id = any(${[...customerIds]}::uuid[])
      and r.queued_at > ${new Date(fromMs).toISOString()} and r.channel is not null
      and not exists (select 1 from messages m where m.business_id = r.business_id
        and m.entity_type = 'automation_run' and m.entity_id = r.id and m.status in ('suppressed', 'failed'))`.execute(
    db,
  )
  const found = new Map<string, Sent[]>()
  for (const { customerId, automationId, at, channel } of rows)
    found.set(customerId, [...(found.get(customerId) ?? []), { automationId, atMs: Date.parse(at), channel }])
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
  const reached = new Map(
    ids.map((id) => {
      const first = recipients(id).find(({ email, phone }) => email !== null || phone !== null)
      const at = {
        sms: first?.phone ? toE164(first.phone) : null,
        email: first?.email?.trim().toLowerCase() || null,
      }
      return [id, { at, isNobody: recipients(id).length === 0 }]
    }),
  )
  const addresses = [...reached.values()].flatMap(({ at }) => [at.sms, at.email].filter((one) => one !== null))
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
  const sent = await listSent(db, ids, fromMs - Math.max(automation.everyDays, 7) * dayMs)
  const usage = await smsUsage(db)
  const { mostWeekly } = await getAutomationSettings(db)
  const segmentsLeft = usage.segmentLimit === null ? null : usage.segmentLimit - usage.segmentsUsed
  return (customerId) => {
    const { at, isNobody } = reached.get(customerId) ?? { at: { sms: null, email: null }, isNobody: true }
    const way = (channel: Way) => ({
      address: at[channel],
      shut: closed.get(key(channel, at[channel])) ?? null,
      agreed: agreed.has(key(channel, at[channel])),
    })
    return {
      optedOut: optedOut.has(customerId),
      noRecipient: isNobody ? nobodyGets[kind] : null,
      ways: { sms: way('sms'), email: way('email') },
      sent: sent.get(customerId) ?? [],
      segmentsLeft,
      mostWeekly,
    }
  }
}
