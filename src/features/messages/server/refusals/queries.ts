import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { toE164 } from '../../../../shared/phone.ts'

/**
 * Whether a customer, or the contact of theirs behind an address, said no to offers on any address that is known of them: whoever unsubscribed
 * from mail is not asked by text either, and whoever replied STOP not by mail.
 */
export const saidNo = async (db: TenantDb, customerId: string, address: string): Promise<boolean> => {
  const { rows: people } = await sql<{ email: string | null; phone: string | null; own: boolean }>`
    select email, phone, true as own from customers where business_id = ${db.businessId} and id = ${customerId}
    union all
    select email, phone, false from customer_contacts
    where business_id = ${db.businessId} and customer_id = ${customerId}`.execute(db)
  const known = people
    .map(({ email, phone, own }) => ({
      email: email?.trim().toLowerCase() || null,
      sms: phone ? toE164(phone) : null,
      own,
    }))
    .filter(({ email, sms, own }) => own || email === address.trim().toLowerCase() || sms === address)
  const addresses = [
    ...new Set([address, ...known.flatMap(({ email, sms }) => [email, sms]).filter((one) => one !== null)]),
  ]
  const { rows } = await sql<{ no: boolean }>`
    select exists (
        select 1 from unnest(${addresses}::text[]) as a(address) cross join unnest(array['email', 'sms']) as w(channel)
        cross join lateral (select e.action from consent_events e
          where e.business_id = ${db.businessId} and e.channel = w.channel and e.address = a.address and e.purpose = 'marketing'
          order by e.at desc, e.id desc limit 1) last
        where last.action = 'revoke')
      or exists (select 1 from suppressions s
        where s.business_id = ${db.businessId} and s.channel in ('email', 'sms') and s.address = any(${addresses}::text[])
          and s.purpose = 'marketing') as no`.execute(db)
  return rows[0]?.no ?? false
}

/** Whom a question by mail went to, by the record it asks for; null where none went. The link under it ends asks to this address and no other. */
export const findAskedAddress = async (db: TenantDb, entityId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('messages')
    .select('address')
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', 'review_ask')
    .where('entityId', '=', entityId)
    .where('channel', '=', 'email')
    .where('direction', '=', 'outbound')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.address ?? null
}
